package dev.cairn.benchmarks.sections

import dev.cairn.NetcdfOutput
import dev.cairn.checkpoints
import dev.cairn.grid.Box
import dev.cairn.grid.Shape
import dev.cairn.options.CheckpointOptions
import dev.cairn.ranks.Communicator
import dev.cairn.sion.netcdf.NetcdfType
import dev.cairn.sion.store.BlockStore
import java.nio.file.Path

/** The times of the same bytes in small and in large puts, in seconds. */
internal class PutRound(val small: Double, val large: Double)

/** Puts into a log in [stage]. */
internal class PutRounds(
    private val ranks: Communicator,
    private val directory: Path,
    private val stage: Path,
    private val files: BlockStore,
) {
    suspend fun run(warmUpCount: Int, count: Int): List<PutRound> =
        rounds(warmUpCount, count) { round ->
            val (small, large) = inTurn(round, { puts(SMALL) }, { puts(LARGE) })
            PutRound(small, large)
        }

    private suspend fun puts(size: Int): Double {
        val cells = DoubleArray(size / Double.SIZE_BYTES) { it.toDouble() }
        var out: NetcdfOutput? = null
        return ranks
            .checkpoints(directory.resolve("puts.cairn"), CheckpointOptions(), files) {
                out =
                    netcdf(directory.resolve("puts.nc"), files) {
                        this.stage = this@PutRounds.stage
                        variable("cells", NetcdfType.DOUBLE, Shape.of(ALL / Double.SIZE_BYTES))
                    }.named("out").value
            }.use {
                it.restore()
                timed(ranks) {
                    for (first in 0 until ALL / Double.SIZE_BYTES step cells.size.toLong()) {
                        val box = Box.of(longArrayOf(first), longArrayOf(cells.size.toLong()))
                        checkNotNull(out).put("cells", 0, box, cells)
                    }
                }
            }.also { directory.clear() }
    }

    private companion object {
        const val ALL = 64L shl 20
        const val SMALL = 1 shl 10
        const val LARGE = 1 shl 20
    }
}
