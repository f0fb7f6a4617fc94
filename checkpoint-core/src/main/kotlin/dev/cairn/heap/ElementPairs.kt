package dev.cairn.heap

/**
 * Which elements of two sets, or keys of two maps, are the same: by their fingerprints, and those that are in only one of them in their
 * order. Places are those in the arrays of fingerprints.
 */
internal class ElementPairs(left: LongArray, right: LongArray) {
    /** Places on the left, each with its place on the right. */
    val pairs = ArrayList<Pair<Int, Int>>(minOf(left.size, right.size))
    val onlyLeft: List<Int>
    val onlyRight: List<Int>

    /** Whether equal elements come in the same order. */
    val isSameOrder: Boolean

    init {
        val places = HashMap<Long, ArrayDeque<Int>>()
        right.forEachIndexed { place, fingerprint -> places.getOrPut(fingerprint, ::ArrayDeque) += place }
        onlyLeft =
            left.indices.filter { place ->
                places[left[place]]?.removeFirstOrNull()?.let { pairs += place to it } ==
                    null
            }
        onlyRight = places.values.flatten().sorted()
        isSameOrder = pairs.zipWithNext().all { (one, next) -> one.second < next.second }
    }
}
