package dev.cairn.item

import dev.cairn.grid.Box
import dev.cairn.grid.Shape
import dev.cairn.redistribution.SparseTiling
import dev.cairn.redistribution.Tiling

/** The cells of a field that the blocks of all ranks together hold, each at most once. */
internal enum class Coverage {
    /** All cells. */
    WHOLE,

    /** Any cells, such as those of one level of an adaptive mesh. */
    SPARSE,
    ;

    /** Its entry in a manifest's layout of a field. */
    val layout: Map<String, String> get() = if (this == SPARSE) mapOf(LAYOUT_COVERAGE to SPARSE_TEXT) else emptyMap()

    /** Refuses blocks of all ranks that do not make up the field [name], with [context] before the sentence. */
    fun requireTiled(name: String, shape: Shape, boxesByRank: List<List<Box>>, context: String = "") {
        val flaw =
            when (this) {
                WHOLE -> Tiling.flaw(name, shape, boxesByRank)
                SPARSE -> SparseTiling.flaw(name, shape, boxesByRank)
            }
        if (flaw.isPresent) throw invalid(name, context + flaw.get())
    }

    companion object {
        private const val LAYOUT_COVERAGE = "coverage"
        private const val SPARSE_TEXT = "sparse"

        /** The coverage in the [layout] of a stored field. */
        fun of(layout: Map<String, String>): Coverage = if (layout[LAYOUT_COVERAGE] == SPARSE_TEXT) SPARSE else WHOLE
    }
}
