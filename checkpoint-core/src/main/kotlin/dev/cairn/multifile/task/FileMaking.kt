package dev.cairn.multifile.task

import dev.cairn.sion.Multifile
import dev.cairn.sion.MultifileLayout
import dev.cairn.sion.TaskUsage
import dev.cairn.sion.store.BlockStore

/** The way in which a new multifile gets its physical files. Rank 0 calls it. */
internal interface FileMaking {
    /** Before any task has written: makes the files of [layout]. */
    fun create(
        store: BlockStore,
        layout: MultifileLayout,
    )

    /** All tasks have written: completes the files. */
    fun complete(
        store: BlockStore,
        layout: MultifileLayout,
        usages: List<TaskUsage>,
    )
}

/** Rank 0 makes and completes all files, and all copies of them, in a store that all ranks share. */
internal object MakingByRoot : FileMaking {
    override fun create(
        store: BlockStore,
        layout: MultifileLayout,
    ) {
        Multifile.create(store, layout)
        layout.buddies().forEach { Multifile.create(store, it.layout()) }
    }

    override fun complete(
        store: BlockStore,
        layout: MultifileLayout,
        usages: List<TaskUsage>,
    ) {
        layout.buddies().forEach { Multifile.close(store, it.layout(), usages) }
        Multifile.close(store, layout, usages)
    }
}
