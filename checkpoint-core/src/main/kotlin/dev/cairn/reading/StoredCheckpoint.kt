package dev.cairn.reading

import dev.cairn.sion.GlobalView
import dev.cairn.sion.Multifile
import dev.cairn.sion.store.BlockStore
import dev.cairn.state.Contents
import dev.cairn.store.Candidate
import dev.cairn.store.Manifest
import java.io.Closeable

/**
 * A checkpoint that somebody reads alone, without ranks and without the program that made it. Its index was checked when
 * it was opened. It owns the open files; whoever opened it closes it.
 */
internal class StoredCheckpoint private constructor(
    val candidate: Candidate,
    val view: GlobalView,
) : Closeable by view {
    val manifest: Manifest get() = candidate.manifest
    val contents: Contents = Contents.unpack(view.readContents(candidate))

    /** In the order in which they were declared. */
    val items: List<StoredItem> =
        StoredState(view, manifest, contents).let { state ->
            manifest.keyed().map { (item, key) -> StoredItem.of(item, key, state) }
        }

    companion object {
        /** Opens the data of [candidate], and reads their index. */
        fun open(
            files: BlockStore,
            candidate: Candidate,
        ): StoredCheckpoint {
            val view = Multifile.open(files, candidate.data)
            try {
                return StoredCheckpoint(candidate, view)
            } catch (failure: Throwable) {
                view.use { throw failure }
            }
        }
    }
}
