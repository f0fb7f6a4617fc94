package dev.cairn.benchmarks.sections

import dev.cairn.Checkpoints
import dev.cairn.NetcdfOutput
import dev.cairn.benchmarks.baseline.writeLocalArrays
import dev.cairn.checkpoints
import dev.cairn.options.CheckpointOptions
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.allReduce
import dev.cairn.sion.store.BlockStore
import dev.cairn.state.ElementType
import java.nio.ByteBuffer
import java.nio.file.Path

/**
 * The times of one round, in seconds.
 *
 * @property waited of all appends and of the save behind them, until the program goes on
 * @property flush of all records into the file
 * @property bare of files in the directory of the logs, with the same bytes
 * @property single of one writer of the same bytes into one shared file
 */
internal class OutputRound(val waited: Double, val flush: Double, val bare: Double, val single: Double)

/** The ways to write [recordCount] records of [columns], one after the other; the next round has the reverse order. */
internal class OutputRounds(
    private val ranks: Communicator,
    private val columns: ColumnBlocks,
    private val recordCount: Int,
    private val directory: Path,
    private val stage: Path,
    private val files: BlockStore,
) {
    private val box = columns.box(ranks.rank)
    private val cells = columns.cells(box)
    private val all by lazy { DoubleArray(recordCount * columns.rowCount * columns.rowCells) }
    private val own = ByteBuffer.allocateDirect(cells.size * Double.SIZE_BYTES)

    /** Collective: runs rounds, of which the first [warmUpCount] are not returned. */
    suspend fun run(warmUpCount: Int, count: Int): List<OutputRound> =
        rounds(warmUpCount, count) { round ->
            val (waited, flush, bare, single) = inTurn(round, ::waited, ::flushed, ::bare, ::single)
            OutputRound(waited, flush, bare, single)
        }

    private suspend fun waited(): Double =
        withOutput { checkpoints, out ->
            timed {
                repeat(recordCount) { out.append() }
                checkpoints.saveAsync(1)
            }.also { checkpoints.awaitSaves() }
        }

    private suspend fun flushed(): Double =
        withOutput { _, out ->
            repeat(recordCount) { out.append() }
            timed { out.flush() }
        }

    private suspend fun withOutput(work: suspend (Checkpoints, NetcdfOutput) -> Double): Double {
        val file = directory.resolve("output.nc")
        var out: NetcdfOutput? = null
        return ranks
            .checkpoints(directory.resolve("output.cairn"), CheckpointOptions(), files) {
                out =
                    netcdf(file, files) {
                        this.stage = this@OutputRounds.stage
                        variable("columns", columns.shape, ElementType.DOUBLE) { block(box, cells) }
                    }.named("out").value
            }.use {
                it.restore()
                work(it, checkNotNull(out))
            }.also { clear() }
    }

    private suspend fun bare(): Double {
        if (ranks.rank == 0 && !files.exists(stage)) files.makeDirectory(stage)
        ranks.barrier()
        val seconds =
            timed {
                files.create(stage.resolve("bare.${ranks.rank}")).use { file ->
                    for (record in 0L until recordCount) {
                        own.clear().asDoubleBuffer().put(cells)
                        file.write(record * own.capacity(), own)
                    }
                }
            }
        clear()
        return seconds
    }

    private suspend fun single(): Double {
        val seconds =
            timed {
                if (ranks.rank == 0) writeLocalArrays(listOf(all), listOf(directory.resolve("single")), files, PIECE)
            }
        clear()
        return seconds
    }

    /** From the first rank's begin to the end of the last one: some threads run all ranks, and a write keeps one. */
    private suspend fun timed(job: suspend () -> Unit): Double {
        ranks.barrier()
        val begin = ranks.allReduce(System.nanoTime(), Math::min)
        job()
        return (ranks.allReduce(System.nanoTime(), Math::max) - begin) / 1e9
    }

    private suspend fun clear() {
        ranks.barrier()
        if (ranks.rank == 0) directory.clear()
        ranks.barrier()
    }

    private companion object {
        const val PIECE = 4 shl 20
    }
}
