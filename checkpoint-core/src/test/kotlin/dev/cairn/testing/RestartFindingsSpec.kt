package dev.cairn.testing

import dev.cairn.Simulation
import dev.cairn.checkpoints
import dev.cairn.java.BlockingSimulation
import dev.cairn.options.Wait
import dev.cairn.proof.log.loggedBy
import dev.cairn.ranks.allReduce
import dev.cairn.ranks.ranks
import dev.cairn.reading.StoredCheckpoint
import dev.cairn.reading.StoredCheckpoints
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.Codecs
import dev.cairn.state.PerRankRule
import dev.cairn.state.StreamCodec
import dev.cairn.state.ThrowingConsumer
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldEndWith
import io.kotest.matchers.string.shouldStartWith
import java.io.BufferedWriter
import java.io.InputStream
import java.io.ObjectInput
import java.io.ObjectInputFilter
import java.io.ObjectInputStream
import java.io.ObjectOutputStream
import java.io.OutputStream
import java.io.Serializable
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardOpenOption.APPEND
import java.nio.file.StandardOpenOption.CREATE
import java.nio.file.StandardOpenOption.TRUNCATE_EXISTING
import java.util.Collections

/** What a trial says: how much it has seen, and of a difference its place and both values. */
class RestartFindingsSpec :
    FunSpec({
        val trial = RestartTrial(rankCount = 2, breakAt = 5, restartOn = listOf(1, 2, 3))
        val alone = RestartTrial(rankCount = 1, breakAt = 5, restartOn = listOf(1))

        suspend fun messageOf(on: RestartTrial = alone, program: suspend Simulation.() -> Unit) =
            shouldThrow<RestartDiffers> { on.run(program) }.message.toString()

        test("a trial that passes says how much it has seen, and logs nothing") {
            var report: RestartTrial.Report? = null
            val logged =
                loggedBy {
                    report =
                        trial.run {
                            val u by doubles(rows = 9, columns = 5) { i, j -> i * 0.5 + j }
                            var time by replicated(0.0)
                            var tally by perRank(0L, PerRankRule.Merge { it.sum() })
                            val log by output(Path.of("log.txt"))
                            witness { "$time" }
                            for (step in steps(until = 10)) {
                                u.update { i, j -> u[i, j] + 1 }
                                time += 0.1
                                tally++
                                log.line("step $step")
                            }
                        }
                }
            "$report" shouldBe
                "compared 3 items, 1 output and 1 witness over 10 steps; a state that influences none of these is " +
                "not seen"
            report?.items shouldBe setOf("u", "time", "tally")
            report?.outputs shouldBe setOf("log")
            report?.witnesses shouldBe setOf("witness")
            logged shouldBe emptyList()
        }

        for (wait in Wait.entries) {
            test("a trial of a program that goes on when its state is $wait logs nothing") {
                loggedBy {
                    trial.withWait(wait).run {
                        var sum by replicated(0L)
                        for (step in steps(until = 10)) sum += step
                    }
                } shouldBe emptyList()
            }
        }

        test("a trial that could compare nothing says so") {
            val report =
                trial.withRestartOn(listOf(1)).run {
                    var own by perRank(0L, PerRankRule.Drop())
                    for (step in steps(until = 7)) own++
                }
            "$report" shouldBe "compared nothing over 7 steps; a state that influences none of these is not seen"
        }

        test("a state that influences nothing before the end is seen by a witness, in Kotlin and in Java") {
            suspend fun Simulation.run(isWatched: Boolean) {
                var clock = 0.0
                var sum by replicated(0L)
                if (isWatched) witness("clock") { "time $clock" }
                for (step in steps(until = 10)) {
                    clock += 0.5
                    sum += step
                }
            }
            trial.run { run(isWatched = false) }.witnesses shouldBe emptySet()
            val differs = shouldThrow<RestartDiffers> { trial.run { run(isWatched = true) } }
            differs.items shouldBe listOf("clock")
            differs.step shouldBe 6
            differs.message shouldBe
                "[clock] differ first at step 6, after a restart from step 5 of 2 ranks on 2. $LOST 'clock' on " +
                "rank 0: " +
                "'time 3.0' without the interruption, 'time 0.5' after it. 'sum' agrees."

            shouldThrow<RestartDiffers> {
                alone.run(
                    ThrowingConsumer<BlockingSimulation> { simulation ->
                        val clock = longArrayOf(0)
                        simulation.witness { byteArrayOf(clock[0].toByte(), 0) }
                        for (step in simulation.steps(10)) clock[0]++
                    },
                )
            }.message shouldBe
                "[witness] differ first at step 6, after a restart from step 5. $LOST_ALONE 'witness' " +
                "on rank 0: " +
                "the bytes 0600 without the interruption, the bytes 0100 after it."
        }

        test("a witness whose value cannot be compared is refused") {
            shouldThrow<Exception> {
                alone.run {
                    witness { listOf(1) }
                    for (step in steps(until = 10)) continue
                }
            }.message shouldContain
                "the witness 'witness' returns a java.util.Collections\$SingletonList: let it return a text, a " +
                "number or bytes, " +
                "which can be compared"
        }

        test("a field differs in a cell, a value in itself or in a property, and a value of a rank on that rank") {
            messageOf(trial.withRestartOn(listOf(2))) {
                val u by doubles(rows = 4, columns = 3) { i, j -> i + j / 4.0 }
                var time by replicated(0.0)
                var config by replicated(Config("heat", listOf(1.0, 2.0), 0))
                var own by perRank(10L * rank, PerRankRule.Drop())
                var same by replicated(1)
                var hidden = 0
                for (step in steps(until = 10)) {
                    hidden++
                    same++
                    u.update { i, j -> if (i == 2L && j == 1L) hidden.toDouble() else u[i, j] }
                    time = hidden * 0.5
                    config = config.copy(count = hidden)
                    own += if (rank == 1) hidden else 0
                }
            } shouldEndWith
                " Field 'u', cell (2, 1): 6.0 without the interruption, 1.0 after it. Replicated 'time': 3.0 " +
                "without the " +
                "interruption, 0.5 after it. Replicated 'config': {\"name\": \"heat\", \"values\": [1.0, 2.0], " +
                "\"count\": 6} " +
                "without the interruption, {\"name\": \"heat\", \"values\": [1.0, 2.0], \"count\": 1} after it. " +
                "'same' agrees."
        }

        test("a table differs in a column of a row, by its id or by its place; on other ranks in a row as a whole") {
            suspend fun Simulation.rows(withIds: Boolean) {
                var hidden = 0
                var bodies by rows(List(2) { Body(2L * rank + it, "b$it", 0.5) }) {
                    if (withIds) uniqueIds("id")
                    text("name", 8)
                    positionFree()
                }
                for (step in steps(until = 10)) {
                    hidden++
                    bodies = bodies.map { if (it.id == 1L) it.copy(mass = 0.5 * hidden) else it }
                }
            }
            messageOf(trial.withRestartOn(listOf(1))) { rows(withIds = true) } shouldEndWith
                " Table 'bodies', the row with the id 1, column 'mass': 3.0 without the interruption, 0.5 after it."
            messageOf(trial.withRestartOn(listOf(2))) { rows(withIds = false) } shouldEndWith
                " Table 'bodies', row 1 of rank 0, column 'mass': 3.0 without the interruption, 0.5 after it."
            messageOf(trial.withRestartOn(listOf(1))) { rows(withIds = false) } shouldEndWith
                " Table 'bodies', a row (id = 1, name = \"b1\", mass = 3.0): there without the interruption, " +
                "missing after it."
        }

        test("rows without a rule for other ranks may differ in their order alone") {
            messageOf {
                var hidden = 0
                var bodies by rows(List(3) { Body(it.toLong(), "b$it", 0.5) }) {
                    uniqueIds("id")
                    text("name", 8)
                }
                for (step in steps(until = 10)) {
                    hidden++
                    if (hidden == 7) bodies = bodies.reversed()
                }
            } shouldEndWith " Table 'bodies', row 0, column 'id': 2 without the interruption, 0 after it."
        }

        test("rows whose data a trial cannot keep may be in another order, which is a warning") {
            val path = Path.of("rows")
            val files = SimulatedDisk().host("host0")
            ranks(1) {
                checkpoints(path, files = files) {
                    table("rows") { column("x", { longArrayOf(1, 2) }, {}) }
                }.use { it.save(6) }
            }
            val manifest = StoredCheckpoints(path, files).openNewest().use { it.manifest }
            val history =
                object : TrialHistory() {
                    override val saves = listOf(Waymark(manifest, emptyMap()))

                    override suspend fun play(rankCount: Int, stopAt: Long?) = Unit

                    override fun loseFrom(step: Long) = Unit

                    override fun presentFiles() = emptyMap<String, ByteArray>()

                    override fun <T> read(save: Waymark, read: (StoredCheckpoint) -> T): T? = null
                }
            val scope = TrialScope()
            HistoryComparison(history, history, RunNames.INTERRUPTED, scope).inSaves() shouldBe null
            scope.report(stepCount = 1).warnings shouldBe
                listOf(
                    "the table 'rows' has the same rows from step 6 on, but may have them in another order: use a " +
                        "smaller problem, so that the trial can keep them and compare their order",
                )
        }

        test("rows that are in another order after a restart are found, although no declared item shows it") {
            val differs =
                shouldThrow<RestartDiffers> {
                    trial.run {
                        val own = rank
                        var ids = LongArray(4) { 10L * own + it }
                        table("rows") {
                            column("id", { ids }, { ids = it })
                            positionFree()
                        }
                        afterRestore { if (own == 1) ids.reverse() }
                        for (step in steps(until = 10)) ids.indices.forEach { ids[it]++ }
                    }
                }
            differs.items shouldBe listOf("rows")
            differs.step shouldBe 5
            differs.message shouldBe
                "[rows] differ first at step 5, after a restart from step 5 of 2 ranks on 2. $LOST The rows of " +
                "the table " +
                "'rows' came back in another order on rank 1: a setter must keep them in the order in which it " +
                "gets them."
        }

        test("a list that is another row's after a restart is found, also in rows of any order") {
            class Node(val id: Int) {
                var friends = emptyList<Node>()
            }
            val differs =
                shouldThrow<RestartDiffers> {
                    trial.run {
                        val own = rank
                        var nodes = List(4) { Node(10 * own + it) }
                        nodes.forEachIndexed { at, node -> node.friends = listOf(nodes[(at + 1) % 4]) }
                        rows("nodes", { nodes }, { nodes = it }) {
                            uniqueIds("id")
                            positionFree()
                            elsewhere { Node(it.toInt()) }
                        }
                        afterRestore {
                            nodes[0].friends = nodes[1].friends.also { nodes[1].friends = nodes[0].friends }
                        }
                        for (step in steps(until = 10)) nodes = nodes.toList()
                    }
                }
            differs.items shouldBe listOf("nodes")
            differs.message shouldContain "column 'friends': a list with the checksum "
        }

        test("lines that a program still buffers at a save are missed in the finished file") {
            val file = tempdir().toPath().resolve("energies.txt")
            val watching = RestartTrial(rankCount = 1, breakAt = 11, restartOn = listOf(1)).withOutputs(listOf(file))
            shouldThrow<RestartDiffers> {
                watching.runOwnLoop { attempt ->
                    var energy = 0L
                    checkpoints(attempt.directory, files = attempt.files) {
                        replicated("energy", { energy }, { energy = it })
                        appendedFile("energies", file)
                    }.use { checkpoints ->
                        val first = checkpoints.restore()?.step ?: 0
                        writerOf(file, isNew = first == 0L).use { lines ->
                            for (step in first + 1..26) {
                                energy += step
                                lines.write("$step $energy\n")
                                checkpoints.save(step)
                                if (attempt.isOver(step)) break
                            }
                        }
                    }
                }
            }.message shouldBe
                "[energies] differ first at step 26, after a restart from step 11. $LOST_ALONE " +
                "'energies', line 1: '1 1' without the interruption, '12 78' after it. They have 157 and 103 " +
                "bytes. The files differ although all saves agree: declare each file to which the program appends " +
                "as an output, and flush it before each save, since bytes that the program still buffers are lost " +
                "with it."
        }

        test("a program that goes wrong without outputs is not told to empty any") {
            var runs = 0
            messageOf {
                // The second of the three runs is interrupted, and the third one should go as the first.
                val isOdd = ++runs == 3
                var sum by replicated(0L)
                for (step in steps(until = 10)) sum += if (isOdd) 2 else 1
            } shouldBe
                "[sum] differ first at step 1, when the program was killed before its first save and began again. " +
                "Its first " +
                "part has left something behind: a static variable that is not reset, or a file. Replicated " +
                "'sum': 1 without " +
                "the interruption, 2 after it."
        }

        test("a static variable that is not reset is named as the likely cause of another begin") {
            messageOf {
                var count by replicated(0L)
                for (step in steps(until = 10)) count += Statics.next++
            } shouldBe
                "[count] differ first at step 1, between two runs, before any restart. It begins with " +
                "other " +
                "values in its second run in this JVM: the likely cause is a static variable that is not reset, " +
                "and runMain() " +
                "gives each run a JVM of its own. Otherwise the program uses data that differ from run to run: a " +
                "clock, a " +
                "generator without a seed. Replicated 'count': 0 in the first " +
                "run, 10 in " +
                "the second."
        }

        test("a program that does not save after every step while it is tried is told so, in one sentence") {
            shouldThrow<IllegalArgumentException> {
                RestartTrial(breakAt = 115).runOwnLoop { attempt ->
                    var sum = 0L
                    checkpoints(attempt.directory, files = attempt.files) {
                        replicated("sum", { sum }, { sum = it })
                    }.use { checkpoints ->
                        for (step in (checkpoints.restore()?.step ?: 0) + 1..260) {
                            sum += step
                            if (step % 10 == 0L) checkpoints.save(step)
                            if (attempt.isOver(step)) break
                        }
                    }
                }
            }.message shouldBe
                "the program does not save after step 115, but after step 120: interrupt it at a step that it saves, " +
                "or let it save after every step while it is tried"
        }

        test("a stream without a codec whose bytes differ is a warning, and no failure") {
            var report: RestartTrial.Report? = null
            val warning =
                "the bytes of the stream 'names' differ from step 6 on, and equal state may have other bytes: " +
                    "declare it " +
                    "with a StreamCodec, so that its values are compared"
            val logged = loggedBy { report = alone.run { names() } }
            report?.warnings shouldBe listOf(warning)
            "$report" shouldBe
                "compared 1 item over 10 steps; a state that influences none of these is not seen; $warning"
            logged shouldBe listOf("WARNING: RestartTrial: $warning")
        }

        test("a stream with a codec is compared by the values that it reads, if they say when they are equal") {
            val report = alone.run { pair(isForgetful = false) }
            report.warnings shouldBe emptyList()
            report.items shouldBe setOf("names", "sum")

            messageOf { pair(isForgetful = true) } shouldStartWith
                "[names] differ first at step 6, after a restart from step 5. $LOST_ALONE Stream " +
                "'names', byte"
        }

        test("a stream whose values are equal to themselves alone is a warning") {
            val codec =
                Codecs.objectStream<Pair>(FILTER, { target, pair -> target.writeObject(pair) }, { readPair(it) })
            alone
                .run {
                    val pair by stream("a name".let { Pair(it, it) }, codec)
                    for (step in steps(until = 10)) check(pair.one == pair.other)
                }.warnings shouldBe
                listOf(
                    "the bytes of the stream 'pair' differ from step 6 on, and equal state may have other bytes: let " +
                        "dev.cairn.testing.Pair have an equals(), so that its values are compared",
                )
        }

        test("on other ranks what each rank has of its own is compared through its effect alone") {
            val report =
                trial.withRestartOn(listOf(3)).run {
                    var own by perRank(1L, PerRankRule.Merge { it.sum() })
                    var total by replicated(0L)
                    for (step in steps(until = 10)) total = ranks.allReduce(own, Long::plus)
                }
            report.items shouldBe setOf("total")
        }
    })

