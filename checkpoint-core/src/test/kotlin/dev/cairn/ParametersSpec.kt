package dev.cairn

import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.event.ExitCode
import dev.cairn.house.Campaign
import dev.cairn.java.BlockingSimulation
import dev.cairn.proof.log.loggedBy
import dev.cairn.proof.log.printedBy
import dev.cairn.ranks.ranks
import dev.cairn.reading.StoredCheckpoints
import dev.cairn.reading.StoredSave
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.Parameter
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import kotlinx.serialization.SerializationException
import java.nio.file.Path
import kotlin.random.Random

/** A program that is started with other parameters does not take the checkpoint of another run for its own. */
class ParametersSpec :
    FunSpec({
        test("a program with other parameters does not end with the result of another run") {
            for (rankCount in listOf("1", "3")) {
                val flock = Flock(SimulatedDisk().host("node"))
                flock.run(3_000, "--ranks", "2") shouldBe Ended(ExitCode.FINISHED, 30_000)
                val said =
                    printedBy { flock.run(1_000, "--ranks", rankCount) shouldBe Ended(ExitCode.REFUSED, null) }
                said shouldContain
                    "flock: save 1 was made with the parameter 'agents' = 3000, but the program was started with " +
                    "1000: to continue that run, start with 3000; to begin another one, use another directory, or " +
                    "the setting fresh = true; to let the value change within a run, declare " +
                    "allowChange(\"agents\").\n"
                flock.run(3_000, "--ranks", rankCount) shouldBe Ended(ExitCode.FINISHED, 30_000)
            }
        }

        test("all parameters that differ are named at once") {
            val flock = Flock(SimulatedDisk().host("node"))

            fun windy(wind: Int, food: String): Simulation.() -> Unit =
                {
                    parameter("wind", wind)
                    parameter("food", food)
                    parameter("sun", true)
                }
            flock.run(3_000, more = windy(5, "fish"))
            val said = printedBy { flock.run(1_000, more = windy(6, "flies")).code shouldBe ExitCode.REFUSED }
            said shouldContain "to continue that run, start with 3000; "
            said shouldContain
                "declare allowChange(\"agents\"). Others differ, too: 'wind' = 5, now 6, 'food' = \"fish\", now \"flies\".\n"
        }

        test("the ways out lead out") {
            val flock = Flock(SimulatedDisk().host("node"))
            flock.run(3_000, "--every", "4", "--keep-last", "9")
            flock.run(1_000, "--dir", "other.cairn") shouldBe Ended(ExitCode.FINISHED, 10_000)
            flock.run(1_000, "--fresh", "--keep-last", "9") shouldBe Ended(ExitCode.FINISHED, 10_000)
            flock.run(1_000) shouldBe Ended(ExitCode.FINISHED, 10_000)
            flock.run(3_000).code shouldBe ExitCode.REFUSED
            printedBy { flock.run(1_000, "--from", "1").code shouldBe ExitCode.REFUSED } shouldContain
                "flock: save 1 was made with the parameter 'agents' = 3000, but the program was started with 1000: "
            flock.run(3_000, "--from", "1") shouldBe Ended(ExitCode.FINISHED, 30_000)
        }

        test("a run that is begun afresh and ends before its first save leaves the earlier run to its own parameters") {
            val flock = Flock(SimulatedDisk().host("node"))
            flock.run(3_000)
            shouldThrow<Exception> { flock.run(1_000, "--fresh") { error("killed") } }
            flock.run(1_000).code shouldBe ExitCode.REFUSED
            flock.run(3_000) shouldBe Ended(ExitCode.FINISHED, 30_000)
        }

        test("a change that the program allows is logged, and counts from the next save on") {
            val flock = Flock(SimulatedDisk().host("node"))
            val allowing: Simulation.() -> Unit = { allowChange("agents") }
            flock.run(3_000, until = 5)
            val log =
                loggedBy {
                    flock.run(1_000, until = 10, more = allowing) shouldBe Ended(ExitCode.FINISHED, 20_000)
                }
            log.filter { "agents" in it } shouldBe
                listOf("INFO: the parameter 'agents' = 3000 of save 1 is now 1000, which the program allows.")
            flock.run(3_000, until = 10).code shouldBe ExitCode.REFUSED
            flock.run(1_000, until = 10) shouldBe Ended(ExitCode.FINISHED, 20_000)
        }

        test("parameters that a checkpoint does not hold are accepted with one warning") {
            val flock = Flock(SimulatedDisk().host("node"))
            flock.run(agents = null, until = 5)
            val first = loggedBy { flock.run(3_000, "--ranks", "3") { parameter("model", "A\n") } }
            first.filter { "agents" in it } shouldBe
                listOf(
                    "WARNING: flock.cairn: save 1 does not say whether it was made with 'agents' = 3000, 'model' = " +
                        "\"A\\n\", which the program declares as parameters now: they are accepted unchecked, and " +
                        "stored with later saves.",
                )
            val second = loggedBy { flock.run(3_000) { parameter("model", "A\n") } }
            second.filter { "agents" in it } shouldBe emptyList()
        }

        test("one such parameter is spoken of as one") {
            val flock = Flock(SimulatedDisk().host("node"))
            flock.run(agents = null, until = 5)
            val logged = loggedBy { flock.run(3_000) }
            logged.filter { "agents" in it } shouldBe
                listOf(
                    "WARNING: flock.cairn: save 1 does not say whether it was made with 'agents' = 3000, which the " +
                        "program declares as a parameter now: it is accepted unchecked, and stored with later saves.",
                )
        }

        test("a parameter that the program no longer declares must be removed by name") {
            val flock = Flock(SimulatedDisk().host("node"))
            flock.run(3_000)
            val said = printedBy { flock.run(agents = null).code shouldBe ExitCode.REFUSED }
            said shouldContain
                "flock: save 1 was made with the parameter 'agents' = 3000, which the program does not declare: " +
                "declare it, name it as a former name of the parameter that replaces it, or declare " +
                "removed(\"agents\") if the results no longer depend on it.\n"
            val log =
                loggedBy {
                    flock.run(agents = null) { removed("agents") } shouldBe
                        Ended(ExitCode.FINISHED, 30_000)
                }
            log.filter { "agents" in it } shouldBe
                listOf("INFO: the parameter 'agents' = 3000 of save 1 is not compared: the program has removed it.")
        }

        test("a parameter with a new name is compared with its former one") {
            val flock = Flock(SimulatedDisk().host("node"))
            flock.run(3_000)

            fun renamed(agents: Int): Simulation.() -> Unit =
                {
                    parameter("birds", agents)
                    formerly("birds", "agents")
                }
            val said = printedBy { flock.run(null, more = renamed(1_000)).code shouldBe ExitCode.REFUSED }
            said shouldContain
                "save 1 was made with the parameter 'agents' = 3000, but the program was started with 'birds' = " +
                "1000: to continue that run, start with 3000; "
            val log = loggedBy { flock.run(null, more = renamed(3_000)).code shouldBe ExitCode.FINISHED }
            log.filter { "agents" in it } shouldBe
                listOf("INFO: the parameter 'birds' is the one that save 1 holds as 'agents'.")
        }

        test("values are the same if nothing but their width differs, and floating-point numbers bit by bit") {
            val quiet = Double.fromBits(0x7ff8000000000001)
            val same =
                listOf<Pair<Any, Any>>(
                    true to true,
                    3 to 3L,
                    3L to 3,
                    3.toByte() to 3.toShort(),
                    'x' to 'x',
                    "x" to "x",
                    0.5f to 0.5,
                    0.1 to 0.1,
                    -0.0 to -0.0,
                    -0.0f to -0.0,
                    Double.NaN to Double.NaN,
                    Float.NaN to Double.NaN,
                    quiet to quiet,
                    Double.MIN_VALUE to Double.MIN_VALUE,
                    Model.SLOW to Slower.Model.SLOW,
                    Long.MIN_VALUE to Long.MIN_VALUE,
                    Float.MAX_VALUE to Float.MAX_VALUE.toDouble(),
                    Double.POSITIVE_INFINITY to Float.POSITIVE_INFINITY,
                )
            val other =
                listOf<Pair<Any, Any>>(
                    true to false,
                    true to "true",
                    3 to 4,
                    3 to 3.0,
                    3 to "3",
                    'x' to "x",
                    0.1f to 0.1,
                    floatArrayOf(0.1f) to doubleArrayOf(0.1),
                    listOf(0.1f) to listOf(0.1),
                    0.0 to -0.0,
                    0.0f to -0.0f,
                    Double.NaN to quiet,
                    Float.NaN to Float.fromBits(0x7fc00001),
                    quiet to -quiet,
                    1.0 to Math.nextUp(1.0),
                    Model.SLOW to Model.FAST,
                    Model.SLOW to "SLOW",
                    "a" to "A",
                    Double.NaN to "NaN",
                    0L to 0.0,
                )
            for ((pairs, code) in listOf(same to ExitCode.FINISHED, other to ExitCode.REFUSED)) {
                for ((stored, given) in pairs) {
                    withClue("$stored, then $given") {
                        val flock = Flock(SimulatedDisk().host("node"))
                        flock.run(agents = null) { parameter("p", stored) }.code shouldBe ExitCode.FINISHED
                        flock.run(agents = null) { parameter("p", given) }.code shouldBe code
                    }
                }
            }
        }

        test("a message distinguishes values that are written alike") {
            val flock = Flock(SimulatedDisk().host("node"))
            flock.run(null) { parameter("dt", 0.1f) }
            printedBy { flock.run(null) { parameter("dt", 0.1) } } shouldContain
                "the parameter 'dt' = 0.1 (float), but the program was started with 0.1 (double): "
        }

        test("numbers of different bits have different texts, and come back from them") {
            println("ParametersSpec: seed ${Campaign.seed}")
            val random = Random(Campaign.seed)
            val bits = List(100_000) { random.nextLong() } + List(1_000) { random.nextLong() or 0x7ff8000000000000 }
            val numbers = bits.distinct().map { Parameter.of("p", Double.fromBits(it)).single() }
            numbers.map { it.value }.distinct().size shouldBe numbers.size
            bits.distinct().zip(numbers) { bit, number ->
                val back = number.identity
                if (back is Double) back.toRawBits() shouldBe bit else number.value shouldStartWith "NaN"
            }
        }

        test("records of different classes are different parameters, whatever they hold") {
            Parameter.of("m", Linear(0.5)) shouldBe
                listOf(Parameter("m", "constant", "Linear"), Parameter("m.k", "double", "0.5"))
            Parameter.of("m", Quadratic(0.5)).first().value shouldBe "Quadratic"
            Parameter.of("m", listOf(Linear(0.5))).single().value shouldBe "[Linear{k: 0.5}]"
        }

        test(
            "a record is a parameter for its class and each component, and arrays, lists, paths and null are parameters, too",
        ) {
            val disk = SimulatedDisk().host("node")
            val store = Path.of("store")

            suspend fun start(started: Started, declare: StateBuilder.() -> Unit = {}) =
                ranks(1) {
                    checkpoints(store, files = disk) {
                        parameter("s", started)
                        declare()
                    }.use { if (it.restore() == null) it.save(1) }
                }
            val started =
                Started(Path.of("a.txt"), null, doubleArrayOf(1.0, 2.5), listOf("b", null), Part(7, LongArray(17)))
            start(started)
            val stored = StoredCheckpoints(store, disk).openNewest().use { it.save.parameters }
            stored.filterKeys { it != "s.part.cells" } shouldBe
                mapOf(
                    "s" to "Started",
                    "s.file" to "a.txt",
                    "s.none" to "null",
                    "s.steps" to "[1.0, 2.5]",
                    "s.names" to "[\"b\", null]",
                    "s.part" to "Part",
                    "s.part.seed" to "7",
                )
            stored["s.part.cells"] shouldStartWith "17 elements, SHA-256 "
            start(started.copy(steps = started.steps.copyOf(), part = Part(7, LongArray(17))))
            for ((name, other) in listOf(
                "s.file" to started.copy(file = Path.of("b.txt")),
                "s.none" to started.copy(none = "null"),
                "s.steps" to started.copy(steps = doubleArrayOf(1.0, 2.0)),
                "s.names" to started.copy(names = listOf("b", "null")),
                "s.part.seed" to started.copy(part = Part(8, LongArray(17))),
                "s.part.cells" to started.copy(part = Part(7, LongArray(17) { it / 16L })),
            )) {
                shouldThrow<CheckpointException.Mismatch> { start(other) }.items shouldBe listOf(name)
                start(other) { allowChange(name) }
            }
        }

        for (world in World.entries) {
            test("$world: all ranks throw the same exception, which has the values") {
                val disk = SimulatedDisk().host("node")
                val store = Path.of("store")
                world.play { checkpoints(store, files = disk) { parameter("model", "A\nB") }.use { it.save(1) } }
                world.play {
                    checkpoints(store, files = disk) { parameter("model", Model.SLOW) }.use {
                        val failure = shouldThrow<CheckpointException.Mismatch> { it.restore() }
                        failure.items shouldBe listOf("model")
                        failure.message shouldContain "'model' = \"A\\nB\", but the program was started with SLOW"
                        failure.failures.map { one -> one.rank } shouldBe listOf(0, 1, 2)
                    }
                    checkpoints(store, files = disk) {}.use {
                        val failure = shouldThrow<CheckpointException.Mismatch> { it.restore(1) }
                        failure.items shouldBe listOf("model")
                        failure.message shouldContain "which the program does not declare"
                    }
                }
            }
        }

        test("parameters that differ between ranks are refused, with the values and the ranks") {
            val flock = Flock(SimulatedDisk().host("node"))
            val said = printedBy { flock.run(null, "--ranks", "3") { parameter("agents", 3_000 + rank / 2) } }
            said shouldContain
                "flock: the parameter 'agents' is 3001 on rank 2, but 3000 on rank 0. Start all ranks with the same " +
                "parameters.\n"
            flock.run(null, "--ranks", "3") { parameter("agents$rank", 3_000) }.code shouldBe ExitCode.REFUSED
            val allowing: Simulation.() -> Unit = { if (rank == 1) allowChange("agents") }
            flock.run(3_000, "--ranks", "3", more = allowing).code shouldBe ExitCode.REFUSED
        }

        test("what is declared wrongly is refused at once, in a sentence") {
            fun refusal(declare: StateBuilder.() -> Unit) =
                shouldThrow<InvalidDeclaration> {
                    stateBuilder().apply(declare).state.seal()
                }.message
            val twice = "the name 'agents' is declared twice: give each item and parameter a name of its own"
            refusal { repeat(2) { parameter("agents", it) } } shouldBe twice
            refusal {
                parameter("agents", 1)
                replicated("agents", { 1 }, {})
            } shouldBe twice
            refusal {
                replicated("birds", { 1 }, {}, formerly = listOf("agents"))
                parameter("agents", 1)
            } shouldBe twice
            for (agents in listOf(StringBuilder("a"), listOf(StringBuilder("a")))) {
                refusal { parameter("agents", agents) } shouldBe
                    "the parameter 'agents' is of java.lang.StringBuilder, but a parameter is a value of a primitive " +
                    "type, a text, a path, a constant of an enum, an array or a list of these, or a record: declare " +
                    "those that make up the value, or a text that identifies it"
            }
            refusal {
                parameter("agents", 1)
                removed("agents")
            } shouldBe "the program has two rules for 'agents': each name stands for one item or parameter"
            refusal {
                parameter("agents", 1)
                allowChange("agent")
            } shouldBe
                "the program allows a change of 'agent', but declares no such parameter, only 'agents'. Declare the " +
                "parameter, or leave out allowChange(\"agent\")"
            refusal { allowChange("agents") } shouldBe
                "the program allows a change of 'agents', but declares no such parameter. Declare the parameter, or " +
                "leave out allowChange(\"agents\")"
        }

        test(
            "a parameter that is declared after the first step has begun is refused, for a restart could not compare it",
        ) {
            val failure =
                shouldThrow<Exception> {
                    Flock(SimulatedDisk().host("node")).run(null) {
                        state.seal()
                        parameter("agents", 1)
                    }
                }
            "$failure" shouldContain
                "'agents' is declared after the first step has begun: declare all parameters before, so that a " +
                "restart can compare them"
        }

        test("former names that differ between ranks are refused, since each would restore another item") {
            val disk = SimulatedDisk().host("node")
            runSimulation("flock", arrayOf("--dir", "flock.cairn"), disk) {
                var old by replicated(7L)
                for (step in steps(until = 1)) old += step
            } shouldBe ExitCode.FINISHED
            runSimulation("flock", arrayOf("--dir", "flock.cairn", "--ranks", "2"), disk) {
                replicated(1L).named("one")
                replicated(2L).named("other")
                formerly(if (rank == 0) "one" else "other", "old")
                for (step in steps(until = 2)) error("step $step")
            } shouldBe ExitCode.REFUSED
        }

        test("a checkpoint of a program of another name is restored with a warning") {
            val flock = Flock(SimulatedDisk().host("node"))
            flock.run(3_000)
            val log = loggedBy { flock.run(3_000, name = "herd").code shouldBe ExitCode.FINISHED }
            log.filter { "herd" in it } shouldBe
                listOf(
                    "WARNING: flock.cairn: save 1 was made by the program 'flock', and this one is 'herd': if its " +
                        "results are others, start it with another directory, or with the setting fresh = true.",
                )
        }

        test("a seed of a checkpoint that takes the place of another one is told of") {
            val disk = SimulatedDisk().host("node")

            suspend fun logOf(seed: Long) =
                loggedBy {
                    runSimulation("dice", arrayOf("--dir", "dice.cairn", "--ranks", "2"), disk) {
                        val dice by randomStreams(seed)
                        for (step in steps(until = 2)) dice.bits(0, step, 0)
                    } shouldBe ExitCode.FINISHED
                }.filter { "seed" in it }
            logOf(7) shouldBe emptyList()
            logOf(7) shouldBe emptyList()
            logOf(8) shouldBe
                listOf(
                    "INFO: 'dice' continues with the seed 7 of save 1, and not with 8: to refuse a restart with " +
                        "another seed, declare it as a parameter.",
                )
        }

        test("Java declares the same parameters") {
            val directory = tempdir().toPath().resolve("flock.cairn")
            val arguments = arrayOf("--dir", "$directory")

            fun java(agents: Int) =
                BlockingSimulation.run("flock", arguments) {
                    it.parameter("agents", agents)
                    it.replicated(0L).named("sum")
                    it.steps(10).forEach { }
                }
            java(3_000) shouldBe ExitCode.FINISHED
            java(1_000) shouldBe ExitCode.REFUSED
            Flock(FileBlockStore()).run(1_000, *arguments).code shouldBe ExitCode.REFUSED
            Flock(FileBlockStore()).run(3_000, *arguments).code shouldBe ExitCode.FINISHED
        }

        test("half a character is refused, also among many") {
            for (count in listOf(2, 20)) {
                shouldThrow<SerializationException> {
                    Parameter.of(
                        "p",
                        CharArray(count) { '\uD83D' },
                    )
                }.message shouldBe
                    "the parameter 'p' has an unpaired surrogate, which is not a character"
            }
        }

        test("other programs read the parameters of a checkpoint") {
            val disk = SimulatedDisk().host("node")
            Flock(disk).run(3_000) {
                parameter("model", Model.SLOW)
                parameter("dt", 0.5)
            }
            val save = StoredCheckpoints(Path.of("flock.cairn"), disk).saves().single() as StoredSave.Good
            save.parameters shouldBe mapOf("agents" to "3000", "model" to "SLOW", "dt" to "0.5")
        }
    })

