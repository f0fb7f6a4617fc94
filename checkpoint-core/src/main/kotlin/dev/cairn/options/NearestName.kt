package dev.cairn.options

/** ` Did you mean 'keep-last'?`, if one of [names] is similar enough to the given one; otherwise empty. */
internal fun didYouMean(written: String, names: List<String>): String {
    val nearest = names.minByOrNull { distance(written, it) } ?: return ""
    return if (distance(written, nearest) <= maxOf(2, written.length / 3)) " Did you mean '$nearest'?" else ""
}

/** The edit distance: the number of insertions, deletions and substitutions between the two words. */
private fun distance(one: String, other: String): Int {
    var above = IntArray(other.length + 1) { it }
    for (row in one.indices) {
        val here = IntArray(other.length + 1)
        here[0] = row + 1
        for (column in other.indices) {
            val changed = above[column] + if (one[row] == other[column]) 0 else 1
            here[column + 1] = minOf(changed, above[column + 1] + 1, here[column] + 1)
        }
        above = here
    }
    return above.last()
}
