package dev.cairn

import dev.cairn.codec.Codec
import dev.cairn.codec.Codecs
import dev.cairn.comm.Communicator
import dev.cairn.event.ExitCode
import dev.cairn.event.Saved
import dev.cairn.failure.CheckpointException
import dev.cairn.grid.Box
import dev.cairn.grid.Shape
import dev.cairn.java.BlockingCheckpoints
import dev.cairn.java.BlockingRanks
import dev.cairn.java.BlockingSimulation
import dev.cairn.java.play
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.SimulationOptions
import dev.cairn.proof.log.loggedBy
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.ElementType
import dev.cairn.stored.checkpointStore
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldEndWith
import io.kotest.matchers.string.shouldStartWith
import java.nio.ByteBuffer
import java.nio.file.Path

/** What check-restart finds in programs with planted faults, what it lets pass, and that it leaves no trace. */
class CheckRestartSpec :
    FunSpec({
        for (world in World.entries) {
            for (fault in FAULTS) {
                test("$world: ${fault.what} is found, and all ranks hear of it") {
                    val disk = SimulatedDisk()
                    world.play {
                        val program = Tide(this)
                        program.open(disk, declare = fault.declare).use {
                            program.saveAt(10, it)
                            val failure =
                                shouldThrow<CheckpointException.StateNotRestored> { program.saveAt(20, it) }
                            failure.items shouldBe listOf(fault.item)
                            failure.message shouldBe "$BEGINNING ${fault.sentence} $ADVICE $END"
                            failure.failures.map { failed -> failed.rank } shouldBe listOf(0)
                        }
                    }
                }
            }

            test("$world: a setter that throws is found, and the program's words are told") {
                val disk = SimulatedDisk()
                world.play {
                    val program = Tide(this)
                    val declare: StateBuilder.(Tide) -> Unit = { tide ->
                        replicated("time", { tide.time }, { check(rank != 1) { "no mesh for $it" } })
                    }
                    program.open(disk, declare = declare).use {
                        program.saveAt(10, it)
                        val failure = shouldThrow<CheckpointException.StateNotRestored> { program.saveAt(20, it) }
                        failure.items shouldBe emptyList()
                        failure.message.toString() shouldStartWith
                            "check-restart: save 1 (step 10) could not be restored into the program, which held the " +
                            "state of save 2 (step 20): 'take 'time'' was abandoned on all ranks, because rank 1"
                        failure.message.toString() shouldContain "no mesh for 1.25"
                        failure.message.toString() shouldEndWith END
                        failure.failures.map { failed -> failed.rank } shouldBe listOf(1)
                    }
                }
            }

            test("$world: a program that brings all of it back goes on as if it had not been checked") {
                val (plain, checked) = listOf(CheckpointOptions(), CHECKING).map { tidesOf(world, it) }
                checked.manifests shouldBe plain.manifests
                checked.heard shouldBe plain.heard
                checked.ends shouldBe plain.ends
                checked.logged - plain.logged.toSet() shouldBe listOf("INFO: $ALL_RIGHT")
            }
        }

        test("what is wrong only when the second save comes back is found") {
            val disk = SimulatedDisk()
            var calls = 0
            ranks(1) {
                val program = Tide(this)
                val declare: StateBuilder.(Tide) -> Unit = { tide ->
                    replicated("time", { tide.time }, { if (calls++ == 0) tide.time = it })
                }
                program.open(disk, declare = declare).use {
                    program.saveAt(10, it)
                    shouldThrow<CheckpointException.StateNotRestored> { program.saveAt(20, it) }.message shouldBe
                        "check-restart: save 2 (step 20) was restored into the program, which held the state of " +
                        "save 1 (step 10). The replicated 'time' should be what save 2 holds, but on rank 0 it is " +
                        "still what save 1 holds. $ADVICE $END"
                }
            }
        }

        test("of many items that do not come back the first five are told at length") {
            val disk = SimulatedDisk()
            val names = ('a'..'h').map { "$it" }
            ranks(1) {
                val program = Tide(this)
                val declare: StateBuilder.(Tide) -> Unit = { tide ->
                    names.forEach { replicated(it, { tide.time }, {}) }
                }
                program.open(disk, declare = declare).use {
                    program.saveAt(10, it)
                    val failure = shouldThrow<CheckpointException.StateNotRestored> { program.saveAt(20, it) }
                    failure.items shouldBe names
                    failure.message shouldContain "'e' should be what save 1 holds"
                    failure.message shouldContain "The same holds for 'f', 'g', 'h'."
                }
            }
        }

        test("a program that only tries to save is told as well") {
            val disk = SimulatedDisk()
            ranks(2) {
                val program = Tide(this)
                program.open(disk, declare = FAULTS.first().declare).use {
                    program.advanceTo(10)
                    it.trySave(10)
                    program.advanceTo(20)
                    shouldThrow<CheckpointException.StateNotRestored> { it.trySave(20) }
                    (it.lastSave as Saved).step shouldBe 20
                }
            }
        }

        test("it costs two restores in a run, and no more") {
            val disk = SimulatedDisk()
            var calls = 0
            ranks(1) {
                val program = Tide(this)
                val declare: StateBuilder.(Tide) -> Unit = { tide ->
                    replicated("time", { tide.time }, { tide.time = it.also { calls++ } })
                }
                program.open(disk, declare = declare).use { checkpoints ->
                    for (step in 1L..5L) program.saveAt(step, checkpoints)
                }
            }
            calls shouldBe 2
        }

        test("an array that the program has exchanged without a word is named: its item did not change") {
            val disk = SimulatedDisk()
            val logged =
                loggedBy {
                    ranks(2) {
                        val program = Tide(this)
                        val declare: StateBuilder.(Tide) -> Unit = { tide ->
                            val declared = tide.cells
                            field("u", LINE, ElementType.LONG) { block(tide.box, declared) }
                            replicated("time", { tide.time }, { tide.time = it })
                        }
                        program.open(disk, declare = declare).use {
                            program.cells = LongArray(4)
                            program.saveAt(10, it)
                            program.saveAt(20, it)
                        }
                    }
                }
            logged shouldContain
                "INFO: check-restart: save 1 (step 10) and save 2 (step 20) were restored and compared: 2 items are " +
                "the same; 'u' did not change between the two, so the check does not cover that"
        }

        test("blocks that move with a value come back where they were at each of the two saves") {
            val disk = SimulatedDisk()
            val logged =
                loggedBy {
                    ranks(3) {
                        val mesh = Turning(rank)
                        open(disk, mesh) { mesh.turn(it) }.use { checkpoints ->
                            for (step in 1L..4L) {
                                mesh.turn(step)
                                checkpoints.save(step)
                            }
                        }
                        mesh.cells.asList() shouldBe Turning(rank).apply { turn(4) }.cells.asList()
                    }
                }
            logged shouldContain
                "INFO: check-restart: save 1 (step 1) and save 2 (step 2) were restored and compared: " +
                "2 items are the same"
        }

        test("blocks that do not follow the value which they depend on cannot be restored") {
            val disk = SimulatedDisk()
            ranks(3) {
                val mesh = Turning(rank)
                open(disk, mesh) { mesh.turns = it }.use { checkpoints ->
                    mesh.turn(1)
                    checkpoints.save(1)
                    mesh.turn(2)
                    shouldThrow<CheckpointException.StateNotRestored> { checkpoints.save(2) }.message shouldContain
                        "save 1 (step 1) could not be restored into the program, which held the state of save 2 " +
                        "(step 2)"
                }
            }
        }

        test("where only the newest is kept, the one before stays until it was compared") {
            val disk = SimulatedDisk()
            val logged =
                loggedBy {
                    ranks(2) {
                        val program = Tide(this)
                        program.open(disk, CHECKING.withOnlyNewest()).use {
                            program.saveAt(10, it)
                            program.saveAt(20, it)
                        }
                    }
                }
            logged shouldContain "INFO: ${ALL_RIGHT.substringBefore(';')}"
            savesIn(disk) shouldBe listOf(2)
        }

        test("saves of the same step are not compared, and those after them are") {
            val disk = SimulatedDisk()
            val logged =
                loggedBy {
                    ranks(1) {
                        val program = Tide(this)
                        program.open(disk).use {
                            program.saveAt(10, it)
                            program.saveAt(10, it)
                            program.saveAt(20, it)
                        }
                    }
                }
            logged.filter { "check-restart" in it } shouldBe
                listOf(
                    "INFO: check-restart: save 2 (step 10) and save 3 (step 20) were restored and compared: " +
                        "3 items are the same",
                )
        }

        test("a run with one save is told that nothing was checked") {
            val undone =
                "WARNING: tides.cairn: check-restart has checked nothing, since it takes two saves of different " +
                    "steps in one run. Let the program save more often, or run longer."
            val disk = SimulatedDisk()
            val logged =
                loggedBy {
                    ranks(2) {
                        val program = Tide(this)
                        program.open(disk).use { program.saveAt(10, it) }
                    }
                }
            logged.filter { it.startsWith("WARNING") } shouldBe listOf(undone)
            loggedBy { ranks(1) { Tide(this).open(SimulatedDisk()).close() } } shouldContain undone
            val unasked = CheckpointOptions()
            loggedBy { ranks(1) { Tide(this).open(SimulatedDisk(), unasked).close() } } shouldNotContain undone
        }

        test("a save that is damaged before it is compared is told as what it is, on all ranks") {
            val disk = SimulatedDisk()
            ranks(2) {
                val program = Tide(this)
                program.open(disk).use {
                    program.saveAt(10, it)
                    barrier()
                    if (rank == 0) disk.host("node0").delete(STORE.resolve("000001/data.sion"))
                    barrier()
                    shouldThrow<CheckpointException.DamagedOnly> { program.saveAt(20, it) }
                }
            }
        }

        test("a simulation ends with the code of what is refused, in both faces") {
            val directory = tempdir().toPath()
            val declare: StateBuilder.() -> Unit = { replicated("stuck", Codecs.LONG, ticking(), {}) }
            val words = arrayOf("--check-restart", "--every", "2")
            val inKotlin = SimulationOptions(directory = directory.resolve("kotlin.cairn"), rankCount = 2)
            runSimulation("kotlin", words, inKotlin) {
                state(declare)
                for (step in steps(until = 6)) continue
            } shouldBe ExitCode.REFUSED
            val inJava = SimulationOptions.DEFAULT.withDirectory(directory.resolve("java.cairn"))
            BlockingSimulation.run("java", words, inJava) { simulation ->
                simulation.state(declare)
                simulation.steps(6).forEach { _ -> }
            } shouldBe ExitCode.REFUSED
        }

        test("a Java program with a loop of its own is told in the same type") {
            val options = CheckpointOptions.DEFAULT.withCheckRestart(true)
            val disk = SimulatedDisk()
            BlockingRanks.run(2) { ranks ->
                val declare: StateBuilder.() -> Unit = { replicated("stuck", Codecs.LONG, ticking(), {}) }
                BlockingCheckpoints.open(ranks, STORE, options, disk.host("node0"), declare).use {
                    it.save(1)
                    shouldThrow<CheckpointException.StateNotRestored> { it.save(2) }.items shouldBe listOf("stuck")
                }
            }
        }
    })

