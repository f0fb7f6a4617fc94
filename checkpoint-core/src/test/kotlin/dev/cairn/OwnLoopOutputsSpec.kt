package dev.cairn

import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.event.CheckpointException.NotSaved
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.ExitCode
import dev.cairn.event.SaveOutcome
import dev.cairn.event.shouldThrowFor
import dev.cairn.house.Campaign
import dev.cairn.item.OutputWriter
import dev.cairn.java.BlockingSoloCheckpoints
import dev.cairn.options.CheckpointOptions
import dev.cairn.proof.log.loggedBy
import dev.cairn.proof.log.quietly
import dev.cairn.proof.output.FailingText
import dev.cairn.proof.output.HaltingLog
import dev.cairn.proof.output.haltIn
import dev.cairn.proof.output.zcat
import dev.cairn.ranks.ranks
import dev.cairn.run.FailureReport
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.kotest.matchers.string.shouldStartWith
import io.kotest.matchers.types.shouldBeInstanceOf
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import java.util.logging.Handler
import java.util.logging.LogRecord
import java.util.logging.Logger
import kotlin.concurrent.thread
import kotlin.io.path.createDirectory
import kotlin.io.path.deleteExisting
import kotlin.io.path.exists
import kotlin.io.path.readBytes
import kotlin.io.path.readLines
import kotlin.io.path.readText
import kotlin.io.path.writeText
import kotlin.random.Random

