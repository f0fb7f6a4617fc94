package dev.cairn.benchmarks.sections

import dev.cairn.Checkpoints
import dev.cairn.NetcdfOutput
import dev.cairn.checkpoints
import dev.cairn.options.CheckpointOptions
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.allReduce
import dev.cairn.sion.store.BlockFile
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
    private val own = ByteBuffer.allocateDirect(cells.size * Double.SIZE_BYTES)

    /** Collective: runs rounds, of which the first [warmUpCount] are not returned. */
    suspend fun run(warmUpCount: Int, count: Int): List<OutputRound> =
        List(warmUpCount + count) { round(it) }.drop(warmUpCount)

    private suspend fun round(number: Int): OutputRound {
        if (number % 2 == 0) {
            val (waited, flush) = waited() to flushed()
            return OutputRound(waited, flush, bare(), single())
        }
        val (single, bare) = single() to bare()
        val flush = flushed()
        return OutputRound(waited(), flush, bare, single)
    }

    private suspend fun waited(): Double {
        var seconds = 0.0
        withOutput { checkpoints, out ->
            seconds =
                timed {
                    repeat(recordCount) { out.append() }
                    checkpoints.saveAsync(1)
                }
            checkpoints.awaitSaves()
        }
        return seconds
    }

    private suspend fun flushed(): Double {
        var seconds = 0.0
        withOutput { _, out ->
            repeat(recordCount) { out.append() }
            seconds = timed { out.flush() }
        }
        return seconds
    }

    private suspend fun withOutput(work: suspend (Checkpoints, NetcdfOutput) -> Unit) {
        val file = directory.resolve("output.nc")
        var out: NetcdfOutput? = null
        ranks
            .checkpoints(directory.resolve("output.cairn"), CheckpointOptions(), files) {
                out =
                    netcdf(file, files) {
                        this.stage = this@OutputRounds.stage
                        variable("columns", columns.shape, ElementType.DOUBLE) { block(box, cells) }
                    }.named("out").value
            }.use {
                it.restore()
                work(it, checkNotNull(out))
            }
        clear()
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
                if (ranks.rank == 0) {
                    files.create(directory.resolve("single")).use { file ->
                        writePieces(file, recordCount * columns.byteCount)
                        file.force()
                    }
                }
            }
        clear()
        return seconds
    }

    private fun writePieces(file: BlockFile, size: Long) {
        val piece = ByteBuffer.allocateDirect(PIECE)
        for (position in 0 until size step PIECE.toLong()) {
            file.write(position, piece.clear().limit(minOf(PIECE.toLong(), size - position).toInt()))
        }
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
        if (ranks.rank == 0) directory.toFile().listFiles()!!.forEach { it.deleteRecursively() }
        ranks.barrier()
    }

    private companion object {
        const val PIECE = 4 shl 20
    }
}
