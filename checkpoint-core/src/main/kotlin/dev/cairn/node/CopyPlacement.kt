package dev.cairn.node

import dev.cairn.event.counted
import dev.cairn.options.LocalCopies

/**
 * Assigns the copies of each host's file to other hosts. Pure. Hosts are numbers from 0 on.
 *
 * Hosts form a circle, those of a failure group side by side, and the copies of a file are at equal distances from it. So all hosts hold
 * equally many copies, and if no group has more than its share of the hosts, a file and its copies are in different groups.
 *
 * @property count the copies of each file
 */
internal class CopyPlacement private constructor(
    private val circle: List<Int>,
    private val groups: List<String>,
    private val demanded: Int,
    val count: Int,
) {
    private val placeOf = circle.withIndex().associate { (place, host) -> host to place }

    /** The hosts that hold copies of the file of [host]. */
    fun targetsOf(host: Int): List<Int> {
        val place = placeOf.getValue(host)
        return (1..count).map { circle[(place + it * circle.size / (count + 1)) % circle.size] }
    }

    /** The hosts of whose files [host] holds copies. */
    fun sourcesOf(host: Int): List<Int> = circle.indices.filter { host in targetsOf(it) }

    private val isSpread: Boolean
        get() =
            circle.all { host ->
                val all = (targetsOf(host) + host).map { groups[it] }
                all.distinct().size == all.size
            }

    /** Whether there are as many copies as were demanded, each in a failure group of its own. */
    val isAsDemanded: Boolean get() = count == demanded && isSpread

    override fun toString(): String {
        val spread = if (isSpread) "" else ", and some are in the failure group of the file or of another copy"
        return "on ${counted(
            groups.size,
            "host",
        )}, each file has ${if (count == 1) "1 copy" else "$count copies"}$spread"
    }

    companion object {
        val NONE = CopyPlacement(emptyList(), emptyList(), 0, 0)

        /**
         * The copies on hosts whose failure groups are [groups].
         *
         * @throws IllegalArgumentException if the demanded number of copies is not possible
         */
        fun of(groups: List<String>, copies: LocalCopies): CopyPlacement {
            val circle = groups.indices.sortedBy { groups[it] }
            if (copies.isStrict) return strict(circle, groups, copies.count)
            val most = minOf(copies.count, groups.size - 1)
            val possible = (most downTo 1).map { CopyPlacement(circle, groups, copies.count, it) }
            // A copy in the same group survives more than none.
            return possible.find { it.isSpread } ?: CopyPlacement(circle, groups, copies.count, most)
        }

        private fun strict(circle: List<Int>, groups: List<String>, count: Int): CopyPlacement {
            val needed =
                if (count ==
                    1
                ) {
                    "1 copy of each file needs 2 hosts"
                } else {
                    "$count copies of each file need ${count + 1} hosts"
                }
            require(groups.size > count) { "$needed, and the ranks have ${groups.size}" }
            val placement = CopyPlacement(circle, groups, count, count)
            require(placement.isSpread) {
                "$needed that do not fail together, and the ${groups.size} hosts are in these failure groups: " +
                    groups
                        .groupingBy { it }
                        .eachCount()
                        .entries
                        .joinToString { (group, size) -> "$size in '$group'" }
            }
            return placement
        }
    }
}
