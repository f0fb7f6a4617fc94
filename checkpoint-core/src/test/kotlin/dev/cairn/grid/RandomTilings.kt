package dev.cairn.grid

import kotlin.random.Random

/** A shape of 1 to 6 dimensions with at most [maxCells] cells, none of them empty. */
internal fun Random.shape(maxCells: Long, dimensions: Int = nextInt(1, 7)): Shape {
    val extents = LongArray(dimensions) { 1 }
    repeat(40) {
        val dimension = nextInt(dimensions)
        val grown = extents.clone().also { it[dimension] += nextLong(1, 4) }
        if (grown.reduce(Long::times) <= maxCells) grown.copyInto(extents)
    }
    return Shape.of(*extents)
}

/** The shape, cut again and again at random places; its boxes dealt to [rankCount] ranks, of which some may get none. */
internal fun Random.tiling(
    shape: Shape,
    rankCount: Int,
    boxCount: Int = nextInt(1, 2 * rankCount + 1),
): List<List<Box>> {
    val boxes = mutableListOf(shape.box())
    repeat(4 * boxCount) {
        val victim = nextInt(boxes.size)
        val dimension = nextInt(shape.dimensions())
        if (boxes.size < boxCount && boxes[victim].extent(dimension) > 1) {
            boxes += cut(boxes.removeAt(victim), dimension)
        }
    }
    val ranks = boxes.shuffled(this).groupBy { nextInt(rankCount) }
    return List(rankCount) { ranks[it].orEmpty() }
}

private fun Random.cut(box: Box, dimension: Int): List<Box> {
    val low = nextLong(1, box.extent(dimension))
    return listOf(
        box.resized(dimension, box.start(dimension), low),
        box.resized(dimension, box.start(dimension) + low, box.extent(dimension) - low),
    )
}

/** The box with another start and extent in one dimension. */
internal fun Box.resized(dimension: Int, start: Long, extent: Long): Box =
    Box.of(
        LongArray(dimensions()) { if (it == dimension) start else start(it) },
        LongArray(dimensions()) { if (it == dimension) extent else extent(it) },
    )