private val STORE = Path.of("tides.cairn")
private val LOG_FILE = Path.of("tides.txt")
private val LINE = Shape.of(12)
private val CHECKING = CheckpointOptions(checkRestart = true)

private const val BEGINNING =
    "check-restart: save 1 (step 10) was restored into the program, which held the state of save 2 (step 20)."

private const val ADVICE =
    "So a restart does not restore that. A setter must keep its argument, on every rank; blocks and columns must be " +
        "the program's own arrays, not copies; a codec must read all bytes that it writes."

private const val END = "The program may now hold the state of no single step, so its run ends here. The saves stay."

private const val ALL_RIGHT =
    "check-restart: save 1 (step 10) and save 2 (step 20) were restored and compared: 3 items are the same; " +
        "'journal', 'levels' were left out, as all streams and outputs are"

/** A state on one of three ranks, each part of which is another one at each step. */
private class Tide(
    private val ranks: Communicator,
) {
    val rank = ranks.rank
    val box: Box get() = Box.of(longArrayOf(12L / ranks.size * rank), longArrayOf(12L / ranks.size))
    var time = 0.0
    var cells = LongArray(12 / ranks.size)
    var ids = LongArray(0)
    var name = ""
    var heard = 0

    fun advanceTo(step: Long) {
        time = step * 0.125
        cells.indices.forEach { cells[it] = 1000 * step + 100 * rank + it }
        ids = LongArray(step.toInt() % 7 + rank) { 100L * rank + it + step }
        name = "rank $rank at step $step"
    }

    suspend fun saveAt(
        step: Long,
        checkpoints: Checkpoints,
    ) {
        advanceTo(step)
        checkpoints.save(step)
    }

    suspend fun open(
        disk: SimulatedDisk,
        options: CheckpointOptions = CHECKING,
        declare: StateBuilder.(Tide) -> Unit = { it.declareIn(this) },
    ): Checkpoints = ranks.checkpoints(STORE, options, disk.host("node0")) { declare(this@Tide) }

    /** Without any fault. */
    fun declareIn(state: StateBuilder) {
        state.field("u", LINE, ElementType.LONG) { block(box, cells) }
        state.replicated("time", { time }, { time = it })
        state.table("rows") {
            longs("id", { ids }, { ids = it })
            positionFree()
        }
    }

    override fun toString() = "$time, ${cells.asList()}, ${ids.asList()}, $heard"
}

