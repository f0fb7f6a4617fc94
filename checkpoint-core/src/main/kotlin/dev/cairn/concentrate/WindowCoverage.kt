package dev.cairn.concentrate

/** The ranges of a window that ranks write or read, each with its rank. Positions in a window count from 0 and are below 2^31. */
internal class WindowCoverage {
    private var count = 0

    /** The position above, and the index below, so that sorting them sorts extents. */
    private var keys = LongArray(FIRST_SIZE)
    private var lengths = IntArray(FIRST_SIZE)
    private var owners = IntArray(FIRST_SIZE)

    fun add(owner: Int, position: Int, length: Int) {
        if (count == keys.size) {
            keys = keys.copyOf(2 * count)
            lengths = lengths.copyOf(2 * count)
            owners = owners.copyOf(2 * count)
        }
        keys[count] = (position.toLong() shl Int.SIZE_BITS) or count.toLong()
        lengths[count] = length
        owners[count++] = owner
    }

    /** Visits what is covered, as the fewest ranges; throws [Overlap] before the range that two owners share. */
    inline fun forEachRange(visit: (from: Int, to: Int) -> Unit) =
        forEachUnion(largestHole = 0, { lower, upper, from, to -> throw Overlap(lower, upper, from, to) }, visit)

    /** Visits what is covered, as ranges between which holes are larger than [largestHole]. */
    inline fun forEachUnion(largestHole: Int, visit: (from: Int, to: Int) -> Unit) =
        forEachUnion(largestHole, { _, _, _, _ -> }, visit)

    private inline fun forEachUnion(
        largestHole: Int,
        overlap: (lower: Int, upper: Int, from: Int, to: Int) -> Unit,
        visit: (from: Int, to: Int) -> Unit,
    ) {
        keys.sort(0, count)
        var from = -1
        var to = -1
        var last = -1
        for (key in 0 until count) {
            val index = keys[key].toInt()
            val position = (keys[key] ushr Int.SIZE_BITS).toInt()
            val end = position + lengths[index]
            if (last >= 0 && position < to) overlap(owners[last], owners[index], position, minOf(to, end))
            if (last < 0 || position - to > largestHole) {
                if (last >= 0) visit(from, to)
                from = position
            }
            if (end > to) {
                to = end
                last = index
            }
        }
        if (last >= 0) visit(from, to)
    }

    /** Ranks [lower] and [upper] both write the positions from [from] to [to]; they may be the same rank. */
    class Overlap(val lower: Int, val upper: Int, val from: Int, val to: Int) : Exception() {
        override fun toString() = if (lower == upper) "rank $lower twice" else "both ranks $lower and $upper"
    }
}

private const val FIRST_SIZE = 64
