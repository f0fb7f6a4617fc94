package dev.cairn.multifile

import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.NotSaved
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.sion.Multifile
import dev.cairn.sion.MultifileLayout
import dev.cairn.sion.TaskUsage
import dev.cairn.sion.store.BlockStore
import java.nio.file.Path

/** The way in which a new multifile gets its physical files. Rank 0 calls it. */
internal interface FileMaking {
    /**
     * Before any task has written: checks the room, and makes the files of [layout] if that is up to rank 0.
     *
     * @param sizes the bytes of each task that are known
     * @throws NotSaved if there is no room for these
     */
    suspend fun prepare(store: BlockStore, layout: MultifileLayout, sizes: List<Long>)

    /** All tasks have written: completes the files. */
    fun complete(store: BlockStore, layout: MultifileLayout, usages: List<TaskUsage>)
}

/** The known part of the size of a multifile is larger than the room at [place]. Nothing was created. */
internal fun noRoom(place: Path, sentence: String) = NotSaved(Details(sentence, path = place, reason = Reason.NO_ROOM))

/**
 * Rank 0 makes and completes all files, and all copies of them, in a store that all ranks share.
 *
 * @param awaitRoom returns when what is being deleted has given its room to this number of bytes, or none is deleted
 */
internal class MakingByRoot(private val awaitRoom: suspend (byteCount: Long) -> Unit = {}) : FileMaking {
    override suspend fun prepare(store: BlockStore, layout: MultifileLayout, sizes: List<Long>) {
        awaitRoom(sizes.sum())
        requireRoom(layout.spec().path(), store, sizes.sum())
        Multifile.create(store, layout)
        layout.buddies().forEach { Multifile.create(store, it.layout()) }
    }

    override fun complete(store: BlockStore, layout: MultifileLayout, usages: List<TaskUsage>) {
        layout.buddies().forEach { Multifile.close(store, it.layout(), usages) }
        Multifile.close(store, layout, usages)
    }

    /** A store reports 0 bytes free if the file system does not report them; then the first write that finds no room fails. */
    private fun requireRoom(file: Path, store: BlockStore, byteCount: Long) {
        val free = store.freeSpace(file.parent ?: Path.of(""))
        if (free !in 1 until byteCount) return
        throw noRoom(
            file,
            "$file: it needs $byteCount bytes or more, but the file system reports $free bytes free. Make room, or " +
                "write to another file system.",
        )
    }
}
