package dev.cairn.proof.behind

import dev.cairn.NetcdfBuilder
import dev.cairn.NetcdfOutput
import dev.cairn.StateBuilder
import dev.cairn.grid.Box
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.proof.netcdf.Cells
import dev.cairn.proof.netcdf.MissingMend
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ROOT
import dev.cairn.sion.netcdf.NetcdfReader
import dev.cairn.sion.netcdf.NetcdfType
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.stripe.Hyperslab
import dev.cairn.state.ElementType
import dev.cairn.store.PARENT
import java.nio.file.Path

/**
 * The NetCDF file of a trial, each of whose records has a number of its own on every branch, and what each save knows of it.
 *
 * @property cells those that a record has
 * @param mend one that is taken out; null if none is
 */
internal class TrialRecords(private val cells: Cells, private val mend: MissingMend?) {
    private val ofSaves = mutableMapOf<Int, List<Int>>()
    private var newest = emptyList<Int>()

    /** All ranks have the same records when save [number] begins. */
    fun begin(number: Int) {
        ofSaves[number] = newest
    }

    /**
     * What one rank does with the file.
     *
     * @param raw a way to the file that is never in trouble
     */
    inner class OfRank(
        private val ranks: Communicator,
        private val files: BlockStore,
        private val raw: BlockStore = files,
    ) {
        private val rows = Decomposition.rows(SHAPE, ranks.size)
        private var numbers = emptyList<Int>()
        private var next = 0
        private lateinit var out: NetcdfOutput

        fun declare(builder: StateBuilder) {
            out =
                mend?.declare(builder, ranks, FILE, files) { variables() }
                    ?: builder.netcdf(FILE, files) { variables() }.named("out").value
        }

        private fun NetcdfBuilder.variables() {
            if (cells != Cells.PUT) {
                variable("v", SHAPE, ElementType.INT) {
                    rows.boxes(ranks.rank).forEach { block(it, IntArray(it.cellCount().toInt()) { next }) }
                }
            }
            if (cells != Cells.APPENDED) variable("w", NetcdfType.INT, SHAPE)
        }

        /** Collective: makes a record with the [number], which no other one has. */
        suspend fun add(number: Int) {
            next = number
            val record = numbers.size.toLong()
            if (cells != Cells.PUT) out.append()
            if (cells != Cells.APPENDED && ranks.rank == number % ranks.size) {
                out.put("w", record, Box.of(longArrayOf(0), longArrayOf(1)), intArrayOf(number))
            }
            numbers = numbers + number
            newest = numbers
        }

        /** The state is that of this [save]; null if it is that of no save. */
        fun goOnFrom(save: Int?) {
            numbers = save?.let { ofSaves.getValue(it) }.orEmpty()
            newest = numbers
        }

        /** Collective: compares the file with what this [save] knows, in the file or beside it. */
        suspend fun requireThoseOf(save: Int?) {
            if (save == null) return
            out.flush()
            requireInFile(save)
        }

        /** Compares the file with what this [save] knows. */
        fun requireInFile(save: Int) {
            if (ranks.rank != ROOT) return
            val variable = if (cells == Cells.PUT) "w" else "v"
            val found =
                NetcdfReader.open(raw, FILE).use { it.readDoubles(variable, Hyperslab.WHOLE).toList() }
            val firsts = found.chunked(SHAPE.cellCount().toInt()) { it.first().toInt() }
            check(firsts == ofSaves.getValue(save)) { "save $save knows ${ofSaves[save]}, and $FILE has $firsts" }
        }
    }

    private companion object {
        val FILE: Path = PARENT.resolve("records.nc")
        val SHAPE: Shape = Shape.of(6)
    }
}