private enum class Model { SLOW, FAST }

/** The enum after it was moved to another class. */
private object Slower {
    enum class Model { SLOW }
}

private data class Ended(val code: ExitCode, val result: Long?)

/** A program whose result depends on the number of agents, which its state does not show. */
private class Flock(private val files: BlockStore) {
    suspend fun run(
        agents: Int?,
        vararg options: String,
        until: Long = 10,
        name: String = "flock",
        more: Simulation.() -> Unit = {},
    ): Ended {
        var result: Long? = null
        val directory = if ("--dir" in options) emptyArray() else arrayOf("--dir", "flock.cairn")
        val code =
            runSimulation(name, arrayOf(*directory, *options), files) {
                agents?.let { parameter("agents", it) }
                more()
                var sum by replicated(0L)
                for (step in steps(until)) sum += agents ?: 0
                if (rank == 0) result = sum
            }
        return Ended(code, result)
    }
}

@JvmRecord
private data class Started(
    val file: Path?,
    val none: String?,
    val steps: DoubleArray,
    val names: List<String?>,
    val part: Part,
)

@JvmRecord
private data class Part(val seed: Long, val cells: LongArray)

@JvmRecord
internal data class Linear(val k: Double)

@JvmRecord
internal data class Quadratic(val k: Double)
