package dev.cairn.benchmarks.sections

import dev.cairn.benchmarks.baseline.writeLocalArrays
import dev.cairn.benchmarks.baseline.writeStridedRuns
import dev.cairn.output.writeArrays
import dev.cairn.ranks.Communicator
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.nio.file.Path

/**
 * The times of one round, in seconds.
 *
 * @property concentrated of one file through concentrators
 * @property single of a single writer of the same bytes
 * @property strided of ranks that each write their own runs, at the rate of the rows that they have written
 */
internal class ColumnRound(val concentrated: Double, val single: Double, val strided: Double)

/**
 * The ways to write [columns] into a file, one after the other; the next round has the reverse order. All force their
 * file.
 *
 * @param stridedRows how many rows the ranks write for themselves: each run is a write, which takes long on a throttled
 *     store
 */
internal class ColumnRounds(
    private val ranks: Communicator,
    private val columns: ColumnBlocks,
    directory: Path,
    private val files: BlockStore,
    private val stridedRows: Int,
) {
    private val rank = ranks.rank
    private val file = directory.resolve("columns")
    private val box = columns.box(rank)
    private val cells = columns.cells(box)
    private val buffer = ByteBuffer.allocateDirect(columns.runBytes).order(LITTLE_ENDIAN)

    /** Collective: runs rounds, of which the first [warmUpCount] are not returned. */
    suspend fun run(warmUpCount: Int, count: Int): List<ColumnRound> =
        rounds(warmUpCount, count) { round ->
            val (concentrated, single, strided) =
                inTurn(round, { checked { writeConcentrated() } }, { checked { writeAlone() } }, { strided() })
            ColumnRound(concentrated, single, strided)
        }

    private suspend fun strided() = checked(stridedRows) { writeStrided() } * columns.rowCount / stridedRows

    private suspend fun checked(rowCount: Int = columns.rowCount, write: suspend () -> Unit): Double {
        val seconds = timed(ranks, write)
        if (rank == 0) {
            files.requireCells(file, columns.whole, rowCount * columns.rowCells)
            files.delete(file)
        }
        ranks.barrier()
        return seconds
    }

    private suspend fun writeConcentrated() =
        ranks.writeArrays(file, store = files) { array("columns", columns.shape, box, cells) }

    private fun writeAlone() {
        if (rank == 0) writeLocalArrays(listOf(columns.whole), listOf(file), files, piece = 4 shl 20)
    }

    private suspend fun writeStrided() {
        if (rank == 0) files.create(file).close()
        ranks.barrier()
        val shared = ranks.shareInProcess { OfProcess(files.open(file, Access.READ_WRITE)) }
        val first = rank.toLong() * columns.runBytes
        writeStridedRuns(cells, stridedRows, shared.file, first, columns.rowBytes, buffer)
        ranks.barrier()
        shared.forced
    }

    /** The file that the ranks of a process share. The first of them that asks for [forced] forces and closes it. */
    private class OfProcess(val file: BlockFile) {
        val forced by lazy { file.use { it.force() } }
    }
}
