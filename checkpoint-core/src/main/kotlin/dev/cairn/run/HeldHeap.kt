package dev.cairn.run

/**
 * The file of a heap, whose [name] says which process of a program has written it.
 *
 * @property rank the lowest one in that process
 * @property processCount those of the program that write one
 */
internal class HeldHeap(val rank: Int, val processCount: Int, val pid: Long) {
    val name = "rank-$rank-of-$processCount-$pid.hprof"

    companion object {
        private val NAME = Regex("""rank-(\d+)-of-(\d+)-(\d+)\.hprof""")

        /** Null for another file. */
        fun of(name: String): HeldHeap? {
            val (rank, processCount, pid) = NAME.matchEntire(name)?.destructured ?: return null
            return HeldHeap(rank.toInt(), processCount.toInt(), pid.toLong())
        }
    }
}
