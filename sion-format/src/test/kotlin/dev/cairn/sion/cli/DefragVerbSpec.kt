package dev.cairn.sion.cli

import dev.cairn.sion.FileMapping
import dev.cairn.sion.ForcePolicy
import dev.cairn.sion.Multifile
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.copy.Defragmentation
import dev.cairn.sion.failure.SionException
import dev.cairn.sion.fixture.DamagedMultifile
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.fixture.bytesOf
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.nio.file.NoSuchFileException
import java.nio.file.Path
import kotlin.io.path.createDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readText
import kotlin.io.path.writeText

/** What `sion defrag` does with its options, with what is in its way, and with what breaks it off. */
class DefragVerbSpec :
    FunSpec({
        val directory = tempdir().toPath()
        val five = bundled("s03-five-mixed.sion").toString()

        fun sizeWith(vararg options: String): Int {
            val out = directory.resolve("size.sion")
            sion("defrag", *options, five, out.toString()).exitCode shouldBe 0
            return Multifile.open(out).use { it.info().blockSize() }.also { out.toFile().delete() }
        }

        test("the block size is that of the multifile, or that of -q, or that of -Q") {
            sizeWith() shouldBe 512
            sizeWith("-q", "100") shouldBe 100
            sizeWith("-Q", "2") shouldBe 2 * 1024 * 1024
        }

        test("sizes and numbers out of range are wrong usage") {
            mapOf(
                listOf("-q", "0") to "sion defrag: -q takes 1 to 2147483647, but not 0.",
                listOf("-Q", "2048") to "sion defrag: -Q takes 1 to 2047, but not 2048.",
                listOf("--files", "0") to "sion defrag: --files takes 1 to 2147483647, but not 0.",
                listOf("-q", "1", "-Q", "1") to
                    "sion defrag: Error: -q=BYTES, -Q=MIB are mutually exclusive (specify only one).",
            ).forEach { (options, sentence) ->
                val run = sion("defrag", *options.toTypedArray(), five, "$directory/wrong.sion")

                run.complaint shouldBe "$sentence Try 'sion defrag --help'."
                run.exitCode shouldBe 2
            }
        }

        test("more files than tasks are refused") {
            val run = sion("defrag", "--files", "6", five, "$directory/six.sion")

            run.complaint shouldBe "sion: 5 tasks fill 1 to 5 files, not 6: ask for fewer files."
            run.exitCode shouldBe 1
        }

        test("it says on request what it writes") {
            sion("defrag", "-v", "-q", "1", five, "$directory/said.sion").complaint shouldBe
                "$directory/said.sion: tasks 5, files 1, block size 1"
        }

        test("it overwrites nothing: neither a file, nor a member of a set, nor an unfinished copy") {
            listOf("x.sion", "x.sion.000003", "x.sion.part", "x.sion_BUDDY_00").forEach { name ->
                val other = directory.resolve("with-$name").createDirectory().resolve(name)
                other.writeText("precious")
                val run = sion("defrag", five, "${other.parent}/x.sion")

                val origin = if (name.endsWith(".part")) " (an interrupted copy leaves such a file)" else ""
                run.complaint shouldBe
                    "sion: $other: it exists and is not overwritten$origin: delete it, or choose another name."
                run.exitCode shouldBe 1
                other.readText() shouldBe "precious"
                other.parent.listDirectoryEntries() shouldContainExactly listOf(other)
            }
        }

        test("in another directory the prefix field holds the last name only, where siondefrag stores the path") {
            val out = directory.resolve("elsewhere").createDirectory().resolve("x.sion")
            sion("defrag", five, "$out").exitCode shouldBe 0

            Multifile.open(out).use { it.info().prefix() } shouldBe "x.sion"
        }

        test("it lists the directory of the new file once") {
            val parts = directory.resolve("listed").createDirectory()
            var lists = 0
            val counting =
                OnOperation {
                    if (it.kind() == BlockStore.Operation.Kind.LIST &&
                        it.path() == parts
                    ) {
                        lists++
                    }
                }
            sion("defrag", "--files", "2", five, "$parts/x.sion", store = counting).exitCode shouldBe 0
            lists shouldBe 1
        }

        test("when a write fails, nothing is left") {
            val parts = directory.resolve("full").createDirectory()
            val full =
                OnOperation {
                    if (it.kind() == BlockStore.Operation.Kind.WRITE &&
                        it.position() > 3000
                    ) {
                        throw IOException("the disk is full")
                    }
                }
            val run = sion("defrag", "--files", "2", five, "$parts/x.sion", store = full)

            run.complaint shouldBe "sion: $parts/x.sion.000001.part: the disk is full."
            run.exitCode shouldBe 1
            parts.listDirectoryEntries() shouldBe emptyList<Path>()
        }

        test("records from a machine of the other byte order are still records") {
            val content = DamagedMultifile.of("s07-keyval.sion").let { it.model.open(it.path) }
            val path = Path.of("/x/big.sion")
            val bytes = DefragModel(content, "big.sion", order = ByteOrder.BIG_ENDIAN).files().single()
            val big = DamagedMultifile(mapOf(path to bytes))
            sion("defrag", path.toString(), "/x/out.sion", store = big.store).exitCode shouldBe 0

            big.store.bytesOf(Path.of("/x/out.sion")) shouldBe
                DefragModel(content, "out.sion").files().single().toList()
        }

        test("a crash at any operation leaves the whole copy or none") {
            val seen = sortedMapOf<String, Int>()
            var operation = 0L
            do {
                operation++
                val trial = DefragTrial()
                trial.disk.crashAt(trial.disk.operationCount() + operation)
                val crash = runCatching { trial.run() }.exceptionOrNull()
                if (crash != null) check(crash is SimulatedDisk.CrashException) { crash }
                trial.disk.crashOutcomes().forEach { outcome ->
                    val survivor = trial.disk.afterCrash(outcome).host("survivor")
                    seen.merge(trial.stateIn(survivor), 1, Int::plus)
                }
            } while (crash != null)
            println("DefragVerbSpec: ${operation - 1} operations, states after a crash: $seen")
            seen.keys shouldContainExactly setOf("none", "whole")
        }

        test("once it has returned, no crash can take the copy away; without forces one can") {
            DefragTrial().apply { run() }.states() shouldContainExactly setOf("whole")
            DefragTrial(ForcePolicy.NEVER).apply { run() }.states() shouldContain "none"
        }
    })

