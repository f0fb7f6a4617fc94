package dev.cairn.benchmarks.parallel

import dev.cairn.sion.FileMapping
import dev.cairn.sion.ForcePolicy
import dev.cairn.sion.MultifileSpec
import java.nio.file.Path

/** The kinds of files for the bytes of the ranks, each with its number in `partest`. */
internal enum class Type(val partestNumber: Int) {
    MULTIFILE(0),
    FILES(3),
    ;

    override fun toString(): String = name.lowercase()
}

/**
 * The bytes that all ranks write and read, with the parameters of SIONlib's `partest`.
 *
 * @property processCount 1 if all ranks are in this process
 * @property fileCount the number of physical files of the multifile
 * @property chunkSize the bytes that a rank requests in each block
 * @property blockSize the alignment of chunks
 */
internal class Job(
    val rankCount: Int,
    val processCount: Int,
    val types: List<Type>,
    val fileCount: Int,
    val bufferSize: Int,
    val bufferCount: Int,
    val chunkSize: Long,
    val blockSize: Int,
) {
    val bytesPerRank: Long get() = bufferSize.toLong() * bufferCount
    val byteCount: Long get() = bytesPerRank * rankCount

    /** Only one contestant at a time has files. Each file or chunk takes whole pages. */
    val bytesOnDisk: Long get() = byteCount + rankCount * PAGE_BYTES

    /** Files are not forced, as those of the other contestants are not. */
    fun spec(path: Path): MultifileSpec =
        MultifileSpec
            .parallel(path)
            .withMapping(FileMapping.contiguous(fileCount))
            .withBlockSize(blockSize)
            .withForcePolicy(ForcePolicy.NEVER)

    /** The same job with another number of buffers for each rank. */
    fun withBuffers(count: Int): Job =
        Job(rankCount, processCount, types, fileCount, bufferSize, count, bufferSize.toLong() * count, blockSize)

    override fun toString(): String = "${textOf(byteCount)} on $rankCount ranks"

    private companion object {
        const val PAGE_BYTES = 8192L
    }
}
