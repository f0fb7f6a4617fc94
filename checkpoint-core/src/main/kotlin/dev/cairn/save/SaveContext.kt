package dev.cairn.save

import dev.cairn.checkpoint.FramePool
import dev.cairn.comm.Communicator
import dev.cairn.comm.Worker
import dev.cairn.concentrate.ClientLine
import dev.cairn.item.Declared
import dev.cairn.item.StateItem
import dev.cairn.node.LocalDisks
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.Wait
import dev.cairn.sion.FileMapping
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.SaveNames
import java.nio.file.Path

/**
 * What one rank saves with, from the opening of its checkpoints on. It is the same for all saves, and owns nothing.
 *
 * @property ranks a communicator that the program does not use
 * @property files the file system that all ranks share
 * @property directory where the checkpoints are
 * @property mapping into which physical files the data go
 * @property pool the frames of this process that may be on their way at once
 * @property worker writes while the program goes on
 * @property local the disks of the hosts; null if the program uses none
 * @property dedicated the way to the dedicated rank of this one; null if the program has none
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

    /** How long a save blocks the program whose caller does not say so. Dedicated ranks are there so that it need not wait. */
    val wait: Wait get() = options.wait ?: if (dedicated == null) Wait.COMMITTED else Wait.COPIED

    /** Refuses to [wait] for dedicated ranks that have left. */
    fun requireDedicated(wait: Wait) {
        if (wait == Wait.COPIED) dedicated?.requireOpen()
    }

    /** The multifile of save [number]. */
    fun spec(
        number: Int,
        mapping: FileMapping = this.mapping,
    ): MultifileSpec = options.spec(SaveNames.data(directory, number), mapping)
}