/** Outputs that Cairn opens for programs with a loop of their own. */
class OwnLoopOutputsSpec :
    FunSpec({
        quietly()
        val directory = tempdir().toPath()
        var count = 0

        // Step 10 comes first: in it the program has flushed since its last save.
        val halts = Campaign.KILLS.firstOf(listOf(10L, 1, 19)).sorted()

        fun newDirectory(): Path = directory.resolve("run${count++}").createDirectory()

        test("a program that logs by all ways and is killed ends with the file of an unbroken one") {
            val unbroken = HaltingLog(newDirectory(), isCompressed = false).apply { run(NEVER) }
            unbroken.file.readText() shouldStartWith "a heading\nof two lines\nstep 0\n"
            val broken = HaltingLog(newDirectory(), isCompressed = false)
            for (halting in halts) haltIn(halting, broken.file.parent, false) shouldBe HaltingLog.HALTED
            broken.run(NEVER)
            broken.file.readText() shouldBe unbroken.file.readText()
        }

        test(
            "zcat reads a compressed output after each save, and after kills within a member all that an unbroken run wrote",
        ) {
            val plain = HaltingLog(newDirectory(), isCompressed = false)
            val seen = mutableListOf<String>()
            plain.run(NEVER) { seen += plain.file.readText() }
            val unbroken = HaltingLog(newDirectory(), isCompressed = true)
            val read = mutableListOf<String>()
            unbroken.run(NEVER) { read += zcat(unbroken.file) }
            read shouldBe seen
            val broken = HaltingLog(newDirectory(), isCompressed = true)
            for (halting in halts) {
                haltIn(halting, broken.file.parent, true) shouldBe HaltingLog.HALTED
                // The program has flushed within the last member.
                if (halting == 10L) shouldThrow<IOException> { zcat(broken.file) }
            }
            broken.run(NEVER)
            zcat(broken.file) shouldBe plain.file.readText()
            broken.file.readBytes().toList() shouldBe unbroken.file.readBytes().toList()
        }

        test("a compressed output is declared as one before the first byte") {
            val file = newDirectory().resolve("log.gz")
            SoloCheckpoints
                .open(file.resolveSibling("store")) {
                    val log = output("log", file)
                    log.line("plain")
                    shouldThrow<IllegalStateException> { log.gzip() }.message shouldBe
                        "$file: the output is to be compressed, but bytes were appended to it before, or the run has " +
                        "begun: call gzip() where the output is declared"
                }.use { it.restore() }
        }

        test("a restart that adds gzip() or leaves it out is refused on all ranks, and the file stays") {
            for (isCompressed in listOf(false, true)) {
                val file = newDirectory().resolve("log")

                suspend fun run(isCompressed: Boolean, work: suspend (Checkpoints, Output) -> Unit) =
                    ranks(2) {
                        lateinit var log: Output
                        checkpoints(file.resolveSibling("store")) {
                            log = output("log", file)
                            if (isCompressed) log.gzip()
                        }.use { work(it, log) }
                    }
                run(isCompressed) { checkpoints, log ->
                    checkpoints.restore()
                    log.line("one")
                    checkpoints.save(1)
                }
                val before = file.readBytes().toList()
                val (then, now) = if (isCompressed) "with" to "without" else "without" to "with"
                run(!isCompressed) { checkpoints, _ ->
                    val refused = shouldThrow<CheckpointException.Mismatch> { checkpoints.restore() }
                    refused.message shouldBe
                        "$file: save 1 was made with the output 'log' $then gzip(), and the program declares it $now " +
                        "gzip(), so no one could read the file after that. Nothing was cut: declare it as it was, or " +
                        "give the output another name and another file, and declare removed(\"log\")."
                    FailureReport.codeOf(refused) shouldBe ExitCode.REFUSED
                }
                file.readBytes().toList() shouldBe before
                run(isCompressed) { checkpoints, _ -> checkpoints.restore().shouldNotBeNull() }
            }
        }

        test("bytes of a stream wait for 64 KiB, a flush, a line, a save or the end") {
            val file = newDirectory().resolve("log.txt")
            val run = Logging(file)
            run.open().use {
                it.restore()
                val stream = run.log.stream()
                var length = 0

                fun written(more: Int, act: () -> Unit) {
                    act()
                    length += more
                    file.readBytes().size shouldBe length
                }
                written(0) { stream.write(ByteArray(10)) }
                written(10) { stream.flush() }
                written(0) { stream.write(ByteArray(10)) }
                written(12) { run.log.line("x") }
                written(0) { stream.write(ByteArray(10)) }
                it.save(1)
                written(10) { }
                written(0) { stream.write(ByteArray(64 shl 10)) }
                written((64 shl 10) + 1) { stream.write(7) }
                written(0) { run.log.writer().print("the last word") }
            }
            file.readText().takeLast(13) shouldBe "the last word"
        }

        test("a compressed output that is moved away while a member is open is two files that can be read") {
            val file = newDirectory().resolve("log.gz")
            val run = Logging(file, isCompressed = true)
            run.open().use {
                it.restore()
                run.log.line("one")
                it.save(1)
                run.log.line("two")
                Files.move(file, file.resolveSibling("moved.gz"))
                run.log.line("three")
                it.save(2)
                run.log.line("four")
            }
            zcat(file.resolveSibling("moved.gz")) shouldBe "one\ntwo\nthree\n"
            zcat(file) shouldBe "four\n"
        }

        test("a handler of the log may append to the output of which the log speaks, by another thread") {
            val file = newDirectory().resolve("log.txt")
            val run = Logging(file)
            val handler =
                object : Handler() {
                    override fun publish(record: LogRecord) = thread { run.log.line("said") }.join()

                    override fun flush() = Unit

                    override fun close() = Unit
                }
            val logger = Logger.getLogger(OutputWriter::class.java.name)
            run.open().use {
                it.restore()
                run.log.line("one")
                Files.move(file, file.resolveSibling("moved.txt"))
                logger.addHandler(handler)
                try {
                    it.save(1)
                } finally {
                    logger.removeHandler(handler)
                }
            }
            file.readText() shouldBe "said\n"
        }

        test("a closed stream ends alone, and after the checkpoints none appends") {
            val file = newDirectory().resolve("log.txt")
            val run = Logging(file)
            run.open().use {
                it.restore()
                val (one, other) = run.log.stream() to run.log.stream()
                one.write("one\n".encodeToByteArray())
                one.close()
                file.readText() shouldBe "one\n"
                shouldThrow<IOException> { one.write(1) }.message shouldBe
                    "$file: this stream of the output is closed: ask the output for another one"
                other.write("other\n".encodeToByteArray())
            }
            file.readText() shouldBe "one\nother\n"
            shouldThrow<IOException> { run.log.stream().write(1) }.message shouldContain "has ended with its run"
        }

        test("what is printed after the checkpoints are closed is in no file, and the log says so once") {
            val file = newDirectory().resolve("log.txt")
            val run = Logging(file)
            run.open().use { it.restore() }
            val printed = run.log.printStream()
            loggedBy { repeat(2) { printed.println("the result") } } shouldBe
                listOf(
                    "WARNING: $file: the output has ended with its run, so these bytes were not appended to the " +
                        "file. Append before the checkpoints are closed.",
                )
            file.readText() shouldBe ""
        }

        test("a heading is not lost by a restore that could not begin the file") {
            val file = newDirectory().resolve("missing").resolve("log.txt")
            lateinit var log: Output
            SoloCheckpoints.open(file.parent.resolveSibling("store")) { log = output("log", file) }.use {
                log.line("a heading")
                shouldThrowFor<CheckpointException.Unreadable>(Reason.OUTPUT) { it.restore() }
                file.parent.createDirectory()
                it.restore()
                log.line("a line")
            }
            file.readText() shouldBe "a heading\na line\n"
        }

        test("a text may come in halves of a character") {
            val file = newDirectory().resolve("log.txt")
            val run = Logging(file)
            run.open().use {
                it.restore()
                val text = run.log.writer()
                "\uD83D\uDE00é\n".forEach { character -> text.print(character) }
            }
            file.readText() shouldBe "\uD83D\uDE00é\n"
        }

        test("several threads append whole pieces") {
            val file = newDirectory().resolve("log.txt")
            val run = Logging(file)
            val lines = List(4) { t -> List(500) { "thread $t line $it" } }
            run.open().use {
                it.restore()
                val threads =
                    lines.mapIndexed { t, own ->
                        val stream = run.log.stream()
                        thread {
                            for (line in own) {
                                if (t == 0) run.log.line(line) else stream.write("$line\n".encodeToByteArray())
                            }
                        }
                    }
                threads.forEach(Thread::join)
            }
            file.readLines().sorted() shouldBe lines.flatten().sorted()
        }

        test("only rank 0 writes") {
            val file = newDirectory().resolve("log.txt")
            ranks(3) {
                lateinit var log: Output
                checkpoints(file.resolveSibling("store")) { log = output("log", file).gzip() }.use {
                    it.restore()
                    log.printStream().println("rank $rank")
                    it.save(1)
                }
            }
            zcat(file) shouldBe "rank 0\n"
        }

        test("a program that never restores begins its output at the first save or saveIfDue") {
            for (begin in listOf<suspend (SoloCheckpoints) -> Unit>({ it.save(1) }, { it.saveIfDue(1, 9) })) {
                val file = newDirectory().resolve("log.txt")
                file.writeText("of another run\n")
                val run = Logging(file)
                run.open().use {
                    run.log.line("before")
                    file.readText() shouldBe "of another run\n"
                    begin(it)
                    run.log.line("after")
                }
                file.readText() shouldBe "before\nafter\n"
                file.resolveSibling("log.txt.1").readText() shouldBe "of another run\n"
            }
        }

        test("a program that neither restores nor saves is refused at its end, and its lines are in no file") {
            val file = newDirectory().resolve("log.txt")
            val run = Logging(file)
            for (end in listOf<
                suspend (
                    SoloCheckpoints,
                ) -> Unit,
            >({ it.close() }, { it.use {} }, { it.checkpoints.use {} })) {
                val opened = run.open()
                run.log.line("before")
                shouldThrow<InvalidDeclaration> { end(opened) }.message shouldStartWith
                    "$file: 7 bytes that the program appended are not in the file, since it has neither restored nor saved"
                file.exists() shouldBe false
            }
        }

        test("a restore that comes after saveIfDue is refused as such") {
            val file = newDirectory().resolve("log.txt")
            val run = Logging(file)
            run.open().use { it.save(1) }
            val opened = run.open()
            opened.saveIfDue(0, 9)
            shouldThrow<InvalidDeclaration> { opened.restore() }.message shouldContain
                "restore() comes after saveIfDue(), which has begun a new run"
            opened.checkpoints.close()
        }

        test("a second restore is refused in a run that has begun anew, until it has saved") {
            for (options in listOf(CheckpointOptions { fresh = true }, CheckpointOptions())) {
                val file = newDirectory().resolve("log.txt")
                SoloCheckpoints.open(file.resolveSibling("store"), options) { output("log", file) }.use {
                    it.restore() shouldBe 0
                    it.restore() shouldBe 0
                    it.saveIfDue(0) shouldBe true
                    it.saveIfDue(1) shouldBe true
                    shouldThrow<InvalidDeclaration> { it.restore() }.message shouldContain
                        "restore() has found no checkpoint, and the run that began then has not saved yet"
                    it.save(2)
                    it.saveIfDue(3) shouldBe true
                    it.restore() shouldBe 2
                }
            }
        }

        test("the last word of a program that ends on a full disk is not that bytes still wait") {
            for (isCompressed in listOf(false, true)) {
                for (failsBefore in listOf("the last save", "the end", "too many bytes")) {
                    val file = newDirectory().resolve("log.txt")
                    val disk = FailingText()
                    val run = Logging(file, disk, isCompressed)
                    val log =
                        loggedBy {
                            shouldThrow<NotSaved> {
                                run.open().use {
                                    it.restore()
                                    it.save(1)
                                    if (failsBefore != "the end") disk.isFailing = true
                                    run.log.line("lost")
                                    val print = run.log.printStream()
                                    if (failsBefore == "too many bytes") {
                                        repeat(3) { print.write(Random(it).nextBytes(OutputWriter.MOST_HELD / 2)) }
                                    }
                                    it.saveIfDue(2, 2)
                                    disk.isFailing = true
                                    print.println("lost, too")
                                }
                            }
                        }
                    withClue("$isCompressed, $failsBefore") {
                        log.last { it.startsWith("WARNING") } shouldNotContain "wait in memory"
                    }
                }
            }
        }

        test("a full disk costs a save, and no line") {
            for (isCompressed in listOf(false, true)) {
                val file = newDirectory().resolve("log.txt")
                val disk = FailingText()
                val run = Logging(file, disk, isCompressed)
                val opened = run.open()
                opened.use {
                    it.restore()
                    val print = run.log.printStream()
                    print.println("one")
                    it.save(1)
                    disk.isFailing = true
                    print.println("two")
                    print.flush()
                    print.checkError() shouldBe false
                    it.saveIfDue(2, 2) shouldBe false
                    it.lastSave.shouldBeInstanceOf<SaveOutcome.Failed>().reason shouldContain "no space left"
                    print.println("three")
                    disk.isFailing = false
                    it.save(3)
                }
                opened.exitCode shouldBe ExitCode.FINISHED
                (if (isCompressed) zcat(file) else file.readText()) shouldBe "one\ntwo\nthree\n"
            }
        }

        test("a program that ends on a full disk fails at its end with 74, and says what is missing") {
            for (end in listOf<suspend (SoloCheckpoints) -> Unit>({ it.close() }, { it.use {} })) {
                val file = newDirectory().resolve("log.txt")
                val disk = FailingText()
                val run = Logging(file, disk)
                val opened = run.open()
                opened.restore()
                opened.save(1)
                disk.isFailing = true
                run.log.line("lost")
                val failure = shouldThrow<NotSaved> { end(opened) }
                failure.message shouldBe
                    "${file.resolveSibling(
                        "store",
                    )}: an output is not complete; a restart continues from save 1, step 1. " +
                    "Start the program again, and it writes what is missing. $file: 5 bytes that the program " +
                    "appended are not in the file, because planned: no space left."
                FailureReport.codeOf(failure) shouldBe ExitCode.UNSAVED
                opened.exitCode shouldBe ExitCode.UNSAVED
                disk.isFailing = false
                opened.close() shouldBe ExitCode.UNSAVED
                Logging(file).apply { open().use { it.restore() shouldBe 1 } }
                file.readText() shouldBe ""
            }
        }

        test("of a program that throws on a full disk, the end is suppressed in what was thrown") {
            val file = newDirectory().resolve("log.txt")
            val disk = FailingText()
            lateinit var log: Output
            val thrown =
                shouldThrow<IllegalArgumentException> {
                    BlockingSoloCheckpoints
                        .open(file.resolveSibling("store"), CheckpointOptions(), disk) { log = it.output("log", file) }
                        .use {
                            it.restore()
                            disk.isFailing = true
                            log.line("lost")
                            throw IllegalArgumentException("no more fuel")
                        }
                }
            thrown.suppressed.single().message shouldContain
                "an output is not complete; there is no checkpoint of this run yet"
        }

        test("on a full disk, ranks with a loop of their own learn at the end that lines are missing") {
            val file = newDirectory().resolve("log.txt")
            val disk = FailingText()
            ranks(2) {
                lateinit var log: Output
                shouldThrow<NotSaved> {
                    checkpoints(file.resolveSibling("store"), files = disk) { log = output("log", file) }.use {
                        it.restore()
                        disk.isFailing = true
                        log.line("lost")
                    }
                }.message shouldContain "$file: 5 bytes that the program appended are not in the file"
            }
        }

        for (isCompressed in listOf(false, true)) {
            test(
                "bytes that a print stream kept refused to itself end the program for good: compressed = $isCompressed",
            ) {
                val file = newDirectory().resolve("log.txt")
                val disk = FailingText()
                val run = Logging(file, disk, isCompressed)
                val failure =
                    shouldThrowFor<CheckpointException.NotSaved>(Reason.LOST_CELLS) {
                        run.open().use {
                            it.restore()
                            val print = run.log.printStream()
                            print.println("kept")
                            it.save(1)
                            disk.isFailing = true
                            val noise = ByteArray(1 shl 20).also { bytes -> kotlin.random.Random(1).nextBytes(bytes) }
                            repeat(18) { print.write(noise) }
                            disk.isFailing = false
                            print.println("after the hole")
                            print.checkError() shouldBe true
                            shouldThrow<IOException> { run.log.line("no") }
                            shouldThrowFor<CheckpointException.NotSaved>(Reason.LOST_CELLS) { it.save(2) }
                            shouldThrowFor<CheckpointException.NotSaved>(Reason.LOST_CELLS) { it.saveIfDue(3, 3) }
                        }
                    }
                failure.message shouldContain
                    Regex("^\\Q$file\\E: \\d+ bytes that the program appended were refused, since ")
                FailureReport.codeOf(failure) shouldBe ExitCode.UNSAVED
                val again = Logging(file, FileBlockStore(), isCompressed)
                again.open().use { it.restore() shouldBe 1 }
                (if (isCompressed) zcat(file) else file.readText()) shouldBe "kept\n"
            }
        }

        test("a file that a program opens itself, and one that Cairn opens, take each other's checkpoints") {
            val file = newDirectory().resolve("log.txt")
            val store = file.resolveSibling("store")
            val run = Logging(file)
            run.open().use {
                it.restore()
                run.log.line("one")
                it.save(1)
            }
            SoloCheckpoints.open(store) { appendedFile("log", file) }.use {
                it.restore() shouldBe 1
                file.toFile().appendText("two\n")
                it.save(2)
                file.toFile().appendText("lost\n")
            }
            val last = Logging(file)
            last.open().use {
                it.restore() shouldBe 2
                last.log.line("three")
            }
            file.readText() shouldBe "one\ntwo\nthree\n"
        }

        test("a file of the program that does not begin with what it had before fails saves until it does") {
            val harms =
                mapOf<String, (Path) -> Unit>(
                    "is gone" to { it.deleteExisting() },
                    "has only 4" to { it.writeText("new\n") },
                    "has other bytes before that length" to { it.writeText("another beginning\n") },
                )
            for ((found, harm) in harms) {
                for (isAtRestore in listOf(true, false)) {
                    withClue(
                        "$found, $isAtRestore",
                    ) { refuseHarm(newDirectory().resolve("log.txt"), isAtRestore, harm, found) }
                }
            }
        }

        test("the missing directory of a file that the program opens is refused at the start") {
            val file = newDirectory().resolve("missing").resolve("log.txt")
            val failure =
                shouldThrowFor<CheckpointException.Unreadable>(Reason.OUTPUT) {
                    SoloCheckpoints
                        .open(
                            file.parent.resolveSibling("store"),
                        ) { appendedFile("log", file) }
                        .use { it.restore() }
                }
            failure.message shouldBe
                "$file: the output 'log' should begin here, but its directory does not exist. Name another file, or " +
                "correct that, and start again."
            FailureReport.codeOf(failure) shouldBe ExitCode.UNREADABLE
        }
    })