/** Blocks of different sizes that go round the ranks. */
private class Turning(
    private val rank: Int,
) {
    var turns = 0L
    var cells = LongArray(sizeAt(0))

    private fun place(turns: Long) = (rank + turns.toInt()) % SIZES.size

    private fun sizeAt(turns: Long) = SIZES[place(turns)]

    private val start get() = SIZES.take(place(turns)).sum().toLong()

    val box: Box get() = Box.of(longArrayOf(start), longArrayOf(sizeAt(turns).toLong()))

    fun turn(turns: Long) {
        this.turns = turns
        cells = LongArray(sizeAt(turns)) { 100 * turns + box.start(0) + it }
    }

    private companion object {
        val SIZES = listOf(3, 4, 5)
    }
}

private suspend fun Communicator.open(
    disk: SimulatedDisk,
    mesh: Turning,
    take: (Long) -> Unit,
) = checkpoints(STORE, CHECKING, disk.host("node0")) {
    replicated("turns", { mesh.turns }, take)
    field("u", LINE, ElementType.LONG) { block(mesh.box, mesh.cells) }
}

/** A program with a fault in what it declares. */
private class Planted(
    val what: String,
    val item: String,
    val sentence: String,
    val declare: StateBuilder.(Tide) -> Unit,
)

private val FAULTS =
    listOf(
        Planted(
            "a setter that does nothing",
            "time",
            "The replicated 'time' should be what save 1 holds, but on ranks 0-2 it is still what save 2 holds.",
        ) { tide -> replicated("time", { tide.time }, {}) },
        Planted(
            "a setter that does nothing on one rank",
            "time",
            "The replicated 'time' should be what save 1 holds, but on rank 1 it is still what save 2 holds.",
        ) { tide -> replicated("time", { tide.time }, { if (tide.rank != 1) tide.time = it }) },
        Planted(
            "a block that is a copy",
            "u",
            "The field 'u' should be what save 1 holds, but it is still what save 2 holds.",
        ) { tide -> field("u", LINE, ElementType.LONG) { block(tide.box, tide.cells.copyOf()) } },
        Planted(
            "a supplier of copies on one rank",
            "u",
            "The field 'u' should be what save 1 holds, but it is what neither save holds.",
        ) { tide ->
            field("u", LINE, ElementType.LONG) {
                block(tide.box) { if (tide.rank == 2) tide.cells.copyOf() else tide.cells }
            }
        },
        Planted(
            "a column that the program does not take",
            "rows",
            "The table 'rows' should be what save 1 holds, but it is still what save 2 holds.",
        ) { tide -> table("rows") { longs("id", { tide.ids }, {}).also { positionFree() } } },
        Planted(
            "a private value that one rank does not take",
            "name",
            "The perRank 'name' should be what save 1 holds, but it is what neither save holds.",
        ) { tide -> perRank("name", { tide.name }, { if (tide.rank != 2) tide.name = it }) },
        Planted(
            "a codec that loses something",
            "name",
            "The perRank 'name' should be what save 1 holds, but it is what neither save holds.",
        ) { tide -> perRank("name", Forgetful, { tide.name }, { tide.name = it }) },
        Planted(
            "an accumulator that adds what comes back",
            "sum",
            "The accumulator 'sum' should be what save 1 holds, but it is what neither save holds.",
        ) { tide -> accumulator("sum", { tide.time }, { tide.time += it }, 0.0, Double::plus) },
    )

