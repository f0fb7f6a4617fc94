package dev.cairn.options

import dev.cairn.multifile.Cores
import dev.cairn.multifile.FileBounds
import dev.cairn.multifile.filePerHost
import dev.cairn.ranks.Communicator
import dev.cairn.sion.FileMapping
import java.util.function.IntUnaryOperator

/**
 * The physical files into which the ranks write the data of a checkpoint. Any number of files can be restored on any
 * number of ranks.
 * Immutable; all ranks pass the same.
 */
public sealed class DataFiles {
    /** @property cores of each process that writes; null for those that it has */
    internal data class Auto(val bounds: FileBounds = FileBounds(), val cores: Cores? = null) : DataFiles()

    internal data class Count(val count: Int) : DataFiles()

    internal data object PerHost : DataFiles()

    internal data class ByGroup(val groupOfRank: IntUnaryOperator) : DataFiles()

    /** The text in a list of settings. */
    final override fun toString(): String =
        when (this) {
            is Auto -> "auto"
            is Count -> "$count"
            is PerHost -> "per-host"
            is ByGroup -> "function"
        }

    /** Collective. */
    internal suspend fun mapping(ranks: Communicator): FileMapping =
        when (this) {
            is Auto -> FileMapping.auto()
            is Count -> FileMapping.contiguous(minOf(count, ranks.size))
            is PerHost -> ranks.filePerHost()
            is ByGroup -> FileMapping.byGroup(groupOfRank)
        }

    public companion object {
        /**
         * As many files as ranks that write at the same time, so that none waits for another: on each host at most one for each
         * core and one for each 64 MiB, and at most 1,024 for all hosts, or one for each. Chosen when a save begins. The default.
         */
        @JvmStatic
        public fun auto(): DataFiles = Auto()

        /** One file for all ranks. */
        @JvmStatic
        public fun one(): DataFiles = Count(1)

        /**
         * The given number of files, with equal shares of consecutive ranks; one for each rank if there are fewer
         * ranks.
         */
        @JvmStatic
        public fun count(count: Int): DataFiles = Count(count)

        /** One file for the ranks of each host. */
        @JvmStatic
        public fun perHost(): DataFiles = PerHost

        /** One file for the ranks of each group; [groupOfRank] gives any number, the same on all ranks. */
        @JvmStatic
        public fun byGroup(groupOfRank: IntUnaryOperator): DataFiles = ByGroup(groupOfRank)
    }
}
