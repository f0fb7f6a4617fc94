package dev.cairn

import dev.cairn.event.CheckpointEvent
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.event.CheckpointException.Mismatch
import dev.cairn.event.CheckpointException.NotSaved
import dev.cairn.event.ExitCode
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.faces.SoloInJava
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.house.Campaign
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.SettingsSources
import dev.cairn.options.Wait
import dev.cairn.proof.log.loggedBy
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.Codecs
import dev.cairn.state.ElementType
import dev.cairn.store.stopFileOf
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeSameInstanceAs
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import sun.misc.Signal
import sun.misc.SignalHandler
import java.io.IOException
import java.nio.file.Path
import java.util.Random
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.Executors
import java.util.logging.LogRecord
import java.util.logging.Logger
import java.util.logging.StreamHandler
import kotlin.io.path.appendText
import kotlin.io.path.createDirectory
import kotlin.io.path.createFile
import kotlin.io.path.name
import kotlin.io.path.readLines
import kotlin.io.path.readText
import kotlin.time.Duration.Companion.minutes

/** A program that is one process has restart without a word about ranks. */
class SoloCheckpointsSpec :
    FunSpec({
        quietly()
        val directory = tempdir().toPath()
        val files = FileBlockStore()

        for (wait in listOf(Wait.COMMITTED, Wait.COPIED)) {
            test("$wait: a program in Java that fails anywhere ends as an unbroken one, on its own thread") {
                val options = CheckpointOptions { this.wait = wait }.toBuilder().every(3).build()
                val unbroken = SoloInJava()
                unbroken.run(directory.resolve("unbroken-$wait"), options, files, 20, NEVER) shouldBe ExitCode.FINISHED
                unbroken.threads.distinct() shouldBe listOf(Thread.currentThread().name)
                for (failing in Campaign.CRASH_POINTS.someOf((0L until 20).toList())) {
                    val store = directory.resolve("broken-$wait-$failing")
                    shouldThrow<IllegalStateException> { SoloInJava().run(store, options, files, 20, failing) }
                        .message shouldBe "no more fuel in step $failing"
                    val again = SoloInJava()
                    again.run(store, options, files, 20, NEVER) shouldBe ExitCode.FINISHED
                    again.state() shouldBe unbroken.state()
                }
            }
        }

        test("a setting moves the checkpoints of a program of one process") {
            val sources = SettingsSources(mapOf("CAIRN_DIR" to "moved.cairn"), SimulatedDisk().host("here"))
            val nothing = SettingsSources(emptyMap(), SimulatedDisk().host("here"))
            CheckpointOptions().configuredSolo(Path.of("a.cairn"), sources).directory shouldBe Path.of("moved.cairn")
            CheckpointOptions().configuredSolo(Path.of("a.cairn"), nothing).directory shouldBe Path.of("a.cairn")
        }

        test("every kind of state comes back, and a log is cut back to the save") {
            val log = directory.resolve("kinds.log")
            val first = Kinds(log)
            log.createFile()
            first.open(directory.resolve("kinds.cairn")).use {
                it.restore() shouldBe 0
                first.change()
                log.appendText("saved\n")
                it.save(1)
                log.appendText("lost\n")
            }
            val second = Kinds(log)
            second.open(directory.resolve("kinds.cairn")).use { it.restore() shouldBe 1 }
            second.inWords() shouldBe first.inWords()
            second.rebuilt shouldBe 1
            log.readText() shouldBe "saved\n"
        }

        test("a program with ranks takes the checkpoint, and gives one back") {
            val store = directory.resolve("shared.cairn")
            var time = 1.5
            val u = DoubleArray(10) { it * 0.5 }

            suspend fun solo(body: suspend (SoloCheckpoints) -> Unit) =
                SoloCheckpoints
                    .open(store) {
                        value("time", { time }, { time = it })
                        array("u") { u }
                    }.use { body(it) }

            solo { it.save(7) }
            ranks(3) {
                val own = Decomposition.rows(Shape.of(10), size).boxes(rank).single()
                val cells = DoubleArray(own.cellCount().toInt())
                var mine = 0.0
                checkpoints(store) {
                    replicated("time", { mine }, { mine = it })
                    field("u", Shape.of(10), ElementType.DOUBLE) { block(own, cells) }
                }.use {
                    it.restore()?.step shouldBe 7
                    mine shouldBe 1.5
                    cells.toList() shouldBe List(cells.size) { i -> (own.start(0) + i) * 0.5 }
                    for (i in cells.indices) cells[i] += 1.0
                    it.save(8)
                }
            }
            u.fill(0.0)
            solo { it.restore() shouldBe 8 }
            u.toList() shouldBe List(10) { it * 0.5 + 1.0 }
        }

        test("a generator that several ranks saved begins anew with the seed that the refusal asks for") {
            val store = directory.resolve("dice.cairn")
            ranks(2) {
                checkpoints(store) { generator("dice", { Random(1) }, {}) }.use { it.save(1) }
            }

            suspend fun restore(reseed: Long?): Random {
                var dice = Random(1)
                SoloCheckpoints.open(store) { generator("dice", { dice }, { dice = it }, reseed) }.use { it.restore() }
                return dice
            }
            shouldThrow<CheckpointException> { restore(null) }.message!! shouldContain
                "Declare a seed, with which it is seeded anew then"
            (restore(42).nextLong() == Random(1).nextLong()) shouldBe false
        }

        test("suspending, it stays on the caller's dispatcher") {
            val solver = Executors.newSingleThreadExecutor { Thread(it, "solver") }.asCoroutineDispatcher()
            val seen = ConcurrentLinkedQueue<String>()

            fun look() = seen.add(Thread.currentThread().name.substringBefore(" @"))
            solver.use { dispatcher ->
                withContext(dispatcher) {
                    SoloCheckpoints
                        .open(directory.resolve("solver.cairn"), CheckpointOptions { every = 1 }) {
                            value("n", Codecs.LONG, { 1L.also { look() } }, {})
                        }.use {
                            for (step in 1L..3) it.saveIfDue(step).also { look() }
                        }
                    look()
                }
            }
            seen.distinct() shouldBe listOf("solver")
        }

        test("a request to stop ends the loop, and the exit code says that steps are left") {
            val store = directory.resolve("stopped.cairn")
            val events = ConcurrentLinkedQueue<CheckpointEvent>()
            val checkpoints = counting(store, CheckpointOptions { listener { events += it } })
            var step = checkpoints.restore()
            while (checkpoints.saveIfDue(++step)) if (step == 1L) stopFileOf(store).createFile()
            checkpoints.isStopped shouldBe true
            checkpoints.close() shouldBe ExitCode.UNFINISHED
            events.filterIsInstance<SaveOutcome.Saved>().map { it.step } shouldBe listOf(step)
            events.filterIsInstance<CheckpointEvent.Ended>().single().how shouldBe CheckpointEvent.ProgramEnd.STOPPED
            counting(store).use { it.restore() shouldBe step }
        }

        test("a block that is left by return closes, and its last save is committed") {
            val store = directory.resolve("returned.cairn")
            untilStep(3, store) shouldBe 3
            counting(store).use { it.restore() shouldBe 3 }
        }

        test("an array that was empty at the declaration and has grown is refused, and not saved as nothing") {
            var u = DoubleArray(0)
            val checkpoints =
                SoloCheckpoints.open(directory.resolve("grown.cairn")) {
                    array("u") { u }
                    beforeSave { if (u.isNotEmpty()) u[0] += 1.0 }
                }
            checkpoints.save(1)
            u = doubleArrayOf(1.0, 2.0, 3.0)
            shouldThrow<InvalidDeclaration> { checkpoints.save(2) }.message shouldContain
                "the array 'u' has 3 elements, but had none when the checkpoints were opened"
            shouldThrow<InvalidDeclaration> { checkpoints.saveIfDue(2, until = 2) }
            shouldThrow<NotSaved> { checkpoints.close() }.message shouldContain
                "the last save is not committed; a restart continues from save 1, step 1. "
        }

        test("a copy of an array is refused when it is declared, since a restore would fill the copy") {
            val u = longArrayOf(1, 2)
            shouldThrow<InvalidDeclaration> {
                SoloCheckpoints.open(directory.resolve("copy.cairn")) { array("u") { u.copyOf() } }
            }.message shouldContain "the array 'u' is a new one at each call"
        }

        test("a checkpoint of a phase is refused, since the program has none") {
            val store = directory.resolve("phase.cairn")
            ranks(1) {
                checkpoints(store) {
                    replicated("n", Codecs.LONG, { 1L }, {})
                    parameter("size", 1)
                }.use { it.save(3, "warm up") }
            }
            var isChanged = false
            SoloCheckpoints
                .open(store) {
                    value("n", Codecs.LONG, { 2L }, { isChanged = true })
                    parameter("size", 1)
                }.use {
                    shouldThrow<Mismatch> { it.restore() }.message shouldContain
                        "save 1 was made in the loop of the phase 'warm up'"
                }
            isChanged shouldBe false
        }

        test("a program that only saves leaves signals alone") {
            val own = SignalHandler { }
            val former = Signal.handle(TERM, own)
            try {
                counting(directory.resolve("saves.cairn")).use {
                    it.save(1)
                    Signal.handle(TERM, own) shouldBe own
                }
            } finally {
                Signal.handle(TERM, former)
            }
        }

        test("what the program's own code throws comes out as it was thrown") {
            val thrown = IOException("the sensor is gone")
            val declared = shouldThrow<IOException> { SoloCheckpoints.open(directory.resolve("d")) { throw thrown } }
            declared shouldBeSameInstanceAs thrown
            val checkpoints =
                SoloCheckpoints.open(
                    directory.resolve("thrown.cairn"),
                ) { value("n", Codecs.LONG, { throw thrown }, {}) }
            shouldThrow<IOException> { checkpoints.save(1) } shouldBeSameInstanceAs thrown
            shouldThrow<IOException> { checkpoints.saveIfDue(1, until = 1) } shouldBeSameInstanceAs thrown
            shouldThrow<NotSaved> { checkpoints.close() }
            counting(directory.resolve("setter.cairn")).use { it.save(1) }
            SoloCheckpoints
                .open(directory.resolve("setter.cairn")) {
                    value("n", Codecs.LONG, { 1L }, { throw thrown })
                    parameter("size", 1)
                }.use { shouldThrow<IOException> { it.restore() } shouldBeSameInstanceAs thrown }
        }

        test("the documentation and the names of its types know no ranks") {
            val sources =
                listOf("SoloCheckpoints", "SoloState", "java/BlockingSoloCheckpoints").map {
                    Path.of("src/main/kotlin/dev/cairn/$it.kt").readText()
                }
            for (source in sources) {
                KDOC
                    .findAll(source)
                    .filter { it.groupValues[2].startsWith("public") || it.groupValues[2].startsWith("override") }
                    .map { it.value }
                    .filter { WORDS_OF_RANKS.containsMatchIn(it) }
                    .toList()
                    .shouldBeEmpty()
            }
            val faces = Path.of("api/checkpoint-core.txt").readLines()
            for (type in listOf("SoloCheckpoints", "SoloState", "BlockingSoloCheckpoints")) {
                val start = faces.indexOfFirst { it.startsWith("public final class $type") }
                withClue(type) { (start >= 0) shouldBe true }
                val face = faces.drop(start).takeWhile { it.isNotBlank() }
                face.filter { WORDS_OF_RANKS.containsMatchIn(it) }.shouldBeEmpty()
            }
        }

        test("a program that holds at a step has saved it, and does nothing more") {
            val files = SimulatedDisk().host("here")
            val held = CompletableDeferred<Unit>()
            val options =
                CheckpointOptions { listener { if (it is Saved) held.complete(Unit) } }
                    .configured(SettingsSources(mapOf("CAIRN_HOLD_AT" to "3"), files))
            var done = 0L
            val program =
                launch {
                    SoloCheckpoints
                        .open(Path.of("held.cairn"), options, files) { value("done", { done }, { done = it }) }
                        .use { while (it.saveIfDue(done, until = 10)) done++ }
                }
            held.await()
            program.cancelAndJoin()
            done shouldBe 3
        }

        test("a restart looks once for all outputs at what the saves cover of them") {
            val opens =
                listOf(1, 3).map { outputCount ->
                    val run = directory.resolve("outputs$outputCount").createDirectory()
                    val outputs = List(outputCount) { run.resolve("$it.txt") }
                    var openCount = 0
                    val files =
                        object : ForwardingStore(FileBlockStore()) {
                            override fun onOperation(operation: BlockStore.Operation) {
                                val isOpened = operation.kind() == BlockStore.Operation.Kind.OPEN
                                if (isOpened && operation.path().endsWith("000001/data.sion")) openCount++
                            }
                        }

                    suspend fun started(program: suspend (SoloCheckpoints) -> Unit) =
                        SoloCheckpoints
                            .open(run.resolve("run.cairn"), files = files) {
                                value("n", { 1L }, {})
                                outputs.forEach { output(it.name, it).line("a line") }
                            }.use { program(it) }
                    started { (1L..2).forEach { step -> it.save(step) } }
                    outputs.forEach { it.appendText("more\n") }
                    openCount = 0
                    started { it.restore() shouldBe 2 }
                    openCount
                }
            opens[0] shouldBeGreaterThan 0
            opens[1] shouldBe opens[0]
        }

        test("a program whose loop ends before the step of its hold says so") {
            val files = SimulatedDisk().host("here")
            val options = CheckpointOptions().configured(SettingsSources(mapOf("CAIRN_HOLD_AT" to "11"), files))
            var done = 0L
            val log =
                loggedBy {
                    SoloCheckpoints
                        .open(Path.of("unheld.cairn"), options, files) { value("done", { done }, { done = it }) }
                        .use { while (it.saveIfDue(done, until = 10)) done++ }
                }
            log.single { "hold-at" in it } shouldBe
                "WARNING: unheld.cairn: hold-at is 11, but this loop ends after step 10, so the program does not " +
                "wait in it to be killed. Set hold-at to a step of the loop."
        }

        test("a program whose save before the hold fails goes on, and does not try again at each step") {
            var failed = 0
            val options =
                CheckpointOptions { listener { if (it is SaveOutcome.Failed) failed++ } }
                    .configured(SettingsSources(mapOf("CAIRN_HOLD_AT" to "3"), FileBlockStore()))
            var done = 0L
            runCatching {
                SoloCheckpoints
                    .open(directory.resolve("unheld.cairn"), options, FullDisk()) { value("n", { 1L }, {}) }
                    .use { while (it.saveIfDue(done, until = 10)) done++ }
            }
            done shouldBe 10
            // Twice at the hold, and twice at the end.
            failed shouldBe 4
        }

        test(
            "a program that holds leaves signals to the handlers before it, and holds after steps that it leaves out",
        ) {
            val files = FileBlockStore()
            val asked = CompletableDeferred<Unit>()
            val former = Signal.handle(TERM) { asked.complete(Unit) }
            val held = CompletableDeferred<Unit>()
            val log = Logger.getLogger(Simulation::class.java.name)
            val watch =
                object : StreamHandler() {
                    override fun publish(record: LogRecord) {
                        if (record.message ==
                            "hold-at: the program waits after step 4 to be killed"
                        ) {
                            held.complete(Unit)
                        }
                    }
                }
            log.addHandler(watch)
            try {
                val options = CheckpointOptions().configured(SettingsSources(mapOf("CAIRN_HOLD_AT" to "3"), files))
                var done = 0L
                val program =
                    launch {
                        SoloCheckpoints
                            .open(
                                directory.resolve("left.cairn"),
                                options,
                                files,
                            ) { value("done", { done }, { done = it }) }
                            .use { while (it.saveIfDue(done, until = 10)) done += 2 }
                        held.completeExceptionally(AssertionError("it has not waited"))
                    }
                held.await()
                Signal.raise(TERM)
                withTimeout(1.minutes) { asked.await() }
                program.cancelAndJoin()
            } finally {
                log.removeHandler(watch)
                Signal.handle(TERM, former)
            }
        }
    })

