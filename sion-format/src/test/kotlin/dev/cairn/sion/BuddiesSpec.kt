package dev.cairn.sion

import dev.cairn.house.Campaign
import dev.cairn.house.JDK_DEPENDENT
import dev.cairn.sion.failure.SionException
import dev.cairn.sion.fixture.Fixtures
import dev.cairn.sion.fixture.sha256
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.nio.file.NoSuchFileException
import java.nio.file.Path
import kotlin.io.path.copyTo
import kotlin.io.path.createDirectory
import kotlin.io.path.deleteExisting
import kotlin.io.path.readBytes
import kotlin.io.path.writeBytes
import kotlin.random.Random

/** The C library's multifile with copies, of which files are lost and damaged. */
@Tags(JDK_DEPENDENT)
class BuddiesSpec :
    FunSpec({
        val directory = tempdir().toPath()
        val fixture = Fixtures.bundled("p12-buddy")
        val names = fixture.physicalFiles.keys.sorted()
        val (copies, originals) = names.partition { "_BUDDY_" in it }
        var count = 0

        fun copyOfFixture(): Path {
            val target = directory.resolve("${count++}").createDirectory()
            fixture.physicalFiles.forEach { (name, file) -> file.copyTo(target.resolve(name)) }
            return target
        }

        fun requireAllTasks(view: BuddyView) {
            view.tasks().taskCount() shouldBe fixture.tasks.size
            for (task in fixture.tasks) {
                val bytes =
                    ByteBuffer.allocate(
                        view
                            .tasks()
                            .task(task.task)
                            .size()
                            .toInt(),
                    )
                view.tasks().read(task.task, 0, bytes)
                sha256(bytes.array()) shouldBe task.readSha256
            }
        }

        test("nothing is replaced where nothing is lost") {
            BuddyView.open(fixture.file).use { view ->
                view.replacements().shouldBeEmpty()
                requireAllTasks(view)
            }
        }

        for (name in names) {
            test("without $name all tasks are read") {
                val target = copyOfFixture()
                target.resolve(name).deleteExisting()
                BuddyView.open(target.resolve(originals[0])).use { view ->
                    requireAllTasks(view)
                    val lost = originals.indexOf(name)
                    view.replacements().map { it.fileNumber } shouldBe listOf(lost).filter { it >= 0 }
                    view.replacements().forEach { it.copy shouldBe target.resolve(copies[lost]) }
                }
            }
        }

        test("an original whose meta data are damaged or cut is read from its copy, never wrong") {
            val seed = Campaign.seed
            println("BuddiesSpec: seed $seed")
            val random = Random(seed)
            repeat(150) {
                val target = copyOfFixture()
                val damaged = random.nextInt(originals.size)
                val file = target.resolve(originals[damaged])
                val bytes = file.readBytes()
                val metaTwo = ByteBuffer.wrap(bytes).order(LITTLE_ENDIAN).getLong(1080 + 16 * 2)
                if (random.nextBoolean()) {
                    file.writeBytes(bytes.copyOf(random.nextInt(metaTwo.toInt() + 16)))
                } else {
                    // The tail of META1 and the numbers of blocks: every value of theirs is checked.
                    val at =
                        listOf(
                            1076 + 16 * 2 until 1088 + 16 * 2,
                            metaTwo.toInt() until metaTwo.toInt() + 16,
                        ).random(random)
                    for (index in at) bytes[index] = (bytes[index] + random.nextInt(1, 256)).toByte()
                    file.writeBytes(bytes)
                }
                BuddyView.open(target.resolve(originals[0])).use { view ->
                    requireAllTasks(view)
                    val replacement = view.replacements().single()
                    replacement.fileNumber shouldBe damaged
                    replacement.trouble.shouldBeInstanceOf<SionException>()
                }
            }
        }

        test("where the original and its copy are lost, the original's trouble is told") {
            val target = copyOfFixture()
            target.resolve(originals[1]).writeBytes(ByteArray(0))
            target.resolve(copies[1]).deleteExisting()
            val trouble = shouldThrow<SionException> { BuddyView.open(target.resolve(originals[0])) }
            trouble.file() shouldBe target.resolve(originals[1])
            trouble.suppressed.size shouldBe 1
        }

        test("a copy of another multifile does not stand for a file") {
            val target = copyOfFixture()
            target.resolve(originals[2]).deleteExisting()
            val stranger = target.resolve(copies[2])
            stranger.writeBytes(stranger.readBytes().also { it[52] = 'q'.code.toByte() })
            shouldThrow<NoSuchFileException> { BuddyView.open(target.resolve(originals[0])) }
                .suppressed
                .single()
                .shouldBeInstanceOf<SionException.ForeignFile>()
        }

        context("a global rank that does not fit to the others'") {
            fun misnumber(file: Path, localRank: Int, globalRank: Long): Long {
                val bytes = ByteBuffer.wrap(file.readBytes()).order(LITTLE_ENDIAN)
                val before = bytes.getLong(TASK_PART + 8 * localRank)
                file.writeBytes(bytes.putLong(TASK_PART + 8 * localRank, globalRank).array())
                return before
            }

            for ((number, name) in originals.withIndex()) {
                for (globalRank in listOf(0L, 3L, 99L, -1L)) {
                    test("$globalRank in $name: its copy is read, unless that is its number") {
                        val target = copyOfFixture()
                        val file = target.resolve(name)
                        val before = misnumber(file, 1, globalRank)
                        BuddyView.open(target.resolve(originals[0])).use { view ->
                            requireAllTasks(view)
                            view.replacements().map { it.fileNumber to it.trouble.message } shouldBe
                                listOf(
                                    number to
                                        "$file: global rank of local rank 1 at byte ${TASK_PART + 8} " +
                                        "should be below ${fixture.tasks.size}, and no other task's, " +
                                        "but is $globalRank. The file is damaged: use another copy of it.",
                                ).filter { before != globalRank }
                        }
                    }
                }
            }

            test("in a copy where the original is lost, too: the copy is named") {
                val target = copyOfFixture()
                target.resolve(originals[0]).deleteExisting()
                // The last of its four tasks, of which two are helpers.
                misnumber(target.resolve(copies[0]), 3, 99)
                shouldThrow<SionException.Corrupt> { BuddyView.open(target.resolve(originals[0])) }.file() shouldBe
                    target.resolve(copies[0])
            }

            test("in a file without any other task: it is not taken for one of helpers alone") {
                val store = SimulatedDisk().host("node")
                val path = Path.of("/x.sion")
                val spec = MultifileSpec.parallel(path).withMapping(FileMapping.contiguous(2))
                MultifileWriter.create(store, spec, listOf(TaskRequest(0, 8), TaskRequest(-1, 0))).use { it.finish() }
                shouldThrow<SionException.Corrupt> { BuddyView.open(store, path) }.message shouldBe
                    "$path.000001: global rank of local rank 0 at byte $TASK_PART should be below 2, and no other " +
                    "task's, but is -1. The file is damaged: use another copy of it."
            }

            test("in two originals: nothing is guessed") {
                val target = copyOfFixture()
                misnumber(target.resolve(originals[1]), 0, 99)
                misnumber(target.resolve(originals[2]), 0, 98)
                shouldThrow<SionException.Corrupt> { BuddyView.open(target.resolve(originals[0])) }.file() shouldBe
                    target.resolve(originals[1])
            }
        }
    })

/** Where the global ranks begin. */
private const val TASK_PART = 1076
