package dev.cairn.proof.netcdf

import dev.cairn.DoubleField
import dev.cairn.Field
import dev.cairn.NetcdfBuilder
import dev.cairn.NetcdfOutput
import dev.cairn.Simulation
import dev.cairn.concentrate.Concentrators
import dev.cairn.event.CheckpointEvent
import dev.cairn.event.ExitCode
import dev.cairn.grid.Box
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.options.SimulationOptions
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.ranks
import dev.cairn.runSimulation
import dev.cairn.simulate
import dev.cairn.sion.netcdf.NetcdfType
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.PARENT
import dev.cairn.store.SaveNames
import java.nio.ByteBuffer
import java.nio.file.Path
import java.util.function.Consumer

/** The cells that a record has: those of sources, single puts, or both. */
internal enum class Cells {
    APPENDED,
    PUT,
    BOTH,
}

/** Declares the output "out" of a simulation. */
internal typealias OutputDeclaration = Simulation.(Path, NetcdfBuilder.() -> Unit) -> NetcdfOutput

/**
 * A program whose every record differs, and whose variables leave padding between them: fields of doubles and of shorts, a number, and
 * a variable of which the ranks put some cells one by one.
 *
 * @property every the steps between two records
 * @property rise the parameter of the program, which all records after a step with it show
 * @property writers the concentrators of a number of ranks
 * @property stage where what it puts waits; in memory if null
 * @property declared how the output is declared
 * @property through what lies between the program and the file system of a host
 */
internal class Waves(
    private val until: Long = 20,
    private val every: Long = 3,
    private val cells: Cells = Cells.BOTH,
    private val rise: (step: Long) -> Int = { 1 },
    private val writers: (rankCount: Int) -> Concentrators = { Concentrators.perHost(1) },
    private val stage: Path? = null,
    private val declared: OutputDeclaration = USUAL,
    private val listener: Consumer<CheckpointEvent> = Consumer<CheckpointEvent> { },
    private val through: (host: String, BlockStore) -> BlockStore = { _, door -> door },
) {
    private val shape = Shape.of(5, 7)

    /** A digit for each step of the branch on which rank 0 is: the rise in it. */
    var course = ""
        private set

    /** Runs it on [disk]; [atStep] is called on each rank at the end of each step. */
    suspend fun run(
        disk: SimulatedDisk,
        plan: RankPlan,
        vararg arguments: String,
        atStep: suspend Simulation.(Long) -> Unit = {},
    ): List<ExitCode> =
        ranks(plan) {
            val files = through(host, disk.host(host))
            val options = SimulationOptions { checkpoints { listener(listener) } }
            simulate("waves", arrayOf("--dir", "$STORE", *arguments), options, files) {
                waves(FILE, atStep)
            }
        }

    /** Runs it in this process, or in those of a launcher, with real [files]. */
    suspend fun run(file: Path, arguments: Array<String>, files: BlockStore): ExitCode =
        runSimulation("waves", arguments, files) { waves(file) }

    private suspend fun Simulation.waves(file: Path, atStep: suspend Simulation.(Long) -> Unit = {}) {
        val u by doubles(Decomposition.blocks(shape, size)) { (i, j) -> 10.0 * i + j }
        val marks by field<ShortArray>(Decomposition.rows(shape, size))
        var time by replicated(0.0)
        var past by replicated("")
        val writing = writers(size)
        val out = declared(file) { variables(u, marks, writing) { time } }
        for (step in steps(until)) {
            val present = rise(step)
            past += present
            if (rank == ROOT) course = past
            for (cell in u.data.indices) u.data[cell] += 0.5 * present
            marks.blocks.forEach { block -> block.cells.fill(step.toShort()) }
            time += 0.1 * present
            if (step % every == 0L) out.write(step / every, this, present)
            atStep(step)
        }
    }

    private fun NetcdfBuilder.variables(
        u: DoubleField,
        marks: Field<ShortArray>,
        writing: Concentrators,
        time: () -> Double,
    ) {
        concentrators = writing
        stage = this@Waves.stage
        attribute("title", "waves")
        constant("y", byteArrayOf(0, 2, 4, 6, 8), units = "m")
        if (cells != Cells.PUT) {
            variable("time", units = "s") { time() }
            variable(marks, "marks").attribute("long_name", "the step")
            variable(u, "temperature", units = "K", type = NetcdfType.FLOAT)
        }
        if (cells != Cells.APPENDED) variable("probes", NetcdfType.BYTE, Shape.of(9), dimensions = listOf("probe"))
    }

    private suspend fun NetcdfOutput.write(record: Long, program: Simulation, rise: Int) {
        if (cells != Cells.PUT) append()
        // One rank or another, so that the cells do not depend on the number of ranks.
        if (cells == Cells.APPENDED || program.rank != (record % program.size).toInt()) return
        val box = Box.of(longArrayOf(record % 8), longArrayOf(2))
        put("probes", record, box, byteArrayOf(rise.toByte(), record.toByte()))
    }

    companion object {
        val USUAL: OutputDeclaration = { file, declare ->
            val out by netcdf(file, declare = declare)
            out
        }
        val STORE: Path = PARENT.resolve("waves.cairn")
        val FILE: Path = PARENT.resolve("waves.nc")
        val STAGE: Path = PARENT.resolve("stage")
    }
}

/** All bytes of a file. */
internal fun BlockStore.bytesOf(file: Path): ByteArray =
    open(file, Access.READ).use { opened ->
        ByteBuffer.allocate(opened.size().toInt()).also { opened.readFully(0, it) }.array()
    }

/** The numbers of the committed saves of [Waves], in order. */
internal fun BlockStore.committedWaves(): List<Int> =
    if (!exists(Waves.STORE)) {
        emptyList()
    } else {
        list(Waves.STORE)
            .filter { "${it.fileName}".all(Char::isDigit) && exists(it.resolve(SaveNames.MANIFEST)) }
            .map { "${it.fileName}".toInt() }
            .sorted()
    }
