package dev.cairn.benchmarks.sections

/**
 * The sizes of the jobs.
 *
 * @property streamBytes the bytes of one task's stream
 * @property throttledBytes the bytes of a state that is saved on a throttled store
 * @property largePiece the size of a write that a stream passes on unbuffered
 * @property smallPiece the size of a write that a stream buffers with others
 * @property taskCount the number of tasks in a multifile whose tasks have a few bytes each
 * @property blockCount the number of blocks of a task that has many
 * @property openTaskCounts the numbers of tasks of the multifiles whose opening is timed
 * @property rankCounts the numbers of ranks that write a multifile together, the largest first
 * @property concentratedBytes the bytes of an array that is written through concentrators
 * @property concentratedRanks the numbers of ranks that write it
 * @property routedRanks the numbers of ranks that save a field by several routes
 * @property groupedRanks the number of ranks that write less than a block each
 * @property checkpointRanks the numbers of ranks that save and restore a checkpoint, the smallest first
 * @property loopSide the number of rows, and of columns, of the array in a loop
 * @property loopRounds the number of passes over that array
 * @property stepCount the number of empty steps of a simulation
 */
internal data class Scale(
    val streamBytes: Long,
    val throttledBytes: Long,
    val largePiece: Int,
    val smallPiece: Int,
    val taskCount: Int,
    val blockCount: Int,
    val openTaskCounts: List<Int>,
    val rankCounts: List<Int>,
    val concentratedBytes: Long,
    val concentratedRanks: List<Int>,
    val routedRanks: List<Int>,
    val groupedRanks: Int,
    val checkpointRanks: List<Int>,
    val loopSide: Int,
    val loopRounds: Int,
    val stepCount: Long,
) {
    /** Room for the largest job of both sides, and for meta data. */
    val bytesOnDisk: Long
        get() =
            maxOf(3 * streamBytes, 7 * throttledBytes, 2L * taskCount * BLOCK_SIZE) +
                openTaskCounts.sumOf { 128L * it }

    fun withRanks(most: Int): Scale = copy(rankCounts = rankCounts.filter { it <= most })

    fun withThrottled(byteCount: Long?): Scale = byteCount?.let { copy(throttledBytes = it) } ?: this

    companion object {
        val FULL =
            Scale(
                streamBytes = 1L shl 30,
                throttledBytes = 1L shl 26,
                largePiece = 1 shl 20,
                smallPiece = 1 shl 12,
                taskCount = 262_144,
                blockCount = 100,
                openTaskCounts = listOf(65_536, 262_144, 1_048_576),
                rankCounts = listOf(262_144, 65_536, 4_096),
                concentratedBytes = 1L shl 28,
                concentratedRanks = listOf(4, 64, 4_096),
                routedRanks = listOf(64, 1_024, 4_096),
                groupedRanks = 4_096,
                checkpointRanks = listOf(4_096, 65_536),
                loopSide = 512,
                loopRounds = 500,
                stepCount = 5_000_000,
            )

        /** The bytes of one task among many. */
        const val TASK_BYTES = 56

        /** The bytes of a rank with a small state. */
        const val SMALL_STATE_BYTES = 1024

        /** The alignment of the chunks of every multifile here, which is the block size of common file systems. */
        const val BLOCK_SIZE = 4096
    }
}
