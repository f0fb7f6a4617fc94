package dev.cairn.benchmarks.sections

/**
 * The sizes of the jobs; the default ones are those of docs/benchmarks.md.
 *
 * @property streamBytes the bytes of one task's stream
 * @property throttledBytes the bytes of a state that is saved on a throttled store
 * @property largePiece the size of a write that a stream passes on unbuffered
 * @property smallPiece the size of a write that a stream buffers with others
 * @property taskCount the number of tasks in a multifile whose tasks have a few bytes each
 * @property rankCounts the numbers of ranks that write a multifile together, the largest first
 * @property concentratedBytes the bytes of an array that is written through concentrators
 * @property concentratedRanks the numbers of ranks that write it
 * @property groupedRanks the number of ranks that write less than a block each
 * @property checkpointRanks the numbers of ranks that save and restore a checkpoint, the smallest first
 * @property collectiveRanks few ranks and many, whose collective calls are compared
 * @property loopSide the number of rows, and of columns, of the array in a loop
 * @property loopRounds the number of passes over that array
 * @property stepCount the number of empty steps of a simulation
 * @property objectCount the number of objects in a graph, and of rows
 * @property smallSaves the number of saves of a small state
 */
internal data class Scale(
    val streamBytes: Long = 1L shl 30,
    val throttledBytes: Long = 1L shl 26,
    val largePiece: Int = 1 shl 20,
    val smallPiece: Int = 1 shl 12,
    val taskCount: Int = 262_144,
    val rankCounts: List<Int> = listOf(262_144, 65_536, 4_096),
    val concentratedBytes: Long = 1L shl 28,
    val concentratedRanks: List<Int> = listOf(4, 64, 4_096),
    val groupedRanks: Int = 4_096,
    val checkpointRanks: List<Int> = listOf(4_096, 65_536),
    val collectiveRanks: Pair<Int, Int> = 4_096 to 262_144,
    val loopSide: Int = 512,
    val loopRounds: Int = 500,
    val stepCount: Long = 5_000_000,
    val smallSaves: Int = 1_000,
    val objectCount: Int = 1_000_000,
) {
    /** Room for the largest job of both sides, and for meta data. */
    val bytesOnDisk: Long get() = maxOf(3 * streamBytes, 7 * throttledBytes, 2L * taskCount * BLOCK_SIZE)

    companion object {
        /** The bytes of one task among many. */
        const val TASK_BYTES = 56

        /** The bytes of a rank with a small state. */
        const val SMALL_STATE_BYTES = 1024

        /** The alignment of the chunks of every multifile here, which is the block size of common file systems. */
        const val BLOCK_SIZE = 4096
    }
}
