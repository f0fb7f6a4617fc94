package dev.cairn.benchmarks.parallel

import dev.cairn.sion.FileMapping
import dev.cairn.sion.ForcePolicy
import dev.cairn.sion.MultifileSpec
import java.nio.file.Path

/** Where the bytes of the ranks may go, and the number that `partest` has for it. */
internal enum class Type(
    val partestNumber: Int,
) {
    MULTIFILE(0),
    FILES(3),
    ;

    override fun toString(): String = name.lowercase()
}

/**
 * What all ranks write and read, with the parameters of SIONlib's `partest`.
 *
 * @property processCount 1 if all ranks are of this process
 * @property fileCount the physical files of the multifile
 * @property chunkSize what a rank asks for in each block
 * @property blockSize to which chunks are aligned
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

    /** One contestant at a time has files. Each file, or chunk, takes whole pages. */
    val bytesOnDisk: Long get() = byteCount + rankCount * PAGE_BYTES

    /** Nothing is forced, because the others force nothing either. */
    fun spec(path: Path): MultifileSpec =
        MultifileSpec
            .parallel(path)
            .withMapping(FileMapping.contiguous(fileCount))
            .withBlockSize(blockSize)
            .withForcePolicy(ForcePolicy.NEVER)

    /** The same with another number of buffers for each rank. */
    fun withBuffers(count: Int): Job =
        Job(rankCount, processCount, types, fileCount, bufferSize, count, bufferSize.toLong() * count, blockSize)

    override fun toString(): String = "${textOf(byteCount)} on $rankCount ranks"

    private companion object {
        const val PAGE_BYTES = 8192L
    }
}
