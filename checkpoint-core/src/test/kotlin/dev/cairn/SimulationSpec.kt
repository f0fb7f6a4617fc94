package dev.cairn

import dev.cairn.checkpoint.checkpointStore
import dev.cairn.event.CheckpointException
import dev.cairn.event.ExitCode
import dev.cairn.proof.log.loggedBy
import dev.cairn.proof.log.printedBy
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.store.Owner
import dev.cairn.store.rewriteManifest
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import java.nio.file.AccessDeniedException
import java.nio.file.Path
import java.time.Clock
import java.util.concurrent.ConcurrentLinkedQueue
import kotlin.io.path.createDirectory
import kotlin.io.path.createFile
import kotlin.io.path.createSymbolicLinkPointingTo
import kotlin.io.path.exists
import kotlin.io.path.writeText

/** Programs whose loop Cairn keeps, run in this process. */
class SimulationSpec :
    FunSpec({
        val directory = tempdir().toPath()

        /** Adds the step to a sum; returns the steps that were walked through, by rank 0. */
        suspend fun sums(
            store: String,
            vararg options: String,
            until: Long = 10,
            inStep: (Long) -> Unit = {},
        ): Pair<ExitCode, List<Long>> {
            val steps = ConcurrentLinkedQueue<Long>()
            val code =
                runSimulation("sums", arrayOf("--dir", "${directory.resolve(store)}", *options)) {
                    var sum by replicated(0L)
                    val cells by doubles(rows = 5, columns = 3, halo = 1) { i, j -> 10.0 * i + j }
                    for (step in steps(until)) {
                        if (rank == 0) {
                            steps += step
                            inStep(step)
                        }
                        sum += step
                        cells.exchangeHalo()
                        cells.update { i, j -> cells[i, j] + 1 }
                    }
                    if (isStopped) return@runSimulation
                    sum shouldBe until * (until - 1) / 2
                    for (i in cells.box.start(0) until cells.box.end(0)) cells[i, 1] shouldBe 10.0 * i + 1 + until
                }
            return code to steps.toList()
        }

        test("a finished program does nothing when it is started again") {
            sums("finished", "--ranks", "3") shouldBe (ExitCode.FINISHED to List(10) { it.toLong() })
            val (code, steps) = sums("finished", "--ranks", "7")
            code shouldBe ExitCode.FINISHED
            steps.shouldBeEmpty()
        }

        test("it continues with later steps, and from the beginning on request") {
            sums("on", "--ranks", "2", until = 4)
            sums("on", "--ranks", "3", "--every", "2").second shouldBe (4L..9L).toList()
            sums("on", "--fresh").second shouldBe (0L..9L).toList()
        }

        test("a file beside the store requests its end, and it continues later") {
            val stop = directory.resolve("asked.stop")
            val (code, steps) =
                sums("asked", "--ranks", "2", until = 1000) { step ->
                    if (step == 3L) stop.createFile()
                }
            code shouldBe ExitCode.UNFINISHED
            stop.exists() shouldBe false
            sums("asked", until = 1000).second shouldBe (steps.last() + 1..999L).toList()
        }

        test("a phase that is over is not walked through again") {
            suspend fun run(stopAfter: Long): Pair<List<Long>, List<Long>> {
                val first = mutableListOf<Long>()
                val second = mutableListOf<Long>()
                runSimulation("phases", arrayOf("--dir", "${directory.resolve("phases")}", "--every", "1")) {
                    var sum by replicated(0L)
                    for (step in steps(until = 3, phase = "spin-up")) first += step
                    for (step in steps(until = stopAfter, phase = "production")) {
                        second += step
                        sum += step
                    }
                }
                return first to second
            }
            run(stopAfter = 2) shouldBe (listOf(0L, 1L, 2L) to listOf(0L, 1L))
            run(stopAfter = 4) shouldBe (emptyList<Long>() to listOf(2L, 3L))
        }

        test("where there can be no directory of checkpoints, that is said, and not only its name") {
            fun complaint(store: Path): String? {
                val clock = Clock.systemUTC()
                return shouldThrow<CheckpointException.InvalidDeclaration> {
                    checkpointStore(FileBlockStore(), store).own(Owner.here(clock.instant()), clock)
                }.message
            }
            val missing = directory.resolve("missing")
            complaint(missing.resolve("few")) shouldBe
                "$missing/few: it cannot be a directory of checkpoints: its parent directory $missing does not " +
                "exist. Choose another one, or correct that."
            val file = directory.resolve("file").createFile()
            complaint(file) shouldBe
                "$file: it cannot be a directory of checkpoints: it is a file, not a directory. Choose another " +
                "one, or correct that."
            sums("missing/few").first shouldBe ExitCode.REFUSED
            val link = directory.resolve("link").createSymbolicLinkPointingTo(missing)
            complaint(link) shouldBe
                "$link: it cannot be a directory of checkpoints: it is a symbolic link to a place that does not " +
                "exist. Choose another one, or correct that."
            sums("link").first shouldBe ExitCode.REFUSED
            if (Path.of("/proc").exists()) {
                complaint(Path.of("/proc/few")) shouldBe
                    "/proc/few: it cannot be a directory of checkpoints: no directory can be created in /proc. " +
                    "Choose " +
                    "another one, or correct that."
            }
        }

        test("where checkpoints are, nothing in the way of a file leads to another directory") {
            val store = directory.resolve("blocked")
            sums("blocked", "--every", "1", until = 2).first shouldBe ExitCode.FINISHED
            store.resolve("owner.json").createDirectory()
            val said = printedBy { sums("blocked", until = 4).first shouldBe ExitCode.UNREADABLE }
            said shouldContain
                "$store/owner.json: is a directory, not a file. So the checkpoints in $store cannot be used"
            said shouldNotContain "Choose another"
        }

        test("a directory into which the program may not write is named, and no other one is advised") {
            val store = directory.resolve("foreign").createDirectory()
            val files =
                object : ForwardingStore(FileBlockStore()) {
                    override fun onOperation(operation: BlockStore.Operation) {
                        val isChange = operation.kind() == BlockStore.Operation.Kind.CREATE
                        if (isChange && operation.path().startsWith(store)) throw AccessDeniedException("$store")
                    }
                }
            val said =
                printedBy {
                    runSimulation("foreign", arrayOf("--dir", "$store", "--ranks", "2"), files) {
                        for (step in steps(until = 3)) error("step $step")
                    } shouldBe ExitCode.UNREADABLE
                }
            said shouldContain
                "foreign: $store/lock: permission denied. Ask its owner for access. Nothing is known to be damaged: " +
                "start the program again when the file system works."
        }

        test("a directory that takes no more files while the program runs costs saves, and the reason is a sentence") {
            val store = directory.resolve("closed")
            var isClosed = false
            val files =
                object : ForwardingStore(FileBlockStore()) {
                    override fun onOperation(operation: BlockStore.Operation) {
                        val isNew = isClosed && operation.kind() == BlockStore.Operation.Kind.MAKE_DIRECTORY
                        if (isNew) throw AccessDeniedException("${operation.path()}")
                    }
                }
            val said =
                printedBy {
                    runSimulation("closed", arrayOf("--dir", "$store", "--ranks", "2", "--every", "1"), files) {
                        for (step in steps(until = 3)) if (rank == 0) isClosed = step > 0
                    } shouldBe ExitCode.UNSAVED
                }
            said shouldContain "$store/000002: permission denied. Ask its owner for access"
            said shouldNotContain "AccessDeniedException"
        }

        test("no restart is promised from a save that others have removed") {
            val store = directory.resolve("emptied")
            var isClosed = false
            val files =
                object : ForwardingStore(FileBlockStore()) {
                    override fun onOperation(operation: BlockStore.Operation) {
                        val isNew = isClosed && operation.kind() == BlockStore.Operation.Kind.MAKE_DIRECTORY
                        if (isNew) throw AccessDeniedException("${operation.path()}")
                    }
                }
            val said =
                printedBy {
                    runSimulation("emptied", arrayOf("--dir", "$store", "--every", "1"), files) {
                        for (step in steps(until = 2)) {
                            isClosed = step > 0
                            if (isClosed) store.resolve("000001").toFile().deleteRecursively()
                        }
                    } shouldBe ExitCode.UNSAVED
                }
            said shouldContain "the state at the end is not saved; save 1 of this program is no longer there. a save at"
        }

        test("a program whose store is replaced by an older copy uses no number twice, and logs that") {
            val store = directory.resolve("replaced")
            val copy = directory.resolve("copy")
            val log =
                loggedBy {
                    sums("replaced", "--ranks", "2", "--every", "1", "--keep-last", "9", until = 6) { step ->
                        if (step == 2L) store.toFile().copyRecursively(copy.toFile())
                        if (step == 4L) store.toFile().renameTo(directory.resolve("original").toFile())
                        if (step == 4L) copy.toFile().renameTo(store.toFile())
                    }.first shouldBe ExitCode.FINISHED
                }
            log.single { "should be 4" in it } shouldBe
                "WARNING: $store: the newest save should be 4, which this program has made or restored, but the " +
                "highest number is 2: saves were deleted, or the directory was replaced by an older copy. " +
                "The program continues with save 5."
            sums("replaced", until = 8).second shouldBe listOf(6L, 7L)
        }

        test("a program whose store is moved away ends with a message about that") {
            val store = directory.resolve("moved")
            lateinit var said: String
            val log =
                loggedBy {
                    said =
                        printedBy {
                            sums("moved", "--ranks", "2", "--every", "1") { step ->
                                if (step == 4L) store.toFile().renameTo(directory.resolve("elsewhere").toFile())
                            }.first shouldBe ExitCode.REFUSED
                        }
                }
            log.none { "a restart continues" in it && "failed" in it } shouldBe true
            log.filter { "there is no checkpoint any more, because a save at step 5 failed" in it }.shouldNotBeEmpty()
            said shouldContain "but the directory no longer exists: it was moved away or deleted."
        }

        test("so does one whose store is replaced by a file") {
            val store = directory.resolve("covered")
            val said =
                printedBy {
                    sums("covered", "--ranks", "2", "--every", "1") { step ->
                        if (step == 4L) {
                            store.toFile().renameTo(directory.resolve("beside").toFile())
                            store.toFile().createNewFile()
                        }
                    }.first shouldBe ExitCode.REFUSED
                }
            said shouldContain "but the directory no longer exists: it was moved away or deleted."
        }

        test("a program whose store is replaced by another directory says so, and writes nothing there") {
            val store = directory.resolve("exchanged")
            lateinit var said: String
            val log =
                loggedBy {
                    said =
                        printedBy {
                            sums("exchanged", "--ranks", "2", "--every", "1") { step ->
                                if (step == 4L) store.toFile().renameTo(directory.resolve("put away").toFile())
                                if (step == 4L) store.toFile().mkdir()
                            }.first shouldBe ExitCode.REFUSED
                        }
                }
            log.none { "a restart continues" in it && "failed" in it } shouldBe true
            log
                .filter { "save 4 of this program is no longer there, because a save at step 5 failed" in it }
                .shouldNotBeEmpty()
            said shouldContain
                "but has no owner and no lock: the directory was replaced by another one, or its files were deleted."
            store
                .toFile()
                .list()
                .orEmpty()
                .shouldBeEmpty()
        }

        test("wrong arguments, state declared late and damage have their exit codes or sentences") {
            runSimulation("x", arrayOf("--rank", "3")) {} shouldBe ExitCode.REFUSED
            runSimulation("x", arrayOf("--ranks", "0")) {} shouldBe ExitCode.REFUSED
            shouldThrow<Exception> {
                runSimulation("late", arrayOf("--dir", "${directory.resolve("late")}")) {
                    for (step in steps(until = 2)) {
                        val late by replicated(step)
                        late
                    }
                }
            }
            sums("damaged", "--every", "5")
            for (number in listOf("000001", "000002")) {
                directory.resolve("damaged/$number/manifest.json").writeText("{}")
            }
            sums("damaged").first shouldBe ExitCode.DAMAGED
            sums("newer", "--every", "5")
            val newest = directory.resolve("newer/000002/manifest.json")
            rewriteManifest(FileBlockStore(), newest) { it.replace("\"2.0\"", "\"3.0\"") }
            sums("newer") shouldBe (ExitCode.REFUSED to emptyList())
            // The store was released, so another program can begin there.
            sums("damaged", "--fresh").first shouldBe ExitCode.FINISHED
        }
    })
