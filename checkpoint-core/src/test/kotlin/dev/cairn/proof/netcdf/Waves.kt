package dev.cairn.proof.netcdf

import dev.cairn.Simulation
import dev.cairn.comm.plan.RankPlan
import dev.cairn.concentrate.Concentrators
import dev.cairn.event.ExitCode
import dev.cairn.grid.Box
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.ranks.ranks
import dev.cairn.runSimulation
import dev.cairn.simulate
import dev.cairn.sion.netcdf.NetcdfType
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.PARENT
import java.nio.ByteBuffer
import java.nio.file.Path

/**
 * A program whose every record differs, and whose variables leave padding between them: fields of doubles and of shorts, a number, and
 * a variable of which the ranks put some cells one by one.
 *
 * @property every the steps between two records
 * @property writers the concentrators of a number of ranks
 * @property stage where what it puts waits; in memory if null
 * @property through what lies between the program and the file system of a host
 */
internal class Waves(
    private val until: Long = 20,
    private val every: Long = 3,
    private val writers: (rankCount: Int) -> Concentrators = { Concentrators.perHost(1) },
    private val stage: Path? = null,
    private val through: (host: String, BlockStore) -> BlockStore = { _, door -> door },
) {
    private val shape = Shape.of(5, 7)

    /** Runs it on [disk]; [atStep] is called on each rank at the end of each step. */
    suspend fun run(
        disk: SimulatedDisk,
        plan: RankPlan,
        vararg arguments: String,
        atStep: suspend Simulation.(Long) -> Unit = {},
    ): List<ExitCode> =
        ranks(plan) {
            val files = through(host, disk.host(host))
            simulate("waves", arrayOf("--dir", "$PARENT/waves.cairn", *arguments), files = files) {
                waves(FILE, atStep)
            }
        }

    /** Runs it in this process, or in those of a launcher, with real [files]. */
    suspend fun run(
        file: Path,
        arguments: Array<String>,
        files: BlockStore,
    ): ExitCode = runSimulation("waves", arguments, files) { waves(file) }

    private suspend fun Simulation.waves(
        file: Path,
        atStep: suspend Simulation.(Long) -> Unit = {},
    ) {
        val u by doubles(Decomposition.blocks(shape, size)) { (i, j) -> 10.0 * i + j }
        val marks by field<ShortArray>(Decomposition.rows(shape, size))
        var time by replicated(0.0)
        val writing = writers(size)
        val out by netcdf(file) {
            concentrators = writing
            stage = this@Waves.stage
            attribute("title", "waves")
            constant("y", byteArrayOf(0, 2, 4, 6, 8), units = "m")
            variable("time", units = "s") { time }
            variable(marks, "marks").attribute("long_name", "the step")
            variable(u, "temperature", units = "K", type = NetcdfType.FLOAT)
            variable("probes", NetcdfType.BYTE, Shape.of(9), dimensions = listOf("probe"))
        }
        for (step in steps(until)) {
            for (cell in u.data.indices) u.data[cell] += 0.5
            marks.blocks.forEach { block -> block.cells.fill(step.toShort()) }
            time += 0.1
            if (step % every == 0L) {
                val record = step / every
                out.append()
                // One rank or another, so that the cells do not depend on the number of ranks.
                if (rank == (record % size).toInt()) {
                    out.put(
                        "probes",
                        record,
                        Box.of(longArrayOf(record % 8), longArrayOf(2)),
                        byteArrayOf(1, record.toByte()),
                    )
                }
            }
            atStep(step)
        }
    }

    companion object {
        val FILE: Path = PARENT.resolve("waves.nc")
        val STAGE: Path = PARENT.resolve("stage")
    }
}

/** All bytes of a file. */
internal fun BlockStore.bytesOf(file: Path): ByteArray =
    open(file, Access.READ).use { opened ->
        ByteBuffer.allocate(opened.size().toInt()).also { opened.readFully(0, it) }.array()
    }
