package dev.cairn

import dev.cairn.checkpoint.checkpointStore
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.ExitCode
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.event.shouldThrowFor
import dev.cairn.grid.Box
import dev.cairn.java.BlockingCheckpoints
import dev.cairn.java.BlockingRanks
import dev.cairn.java.BlockingSimulation
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.SimulationOptions
import dev.cairn.proof.log.loggedBy
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.Codec
import dev.cairn.state.Codecs
import dev.cairn.state.ElementType
import dev.cairn.state.StreamCodec
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldEndWith
import io.kotest.matchers.string.shouldStartWith
import kotlinx.serialization.Serializable
import kotlinx.serialization.Transient
import java.io.InputStream
import java.io.OutputStream
import java.nio.ByteBuffer
import java.nio.file.Path
import java.util.Random

/** What check-restart finds in programs with planted faults, what it lets pass, and that it leaves no trace. */
class CheckRestartSpec :
    FunSpec({
        for (world in World.entries) {
            for (fault in PLANTED_FAULTS) {
                test("$world: ${fault.what} is found, and all ranks throw") {
                    val disk = SimulatedDisk()
                    world.play {
                        val program = Tide(this)
                        program.open(disk, declare = fault.declare).use {
                            program.saveAt(10, it)
                            val failure =
                                shouldThrowFor<CheckpointException.StateDiffers>(
                                    Reason.NOT_RESTORED,
                                ) { program.saveAt(20, it) }
                            failure.items shouldBe listOf(fault.item)
                            failure.message shouldBe "$BEGINNING ${fault.sentence} $ADVICE $END"
                            failure.failures.map { failed -> failed.rank } shouldBe listOf(0)
                        }
                    }
                }
            }

            val setters =
                mapOf<String, Tide.(LongArray) -> Unit>(
                    "does not take a column" to {},
                    "puts rows back in reverse on two ranks" to { ids = if (rank == 0) it else it.reversedArray() },
                )
            for ((what, set) in setters) {
                test("$world: a setter of a table that $what is found by the restore itself") {
                    val disk = SimulatedDisk()
                    world.play {
                        val program = Tide(this)
                        val declare: StateBuilder.(Tide) -> Unit = { tide ->
                            table("rows") {
                                column("id", { tide.ids }, { tide.set(it) })
                                positionFree()
                            }
                        }
                        program.open(disk, declare = declare).use {
                            program.saveAt(10, it)
                            val failure =
                                shouldThrowFor<CheckpointException.StateDiffers>(
                                    Reason.NOT_RESTORED,
                                ) { program.saveAt(20, it) }
                            failure.message.toString() shouldContain
                                "the program does not have the rows of the table 'rows' that were saved: "
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
                        val failure =
                            shouldThrowFor<CheckpointException.StateDiffers>(
                                Reason.NOT_RESTORED,
                            ) { program.saveAt(20, it) }
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

            test("$world: a program that restores all of its state continues as if it had not been checked") {
                val (plain, checked) = listOf(CheckpointOptions(), Tide.CHECKING).map { tidesOf(world, it) }
                checked.manifests shouldBe plain.manifests
                checked.heard shouldBe plain.heard
                checked.ends shouldBe plain.ends
                checked.logged - plain.logged.toSet() shouldBe
                    listOf("INFO: $ALL_RIGHT", "WARNING: $UNREAD")
            }
        }

        for ((what, declare) in LOSSY) {
            test("$what loses data, which is found before anything in the program is changed") {
                val disk = SimulatedDisk()
                ranks(2) {
                    val program = Tide(this)
                    program.open(disk, declare = declare).use {
                        program.saveAt(10, it)
                        val failure =
                            shouldThrowFor<CheckpointException.StateDiffers>(
                                Reason.NOT_RESTORED,
                            ) { program.saveAt(20, it) }
                        failure.items shouldBe listOf("lossy")
                        failure.message shouldBe
                            "check-restart: the codec or serializer of 'lossy' reads another value than was written, " +
                            "so a restart does not restore that. Nothing of the program was changed, and the saves " +
                            "stay, but they lack what is lost: store all that a value holds, or leave the rest out " +
                            "of its equals()."
                    }
                    program.time shouldBe 2.5
                    program.name shouldBe "rank $rank at step 20"
                }
            }
        }

        test("the program has its own objects again, with what no save holds of them") {
            val disk = SimulatedDisk()
            ranks(2) {
                var noted = Noted(0)
                val listed = mutableListOf(Noted(0))
                var journal = Noted(0)
                checkpoints(Tide.STORE, Tide.CHECKING, disk.host("node0")) {
                    perRank("noted", { noted }, { noted = it })
                    replicated("listed", { listed }, {
                        listed.clear()
                        listed.addAll(it)
                    })
                    stream("journal", NotedStream, { journal }, { journal = it })
                }.use {
                    it.save(1)
                    noted = Noted(2).apply { note = 20 }
                    listed += Noted(2)
                    journal = Noted(2).apply { note = 20 }
                    it.save(2)
                }
                listOf(noted.note, journal.note) shouldBe listOf(20, 20)
                listed shouldBe listOf(Noted(0), Noted(2))
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
                    shouldThrowFor<CheckpointException.StateDiffers>(
                        Reason.NOT_RESTORED,
                    ) { program.saveAt(20, it) }.message shouldBe
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
                    val failure =
                        shouldThrowFor<CheckpointException.StateDiffers>(Reason.NOT_RESTORED) { program.saveAt(20, it) }
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
                program.open(disk, declare = PLANTED_FAULTS.first().declare).use {
                    program.advanceTo(10)
                    it.trySave(10)
                    program.advanceTo(20)
                    shouldThrowFor<CheckpointException.StateDiffers>(Reason.NOT_RESTORED) { it.trySave(20) }
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
                            field("u", Tide.LINE, ElementType.LONG) { block(tide.box, declared) }
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
                        val mesh = RotatingBlocks(rank)
                        open(disk, mesh) { mesh.turn(it) }.use { checkpoints ->
                            for (step in 1L..4L) {
                                mesh.turn(step)
                                checkpoints.save(step)
                            }
                        }
                        mesh.cells.asList() shouldBe RotatingBlocks(rank).apply { turn(4) }.cells.asList()
                    }
                }
            logged shouldContain
                "INFO: check-restart: save 1 (step 1) and save 2 (step 2) were restored and compared: " +
                "2 items are the same"
        }

        test("blocks that do not follow the value which they depend on cannot be restored") {
            val disk = SimulatedDisk()
            ranks(3) {
                val mesh = RotatingBlocks(rank)
                open(disk, mesh) { mesh.turns = it }.use { checkpoints ->
                    mesh.turn(1)
                    checkpoints.save(1)
                    mesh.turn(2)
                    shouldThrowFor<CheckpointException.StateDiffers>(
                        Reason.NOT_RESTORED,
                    ) { checkpoints.save(2) }.message shouldContain
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
                        program.open(disk, CheckpointOptions(Tide.CHECKING) { keepOnlyNewest() }).use {
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

        test("where only streams and outputs are declared, the check says that nothing was compared") {
            val disk = SimulatedDisk()
            val logged =
                loggedBy {
                    ranks(2) {
                        val program = Tide(this)
                        val declare: StateBuilder.(Tide) -> Unit = { tide ->
                            stream("journal", { it.write(tide.rank) }, { source -> source.readAllBytes() })
                        }
                        program.open(disk, declare = declare).use {
                            program.saveAt(10, it)
                            program.saveAt(20, it)
                        }
                    }
                }
            logged shouldContain
                "WARNING: check-restart: save 1 (step 10) and save 2 (step 20) were restored: nothing was compared"
        }

        test("rows come back on each rank in the order in which they were saved, if the number of ranks is the same") {
            val disk = SimulatedDisk()
            val random = Random(SEED)
            val saved = List(3) { LongArray(200_000 + random.nextInt(9)) { random.nextLong() } }
            for (isRestart in listOf(false, true)) {
                ranks(3) {
                    var own = if (isRestart) LongArray(0) else saved[rank]
                    checkpoints(Tide.STORE, files = disk.host("node0")) {
                        table("rows") {
                            column("id", { own }, { own = it })
                            positionFree()
                        }
                    }.use { if (isRestart) it.restore() else it.save(1) }
                    withClue("seed $SEED, rank $rank") { own.contentEquals(saved[rank]) shouldBe true }
                }
            }
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
                    if (rank == 0) disk.host("node0").delete(Tide.STORE.resolve("000001/data.sion"))
                    barrier()
                    shouldThrowFor<CheckpointException.Damaged>(Reason.NONE_GOOD) { program.saveAt(20, it) }
                }
            }
        }

        test("a simulation ends with the code of what is refused, in both faces") {
            val directory = tempdir().toPath()
            val declare: StateBuilder.() -> Unit = { replicated("stuck", Codecs.LONG, ticking(), {}) }
            val words = arrayOf("--check-restart", "--every", "2")
            val inKotlin =
                SimulationOptions {
                    this.directory = directory.resolve("kotlin.cairn")
                    rankCount = 2
                }
            runSimulation("kotlin", words, inKotlin) {
                declare()
                for (step in steps(until = 6)) continue
            } shouldBe ExitCode.REFUSED
            val inJava = SimulationOptions.builder().directory(directory.resolve("java.cairn")).build()
            BlockingSimulation.run("java", words, inJava) { simulation ->
                simulation.declare()
                simulation.steps(6).forEach { _ -> }
            } shouldBe ExitCode.REFUSED
        }

        test("a Java program with a loop of its own is told in the same type") {
            val options = CheckpointOptions.builder().checkRestart(true).build()
            val disk = SimulatedDisk()
            BlockingRanks.run(2) { ranks ->
                val declare: StateBuilder.() -> Unit = { replicated("stuck", Codecs.LONG, ticking(), {}) }
                BlockingCheckpoints.open(ranks, Tide.STORE, options, disk.host("node0"), declare = declare).use {
                    it.save(1)
                    shouldThrowFor<CheckpointException.StateDiffers>(Reason.NOT_RESTORED) { it.save(2) }.items shouldBe
                        listOf("stuck")
                }
            }
        }
    })

private val LOSSY: List<Pair<String, StateBuilder.(Tide) -> Unit>> =
    listOf(
        "a codec that reads less than it writes" to
            { tide -> perRank("lossy", TruncatingCodec, { tide.name }, { tide.name = it }) },
        "a codec that writes the same bytes again" to
            { tide -> replicated("lossy", IntegerCodec, { tide.time }, { tide.time = it }) },
        "a serializer that leaves a property out" to
            { tide -> replicated("lossy", { Reckoned(1, tide.time) }, { tide.time = it.time }) },
    )

/** Drops the last character when it decodes. */
private object TruncatingCodec : Codec<String> {
    override val format get() = Codecs.TEXT.format

    override fun encode(value: String) = Codecs.TEXT.encode(value)

    override fun decode(bytes: ByteBuffer) = Codecs.TEXT.decode(bytes).dropLast(1)
}

/** Drops the fraction when it encodes. */
private object IntegerCodec : Codec<Double> {
    override val format get() = "integer"

    override fun encode(value: Double) = Codecs.LONG.encode(value.toLong())

    override fun decode(bytes: ByteBuffer) = Codecs.LONG.decode(bytes).toDouble()
}

@Serializable
private data class Reckoned(
    val step: Int,
    @Transient val time: Double = 0.0,
)

/** Its equals() does not know of the note. */
@Serializable
private data class Noted(val step: Int) {
    @Transient var note = 0
}

private object NotedStream : StreamCodec<Noted> {
    override fun write(target: OutputStream, value: Noted) = target.write(value.step)

    override fun read(source: InputStream) = Noted(source.read())
}

private const val SEED = 20260117L

private val LOG_FILE = Path.of("tides.txt")

private const val BEGINNING =
    "check-restart: save 1 (step 10) was restored into the program, which held the state of save 2 (step 20)."

private const val ADVICE =
    "So a restart does not restore that. A setter must keep its argument everywhere; arrays must be the program's " +
        "own, not copies; a codec must read all bytes that it writes."

private const val END = "The program may now hold the state of no single step, so its run ends here. The saves stay."

private const val ALL_RIGHT =
    "check-restart: save 1 (step 10) and save 2 (step 20) were restored and compared: 3 items are the same; " +
        "'levels' was left out, as all outputs are"

private const val UNREAD =
    "check-restart: whether the stream 'journal' can be read is not checked before a restart, since reading changes " +
        "the program. Declare it with a StreamCodec, such as Codecs.textStream."

/** Blocks of different sizes that rotate among the ranks. */
private class RotatingBlocks(private val rank: Int) {
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

private suspend fun Communicator.open(disk: SimulatedDisk, mesh: RotatingBlocks, take: (Long) -> Unit) =
    checkpoints(Tide.STORE, Tide.CHECKING, disk.host("node0")) {
        replicated("turns", { mesh.turns }, take)
        field("u", Tide.LINE, ElementType.LONG) { block(mesh.box, mesh.cells) }
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
private suspend fun tidesOf(world: World, options: CheckpointOptions): Tides {
    val disk = SimulatedDisk()
    val files = disk.host("node0")
    val heard = mutableListOf<String>()
    val ends = mutableListOf<String>()
    val listening =
        CheckpointOptions(options) {
            keepLast = 9
            listener {
                heard += if (it is Saved) "saved ${it.number}" else "$it"
            }
        }
    val declare: StateBuilder.(Tide) -> Unit = { tide ->
        tide.declareIn(this)
        stream("journal", { it.write(tide.rank) }, { source -> tide.heard += source.readAllBytes().size })
        appendedFile("levels", LOG_FILE, files = files)
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

private fun factsOf(files: BlockStore, save: Int): String =
    manifestOf(files, Tide.STORE, save).let {
        "${it.save}, ${it.step}, ${it.parent}, ${it.history}, ${it.items}"
    }

private fun savesIn(disk: SimulatedDisk): List<Int> =
    checkpointStore(disk.host("node0"), Tide.STORE)
        .survey()
        .saves
        .map { it.number }
        .sorted()
