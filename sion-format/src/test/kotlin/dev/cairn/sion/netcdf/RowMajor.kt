package dev.cairn.sion.netcdf

/** The indices of all cells of an array of this shape, in row-major order. */
internal fun cellsOf(shape: LongArray): List<LongArray> =
    shape.fold(listOf(longArrayOf())) { outer, count -> outer.flatMap { cell -> (0 until count).map { cell + it } } }