private const val NEVER = -1L

private val TERM = Signal("TERM")

private suspend fun untilStep(last: Long, store: Path): Long {
    val options =
        CheckpointOptions {
            every = 1
            wait = Wait.COPIED
        }
    counting(store, options).use {
        for (step in 1L..9) {
            it.saveIfDue(step)
            if (step == last) return step
        }
    }
    return 0
}

internal val WORDS_OF_RANKS = Regex("(?i)rank|communicator|host0|abandoned")

/** A comment, and the line after it. */
private val KDOC = Regex("""/\*\*(.*?)\*/\s*(?:@\w+(?:\([^)]*\))?\s*)*([^\n]*)""", RegexOption.DOT_MATCHES_ALL)

internal suspend fun counting(
    store: Path,
    options: CheckpointOptions = CheckpointOptions(),
    n: Int = 1,
): SoloCheckpoints =
    SoloCheckpoints.open(store, options) {
        value("n", Codecs.LONG, { 1L }, {})
        parameter("size", n)
    }

private class Kinds(private val log: Path) {
    private var time = 0.5
    private var names = listOf("a", "b")
    private val flags = booleanArrayOf(true, false)
    private val grid = FloatArray(6) { it * 1f }
    private val none = IntArray(0)
    private var ids = longArrayOf(3, 1)
    private var text = "old"
    private var bytes = byteArrayOf(1)
    var rebuilt = 0
        private set

    suspend fun open(store: Path): SoloCheckpoints =
        SoloCheckpoints.open(store) {
            value("time", { time }, { time = it })
            value("names", { names }, { names = it })
            array("flags") { flags }
            array("grid", Shape.of(2, 3)) { grid }
            array("none") { none }
            table("rows") { column("id", { ids }, { ids = it }) }
            stream("text", Codecs.textStream<String>({ out, it -> out.write(it) }, { it.readText() }), { text }, {
                text =
                    it
            })
            stream("bytes", { it.write(bytes) }, { bytes = it.readBytes() })
            appendedFile("log", log)
            parameter("model", "decay")
            afterRestore { rebuilt++ }
        }

    fun change() {
        time = 1.25
        names = listOf("c")
        flags[1] = true
        grid[4] = 7.5f
        ids = longArrayOf(9, 8, 7)
        text = "new"
        bytes = byteArrayOf(4, 5, 6)
    }

    fun inWords() = "$time $names ${flags.toList()} ${grid.toList()} ${ids.toList()} $text ${bytes.toList()}"
}
