package dev.cairn.benchmarks.sections

import dev.cairn.arrays.writeArrays
import dev.cairn.benchmarks.baseline.writeLocalArrays
import dev.cairn.benchmarks.baseline.writeStridedRuns
import dev.cairn.comm.Communicator
import dev.cairn.ranks.runRanks
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
internal class ColumnRound(
    val concentrated: Double,
    val single: Double,
    val strided: Double,
)

/**
 * The ways to write [columns] into a file, one after the other; the next round has the reverse order. All force their
 * file.
 *
 * @param stridedRows how many rows the ranks write for themselves: each run is a write, which takes long on a throttled
 *     store
 */
internal class ColumnRounds(
    private val columns: ColumnBlocks,
    directory: Path,
    private val files: BlockStore,
    private val stridedRows: Int,
) {
    private val file = directory.resolve("columns")

    /** Runs rounds, of which the first [warmUpCount] are not returned. */
    fun run(
        warmUpCount: Int,
        count: Int,
    ): List<ColumnRound> =
        runRanks(columns.rankCount) {
            val buffer = ByteBuffer.allocateDirect(columns.runBytes).order(LITTLE_ENDIAN)
            List(warmUpCount + count) { round(it, buffer) }
        }.first().drop(warmUpCount)

    private suspend fun Communicator.round(
        number: Int,
        buffer: ByteBuffer,
    ): ColumnRound {
        if (number % 2 == 0) {
            val concentrated = checked { writeConcentrated() }
            val single = checked { writeAlone() }
            return ColumnRound(concentrated, single, strided(buffer))
        }
        val strided = strided(buffer)
        val single = checked { writeAlone() }
        return ColumnRound(checked { writeConcentrated() }, single, strided)
    }

    private suspend fun Communicator.strided(buffer: ByteBuffer) =
        checked(stridedRows) { writeStrided(buffer) } * columns.rowCount / stridedRows

    private suspend fun Communicator.checked(
        rowCount: Int = columns.rowCount,
        write: suspend Communicator.() -> Unit,
    ): Double {
        val seconds = timed(this) { write() }
        if (rank == 0) {
            columns.requireRows(file, files, rowCount)
            files.delete(file)
        }
        barrier()
        return seconds
    }

    private suspend fun Communicator.writeConcentrated() =
        writeArrays(file, store = files) { array("columns", columns.shape, columns.box(rank), columns.parts[rank]) }

    private fun Communicator.writeAlone() {
        if (rank == 0) writeLocalArrays(listOf(columns.whole), listOf(file), files, piece = 4 shl 20)
    }

    /** The ranks share one open file, as they share a process. */
    private suspend fun Communicator.writeStrided(buffer: ByteBuffer) {
        val shared = shareInProcess { files.create(file) }
        val first = rank.toLong() * columns.runBytes
        writeStridedRuns(columns.parts[rank], stridedRows, shared, first, columns.rowBytes, buffer)
        barrier()
        if (rank == 0) shared.use { it.force() }
    }
}
