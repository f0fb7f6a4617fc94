package dev.cairn.save

import dev.cairn.checkpoint.FramePool
import dev.cairn.concentrate.ClientLine
import dev.cairn.item.Declared
import dev.cairn.item.StateItem
import dev.cairn.node.LocalDisks
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.Wait
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.Worker
import dev.cairn.reading.requireIndex
import dev.cairn.sion.FileMapping
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.Candidate
import dev.cairn.store.Entry
import dev.cairn.store.Manifest
import dev.cairn.store.ManifestFormat
import dev.cairn.store.SaveNames
import java.nio.file.Path

/**
 * The environment of all saves of one rank, from the opening of its checkpoints on. It owns nothing.
 *
 * @property ranks a communicator that the program does not use
 * @property files the file system that all ranks share
 * @property directory the directory of the checkpoints
 * @property mapping the choice of physical files for the data
 * @property pool bounds the frames that this process handles at once
 * @property worker writes while the program goes on
 * @property local the disks of the hosts; null if the program uses none
 * @property dedicated the connection to the dedicated rank of this one; null if the program has none
 */
internal class SaveContext(
    val ranks: Communicator,
    val files: BlockStore,
    val directory: Path,
    val options: CheckpointOptions,
    val mapping: FileMapping,
    val declared: Declared,
    val pool: FramePool,
    val worker: Worker,
    val local: LocalDisks?,
    val dedicated: ClientLine?,
) {
    val items: List<StateItem> get() = declared.items

    /** The default wait of a save. Dedicated ranks exist so that the program need not wait. */
    val wait: Wait get() = options.wait ?: if (dedicated == null) Wait.COMMITTED else Wait.COPIED

    /** Refuses to [wait] for dedicated ranks that have left. */
    fun requireDedicated(wait: Wait) {
        if (wait == Wait.COPIED) dedicated?.requireOpen()
    }

    /** The multifile of save [number]. */
    fun spec(number: Int, mapping: FileMapping = this.mapping): MultifileSpec =
        options.spec(SaveNames.data(directory, number), mapping)
}

/**
 * On rank 0, before a drained save is committed: refuses files that are each whole, but do not form one multifile. Reads only meta data
 * and the index; the drain has checked the rest.
 */
internal fun SaveContext.requireDrained(manifest: Manifest) {
    val path = directory.resolve(SaveNames.directory(manifest.save))
    val stored = ManifestFormat.decode(path.resolve(SaveNames.SEAL), ManifestFormat.encode(manifest))
    files.requireIndex(Candidate(Entry.Sealed(manifest.save, path), stored))
}