private const val LOST_ALONE =
    "Some state of the program was not declared, or is not restored correctly: a variable, a static variable, a " +
        "generator's state, the end of an output."

private const val LOST =
    "Some state of the program was not declared, or is not restored correctly: a variable, a static variable, a " +
        "generator's " +
        "state, a halo, a value of each rank's own, the end of an output."

@kotlinx.serialization.Serializable
private data class Config(val name: String, val values: List<Double>, val count: Int)

@JvmRecord
internal data class Body(val id: Long, val name: String, val mass: Double)

/** As in a program that forgets to set it back. */
private object Statics {
    var next = 0L
}

private fun writerOf(file: Path, isNew: Boolean): BufferedWriter =
    Files.newBufferedWriter(file, CREATE, if (isNew) TRUNCATE_EXISTING else APPEND)

/** Without equals. */
private class Pair(val one: String, val other: String) : Serializable

private val FILTER = ObjectInputFilter.Config.createFilter("dev.cairn.testing.*;java.base/*;!*")

private fun readPair(source: ObjectInput) = (source.readObject() as Pair).run { Pair(copyOf(one), copyOf(other)) }

private fun copyOf(text: String) = String(text.toCharArray())

/** Two names that are one object at first, and two after a restart. */
private suspend fun Simulation.pair(isForgetful: Boolean) {
    val codec =
        Codecs.objectStream<List<String>>(
            FILTER,
            { target, names -> target.writeObject(ArrayList(names)) },
            { source -> (source.readObject() as List<*>).map { copyOf("$it") } },
        )
    var names by stream("a name".let { listOf(it, it) }, codec)
    var sum by replicated(0L)
    var hidden = 0
    for (step in steps(until = 10)) {
        sum += step
        hidden++
        if (isForgetful) names = listOf("$hidden", "$hidden")
    }
}

/** Equal objects, but after a restart they are shared otherwise, so that Java's serialization writes other bytes. */
private suspend fun Simulation.names() {
    val name = "a name"
    val names = mutableListOf(name, name)
    stream(
        "names",
        ThrowingConsumer<OutputStream> { target ->
            ObjectOutputStream(target).use { it.writeObject(ArrayList(names)) }
        },
        ThrowingConsumer<InputStream> { source ->
            val read = ObjectInputStream(source).readObject() as List<*>
            names.clear()
            names += read.map { copyOf("$it") }
        },
    )
    var sum by replicated(0L)
    for (step in steps(until = 10)) sum += step + Collections.frequency(names, name)
}