/** A set of two files on a simulated disk, to be copied into two others. */
private class DefragTrial(private val policy: ForcePolicy = ForcePolicy.ON_CLOSE) {
    private val source = DamagedMultifile.of("p04-five-two-files.sion", "p04-five-two-files.sion.000001")
    private val out = source.path.resolveSibling("out.sion")
    private val expected =
        source.model
            .open(source.path)
            .tasks
            .map { it.stream.toList() }
    val disk = source.disk

    init {
        source.store.forceDirectory(Path.of("/"))
    }

    fun run() {
        val spec =
            MultifileSpec
                .parallel(
                    out,
                ).withMapping(FileMapping.contiguous(2))
                .withBlockSize(64)
                .withForcePolicy(policy)
        Multifile.open(source.store, source.path).use { Defragmentation.run(it, source.store, spec) {} }
    }

    fun states(): Set<String> = disk.crashOutcomes().map { stateIn(disk.afterCrash(it).host("survivor")) }.toSet()

    /** "none" only if nothing bears the name at all. */
    fun stateIn(store: BlockStore): String =
        try {
            Multifile.open(store, out).use { view ->
                val streams =
                    List(view.taskCount()) { task -> view.task(task).stream().use { it.readAllBytes().toList() } }
                if (streams == expected) "whole" else "mixture"
            }
        } catch (refused: SionException) {
            "half: $refused"
        } catch (gone: NoSuchFileException) {
            "none"
        }
}
