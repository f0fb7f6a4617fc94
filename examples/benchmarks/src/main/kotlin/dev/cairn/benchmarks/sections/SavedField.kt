package dev.cairn.benchmarks.sections

import dev.cairn.StateBuilder
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.state.ElementType

/** A copy on another host takes two ranks. */
private const val LEAST_WITH_COPIES = 2

/** A field of doubles on as many ranks as processors: a rank that waited for the thread of another one would take its steps for time in Cairn. */
internal class SavedField(
    val byteCount: Long,
    val rankCount: Int = maxOf(LEAST_WITH_COPIES, Runtime.getRuntime().availableProcessors()),
) {
    private val shape = Shape.of(byteCount / Double.SIZE_BYTES)
    private val boxes = Decomposition.rows(shape, rankCount).let { rows -> List(rankCount) { rows.boxes(it).single() } }

    /** One for each rank. */
    val arrays = boxes.map { box -> DoubleArray(box.cellCount().toInt()) }

    /** As it is before the first step. */
    fun begin() = arrays.forEach { array -> for (index in array.indices) array[index] = index * 0.5 }

    fun declare(builder: StateBuilder, rank: Int) =
        builder.field("state", shape, ElementType.DOUBLE) { block(boxes[rank], arrays[rank]) }
}