private const val NEVER = Long.MAX_VALUE

/** A program that does [harm] to its own file, after a restore or after a save, saves only when it has its bytes back. */
private suspend fun refuseHarm(file: Path, isAtRestore: Boolean, harm: (Path) -> Unit, found: String) {
    val store = file.resolveSibling("store")
    if (isAtRestore) {
        SoloCheckpoints.open(store) { appendedFile("log", file) }.use {
            it.restore()
            file.writeText("one\ntwo\n")
            it.save(1)
        }
    }
    SoloCheckpoints.open(store) { appendedFile("log", file) }.use {
        it.restore()
        if (!isAtRestore) {
            file.writeText("one\ntwo\n")
            it.save(1)
        }
        harm(file)
        repeat(2) { _ ->
            shouldThrow<NotSaved> { it.save(2) }.message shouldContain
                "$file: the output 'log' should begin with the 8 bytes that it had at the restore or at the save " +
                "before, but it $found: "
        }
        file.writeText("one\ntwo\nthree\n")
        it.save(3)
        it.save(3)
    }
}

/** A program with the output [log]. */
private class Logging(
    private val file: Path,
    private val files: BlockStore = FileBlockStore(),
    private val isCompressed: Boolean = false,
) {
    lateinit var log: Output
        private set

    suspend fun open(): SoloCheckpoints =
        SoloCheckpoints.open(file.resolveSibling("store"), CheckpointOptions(), files) {
            log = output("log", file)
            if (isCompressed) log.gzip()
        }
}
