package dev.cairn.benchmarks.sections

/**
 * How large the jobs are.
 *
 * @property streamBytes what goes through one task's stream
 * @property largePiece the size of a write that a stream hands straight on
 * @property smallPiece the size of a write that a stream gathers with others
 * @property taskCount the tasks of a multifile of which each has a few bytes
 * @property blockCount the blocks of the one task that has many
 * @property openTaskCounts the tasks of the multifiles whose opening is timed
 * @property rankCounts how many ranks write a multifile together, the largest number first
 * @property groupedRanks how many ranks write less than a block each
 * @property checkpointRanks how many ranks save and restore a checkpoint, the smallest number first
 * @property loopSide the rows, and the columns, of an array that a loop walks over
 * @property loopRounds how often it does
 * @property stepCount the steps of a simulation in which nothing happens
 */
internal data class Scale(
    val streamBytes: Long,
    val largePiece: Int,
    val smallPiece: Int,
    val taskCount: Int,
    val blockCount: Int,
    val openTaskCounts: List<Int>,
    val rankCounts: List<Int>,
    val groupedRanks: Int,
    val checkpointRanks: List<Int>,
    val loopSide: Int,
    val loopRounds: Int,
    val stepCount: Long,
) {
    /** Room for the largest job of both sides, and for meta data. */
    val bytesOnDisk: Long
        get() = 2 * maxOf(streamBytes, taskCount.toLong() * BLOCK_SIZE) + openTaskCounts.sumOf { 128L * it }

    fun withRanks(most: Int): Scale = copy(rankCounts = rankCounts.filter { it <= most })

    companion object {
        val FULL =
            Scale(
                streamBytes = 1L shl 30,
                largePiece = 1 shl 20,
                smallPiece = 1 shl 12,
                taskCount = 262_144,
                blockCount = 100,
                openTaskCounts = listOf(65_536, 262_144, 1_048_576),
                rankCounts = listOf(262_144, 65_536, 4_096),
                groupedRanks = 4_096,
                checkpointRanks = listOf(4_096, 65_536),
                loopSide = 512,
                loopRounds = 500,
                stepCount = 5_000_000,
            )

        /** What a task of many writes. */
        const val TASK_BYTES = 56

        /** What a rank writes that has a small state. */
        const val SMALL_STATE_BYTES = 1024

        /** To which the chunks of every multifile here are aligned: what the usual file systems prefer. */
        const val BLOCK_SIZE = 4096
    }
}