/** Does not read the last character. */
private object Forgetful : Codec<String> {
    override val format get() = Codecs.TEXT.format

    override fun encode(value: String) = Codecs.TEXT.encode(value)

    override fun decode(bytes: ByteBuffer) = Codecs.TEXT.decode(bytes).dropLast(1)
}

/** A value that changes each time it is asked for, and is the same on all ranks that ask alike. */
private fun ticking(): () -> Long {
    var count = 0L
    return { count++ }
}

/** What a run of four saves and a restart leaves. */
private class Tides(
    val manifests: List<String>,
    val heard: List<String>,
    val ends: List<String>,
    val logged: List<String>,
)

/** Runs the program without any fault, with a stream and an output, until step 40, and restarts it. */
private suspend fun tidesOf(
    world: World,
    options: CheckpointOptions,
): Tides {
    val disk = SimulatedDisk()
    val files = disk.host("node0")
    val heard = mutableListOf<String>()
    val ends = mutableListOf<String>()
    val listening =
        options.withKeepLast(9).withListener {
            heard += if (it is Saved) "saved ${it.number}" else "$it"
        }
    val declare: StateBuilder.(Tide) -> Unit = { tide ->
        tide.declareIn(this)
        stream("journal", { it.write(tide.rank) }, { source -> tide.heard += source.readAllBytes().size })
        output("levels", LOG_FILE, files = files)
    }
    val logged =
        loggedBy {
            ends +=
                world.play {
                    val program = Tide(this)
                    program.open(disk, listening, declare).use { checkpoints ->
                        for (step in 10L..40L step 10) {
                            program.advanceTo(step)
                            if (rank == 0) files.append("step $step\n")
                            checkpoints.save(step)
                        }
                        "$program, ${(checkpoints.lastSave as Saved).number}"
                    }
                }
        }
    ends +=
        world.play {
            val program = Tide(this)
            program.open(disk, CheckpointOptions(), declare).use { "${it.restore()}: $program" }
        }
    ends += "${files.open(LOG_FILE, Access.READ).use { it.size() }} bytes"
    val manifests = savesIn(disk).map { factsOf(files, it) }
    return Tides(manifests, heard, ends, logged.filterNot { it.startsWith("INFO: save ") })
}

private fun BlockStore.append(text: String) {
    val bytes = ByteBuffer.wrap(text.encodeToByteArray())
    val file = if (exists(LOG_FILE)) open(LOG_FILE, Access.READ_WRITE) else create(LOG_FILE)
    file.use { it.write(it.size(), bytes) }
}

private fun factsOf(
    files: BlockStore,
    save: Int,
): String = manifestOf(files, STORE, save).let { "${it.save}, ${it.step}, ${it.parent}, ${it.history}, ${it.items}" }

private fun savesIn(disk: SimulatedDisk): List<Int> =
    checkpointStore(disk.host("node0"), STORE)
        .survey()
        .saves
        .map { it.number }
        .sorted()
