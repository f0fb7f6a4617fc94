package dev.cairn.benchmarks.parallel

import dev.cairn.benchmarks.report.textOf

/**
 * The bytes that all ranks write and read: each of them [bufferCount] buffers.
 *
 * @property fileCount the number of physical files of the multifile
 */
internal class Job(val rankCount: Int, val fileCount: Int, val bufferSize: Int, val bufferCount: Int) {
    val bytesPerRank: Long get() = bufferSize.toLong() * bufferCount
    val byteCount: Long get() = bytesPerRank * rankCount

    /** The same job with another number of buffers for each rank. */
    fun withBuffers(count: Int): Job = Job(rankCount, fileCount, bufferSize, count)

    override fun toString(): String = "${textOf(byteCount)} on $rankCount ranks"

    companion object {
        /** Buffers have at most a mebibyte, and ranks whole ones only. */
        fun of(rankCount: Int, fileCount: Int, bytesPerRank: Long): Job {
            val buffer = minOf(1L shl 20, bytesPerRank).toInt()
            return Job(rankCount, minOf(fileCount, rankCount), buffer, Math.toIntExact(bytesPerRank / buffer))
        }
    }
}
