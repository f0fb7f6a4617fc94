package dev.cairn

import dev.cairn.sion.FileMapping
import dev.cairn.sion.ForcePolicy
import dev.cairn.sion.MultifileSpec
import dev.cairn.store.Retention
import java.nio.file.Path

/**
 * How checkpoints are written. Immutable; the same on all ranks. Java callers begin with [DEFAULT] and go on with the
 * functions that start with "with".
 *
 * @property fileCount into how many physical files; one for each rank if there are fewer ranks
 * @property blockSize to how many bytes chunks are aligned; null for what the file system prefers
 * @property durability whether a checkpoint survives a power loss, and not only a killed process
 * @property keepLast how many of the newest good checkpoints stay; at least two
 * @property keepEvery of every so many saves one stays for good; null for none
 * @property takeOver whether to take the directory from an owner on another host who may still be alive
 */
public data class CheckpointOptions(
    val fileCount: Int = 1,
    val blockSize: Int? = null,
    val durability: ForcePolicy = ForcePolicy.ON_CLOSE,
    val keepLast: Int = 2,
    val keepEvery: Int? = null,
    val takeOver: Boolean = false,
) {
    init {
        require(fileCount >= 1) { "a checkpoint has at least 1 physical file, not $fileCount" }
        require(keepLast >= 2) { "at least 2 checkpoints are kept, not $keepLast" }
        require(keepEvery == null || keepEvery >= 1) { "every k-th save is kept for a k of at least 1, not $keepEvery" }
    }

    public fun withFileCount(fileCount: Int): CheckpointOptions = copy(fileCount = fileCount)

    public fun withBlockSize(bytes: Int): CheckpointOptions = copy(blockSize = bytes)

    public fun withDurability(durability: ForcePolicy): CheckpointOptions = copy(durability = durability)

    public fun withKeepLast(count: Int): CheckpointOptions = copy(keepLast = count)

    public fun withKeepEvery(count: Int): CheckpointOptions = copy(keepEvery = count)

    public fun withTakeOver(takeOver: Boolean): CheckpointOptions = copy(takeOver = takeOver)

    internal fun retention(): Retention =
        Retention.keepLast(keepLast).let { if (keepEvery == null) it else it.andEvery(keepEvery) }

    internal fun fileCount(rankCount: Int): Int = minOf(fileCount, rankCount)

    internal fun spec(
        data: Path,
        rankCount: Int,
    ): MultifileSpec {
        val spec =
            MultifileSpec
                .parallel(data)
                .withMapping(FileMapping.contiguous(fileCount(rankCount)))
                .withForcePolicy(durability)
        return if (blockSize == null) spec else spec.withBlockSize(blockSize)
    }

    public companion object {
        @JvmField
        public val DEFAULT: CheckpointOptions = CheckpointOptions()
    }
}
