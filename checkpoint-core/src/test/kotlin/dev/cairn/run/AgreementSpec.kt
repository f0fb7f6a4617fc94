package dev.cairn.run

import dev.cairn.Checkpoints
import dev.cairn.Columns
import dev.cairn.Simulation
import dev.cairn.StateBuilder
import dev.cairn.World
import dev.cairn.checkpoints
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.java.play
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.Triggers
import dev.cairn.options.WhenBusy
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.allReduce
import dev.cairn.ranks.onTransports
import dev.cairn.ranks.ranks
import dev.cairn.reading.StoredCheckpoints
import dev.cairn.reading.StoredSave
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.DIRECTORY
import dev.cairn.store.withParent
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.kotest.matchers.string.shouldStartWith
import io.kotest.matchers.types.shouldBeInstanceOf
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import java.nio.file.Path
import kotlin.io.path.name
import kotlin.time.Duration.Companion.minutes

/** What all ranks must say alike is compared, and refused on all of them, in a sentence that says which rank said what. */
class AgreementSpec :
    FunSpec({
        quietly()

        suspend fun Communicator.saveOwn(files: BlockStore, step: Long, phase: String = ""): String =
            checkpoints(DIRECTORY, files = files) { replicated("u", { 1L }, {}) }.use { checkpoints ->
                checkpoints.save(1)
                val failure = shouldThrow<InvalidDeclaration> { checkpoints.trySave(step, phase) }
                checkpoints.save(9)
                "${failure.message}"
            }

        test("a step that is not the same on all ranks is not saved, and later saves are") {
            val files = SimulatedDisk().withParent().host("node0")
            val told = ranks(3) { saveOwn(files, step = rank + 1L) }
            told.distinct() shouldHaveSize 1
            told.first() shouldContain SAVED_APART
            ranks(1) {
                checkpoints(DIRECTORY, files = files) { replicated("u", { 1L }, {}) }.use { it.restore()?.step }
            }.single() shouldBe 9
        }

        test("so do ranks in other processes, with one text on all of them and without the name of a class") {
            val files = SimulatedDisk().withParent().host("node0")
            val told = onTransports(3, 1.minutes) { saveOwn(files, step = rank + 1L) }
            told.distinct().single() shouldContain SAVED_APART
            told.first() shouldNotContain "Exception"
        }

        test("a save that some ranks wait for and others do not is refused on all ranks, and later saves are made") {
            for (ofRoot in listOf("committed", "copied")) {
                val other = if (ofRoot == "copied") "committed" else "copied"
                val files = SimulatedDisk().withParent().host("node0")

                suspend fun Communicator.told() =
                    checkpoints(DIRECTORY, files = files) { replicated("u", { 1L }, {}) }.use { checkpoints ->
                        val isBehind = (rank == 1) == (other == "copied")
                        val failure =
                            shouldThrow<InvalidDeclaration> {
                                if (isBehind) checkpoints.saveAsync(3) else checkpoints.save(3)
                            }
                        checkpoints.saveAsync(4).await()
                        "${failure.message}"
                    }
                for (told in ranks(3) { told() } + onTransports(3, 1.minutes) { told() }) {
                    told shouldContain
                        "rank 1 saves step 3 and waits until that is $other, but rank 0 until it is $ofRoot. Nothing " +
                        "was saved: all ranks must call the same function, save or saveAsync."
                }
            }
        }

        test("so is one that some ranks would skip, since another one is under way") {
            val files = SimulatedDisk().withParent().host("node0")
            val options = CheckpointOptions { whenBusy = WhenBusy.SKIP }
            val told =
                ranks(3) {
                    checkpoints(DIRECTORY, options, files) { replicated("u", { 1L }, {}) }.use { checkpoints ->
                        checkpoints.saveAsync(1)
                        val failure =
                            shouldThrow<InvalidDeclaration> {
                                if (rank == 1) checkpoints.save(2) else checkpoints.saveAsync(2)
                            }
                        checkpoints.save(3)
                        "${failure.message}"
                    }
                }
            told.distinct().single() shouldContain
                "rank 1 saves step 2 and waits until that is committed, but rank 0 until it is copied. Nothing was " +
                "saved: all ranks must call the same function, save or saveAsync."
        }

        test("a save that failed leaves its reason in a sentence, and no bytes") {
            val files = SimulatedDisk().withParent().host("node0")
            ranks(2) {
                checkpoints(DIRECTORY, files = files) { replicated("u", { 1L }, {}) }.use {
                    shouldThrow<InvalidDeclaration> { it.trySave(rank + 1L) }
                }
            }
            val left = StoredCheckpoints(DIRECTORY, files).saves().single()
            left.shouldBeInstanceOf<StoredSave.Unfinished>().reason shouldStartWith
                "'prepare' was abandoned on all ranks, because rank 1 saves step 2, but rank 0 saves step 1."
            files.list(DIRECTORY.resolve("000001")).map { it.name } shouldBe listOf("failed")
        }

        test("a phase that differs between ranks is not saved, which ranks in other processes report, too") {
            val files = SimulatedDisk().withParent().host("node0")
            val told = onTransports(3, 1.minutes) { saveOwn(files, 2, if (rank == 2) "main loop" else "spin up") }
            told.forEach {
                it shouldContain
                    "rank 2 saves step 2 of the phase 'main loop', but rank 0 saves step 2 of the phase 'spin up'."
            }
        }

        test("a step below 0 and a phase that does not fit into a line are saved by no rank, and later saves are") {
            val files = SimulatedDisk().withParent().host("node0")
            ranks(2) { saveOwn(files, step = -1) }.forEach {
                it shouldContain "a save is made after 0 steps or more, but the program saves after -1."
            }
            for ((phase, sentence) in listOf(
                "a/../b\n" to "'a/../b?' has the character U+000A in place of its first '?'",
                "main\u0000" to "'main?' has the character U+0000 in place of its first '?'",
                "main\u2028" to "'main?' has the character U+2028 in place of its first '?'",
            )) {
                ranks(2) { saveOwn(files, 2, phase) }.forEach {
                    it shouldContain
                        "the name of a phase is shown in one line, but $sentence: name the phase without it"
                }
            }
        }

        test("a loop whose phase does not fit into a line is refused before its first step") {
            val files = SimulatedDisk().withParent().host("node0")
            ranks(2) {
                Simulation(this, DIRECTORY, Triggers(), CheckpointOptions(), files, LoopSurroundings.NONE).use {
                    shouldThrow<InvalidDeclaration> {
                        for (step in it.steps(until = 2, phase = "spin\tup")) error("step $step")
                    }.message shouldContain "'spin?up' has the character U+0009 in place of its first '?'"
                }
            }
        }

        test("loops that are not the same on all ranks are refused before their first step") {
            suspend fun refusal(loop: suspend Simulation.() -> Unit): List<String> {
                val files = SimulatedDisk().withParent().host("node0")
                return ranks(3) {
                    Simulation(this, DIRECTORY, Triggers(), CheckpointOptions(), files, LoopSurroundings.NONE).use {
                        "${shouldThrow<InvalidDeclaration> { it.loop() }.message}"
                    }
                }
            }
            refusal { for (step in steps(if (rank == 2) 5 else 6)) error("step $step") }.forEach {
                it shouldContain
                    "rank 2 iterates over the steps until 5, but rank 0 over the steps until 6. All ranks"
            }
            refusal {
                for (step in steps(until = 2)) ranks.allReduce(step, Long::plus)
                for (step in steps(until = 4, phase = "after rank $rank")) error("step $step")
            }.forEach {
                it shouldContain
                    "rank 1 iterates over the steps until 4 of the phase 'after rank 1', rank 2 iterates over the " +
                    "steps until 4 of the phase 'after rank 2', but rank 0 over the steps until 4 of the phase " +
                    "'after rank 0'."
            }
        }

        test("a restore of saves that are not the same on all ranks is refused, and state stays as it was") {
            suspend fun World.refusal(attempt: suspend Checkpoints.(rank: Int) -> Unit): List<String> {
                val files = SimulatedDisk().withParent().host("node0")
                return play {
                    var u = 10L
                    checkpoints(DIRECTORY, files = files) { replicated("u", { u }, { u = it }) }.use { checkpoints ->
                        checkpoints.save(1)
                        u = 20
                        checkpoints.save(2)
                        u = 30
                        val failure = shouldThrow<InvalidDeclaration> { checkpoints.attempt(rank) }
                        u shouldBe 30
                        "${failure.message}"
                    }
                }
            }
            for (world in World.entries) {
                world.refusal { rank -> restore(1 + rank % 2) }.forEach {
                    it shouldContain
                        "rank 1 restores save 2, but rank 0 save 1. Nothing was restored: all ranks must restore " +
                        "the same checkpoint."
                }
                world.refusal { rank -> if (rank == 0) restore() else restore(2) }.forEach {
                    it shouldContain "rank 1 restores save 2, as does rank 2, but rank 0 the newest good checkpoint."
                }
            }
        }

        test("whatever is declared otherwise on one rank is refused when the state is declared") {
            suspend fun check(what: String, usual: StateBuilder.() -> Unit, other: StateBuilder.() -> Unit) =
                withClue(what) {
                    val files = SimulatedDisk().withParent().host("node0")
                    ranks(3) {
                        val failure =
                            shouldThrow<InvalidDeclaration> {
                                checkpoints(DIRECTORY, files = files) { if (rank == 1) other() else usual() }
                            }
                        failure.cause!!.message!! shouldStartWith "rank 1 and rank 0 do not declare the same state."
                    }
                }
            check("former names", { number(formerly = "v") }, { number(formerly = "w") })
            check("removed items", { removed("v") }, { removed("w") })
            check(
                "the file of an output",
                { appendedFile("log", Path.of("a.txt")) },
                { appendedFile("log", Path.of("b.txt")) },
            )
            check("types of values", { perRank("v", { 1L }, {}) }, { perRank("v", { "text" }, {}) })
            check("parts of values", { perRank("v", { Part.One(1) }, {}) }, { perRank("v", { Part.Two(1) }, {}) })
            check("ids of a table", { rows { uniqueIds("id") } }, { rows { uniqueIds("other") } })
            check("former names of columns", { rows { formerly("id", "a") } }, { rows { formerly("id", "b") } })
            check("removed columns", { rows { removed("a") } }, { rows { removed("b") } })
            check("added columns", { rows { added("id", 1L) } }, { rows { added("id", 2L) } })
        }

        test("a directory or an option in code that is not the same on all ranks is refused when it is opened") {
            suspend fun refusal(open: suspend Communicator.(BlockStore) -> Unit): String {
                val files = SimulatedDisk().withParent().host("node0")
                return ranks(3) { "${shouldThrow<InvalidDeclaration> { open(files) }.message}" }.distinct().single()
            }
            refusal { checkpoints(Path.of(if (rank == 1) "a.cairn" else "b.cairn"), files = it) {} } shouldContain
                "dir is a.cairn on rank 1 (program), but b.cairn on rank 0 (program)."
            refusal { checkpoints(DIRECTORY, CheckpointOptions { keepLast = 2 + rank }, it) {} } shouldContain
                "keep-last is 3 on rank 1 (program), but 2 on rank 0 (program)."
        }
    })

private object Part {
    @Serializable
    @SerialName("part")
    data class One(val x: Int)

    @Serializable
    @SerialName("part")
    data class Two(val x: Long)
}

private fun StateBuilder.rows(rules: Columns.() -> Unit) =
    table("rows") {
        column("id", { LongArray(0) }, {})
        column("other", { LongArray(0) }, {})
        rules()
    }

private fun StateBuilder.number(formerly: String) = replicated("u", { 1L }, {}, formerly = listOf(formerly))

private const val SAVED_APART =
    "rank 1 saves step 2, rank 2 saves step 3, but rank 0 saves step " +
        "1. Nothing was saved: all ranks must save the same step in the same phase."
