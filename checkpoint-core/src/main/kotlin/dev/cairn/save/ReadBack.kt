package dev.cairn.save

import dev.cairn.checkpoint.Contents
import dev.cairn.checkpoint.StoredState
import dev.cairn.checkpoint.StreamInput
import dev.cairn.item.ReadBackItem
import dev.cairn.multifile.TaskReading
import dev.cairn.ranks.MessageFields
import dev.cairn.ranks.NOTHING
import dev.cairn.ranks.collectively
import dev.cairn.ranks.copiedBytes
import dev.cairn.sion.MultifileMeta
import dev.cairn.store.ManifestFormat
import java.nio.ByteBuffer
import java.nio.file.Path

/**
 * Before the first save of a run is committed, reads back its items that code of the program decodes. Every rank has one, with the same
 * items.
 */
internal class ReadBack(private val context: SaveContext) {
    private val items = context.items.filterIsInstance<ReadBackItem>()

    /** Whether the next save is read back; the same on all ranks. */
    var isDue = items.isNotEmpty()
        private set

    /** On rank 0: what the ranks need to read a [complete] save from [data]. */
    fun readable(complete: CompleteSave, data: Path) =
        ReadableSave(complete.manifestBytes, complete.contents, MultifileMeta.read(context.files, data).bytes())

    /** Collective: each rank reads the bytes of its own items in [data]. */
    suspend fun run(save: ReadableSave, data: Path) {
        val ranks = context.ranks
        val manifest =
            ranks.shareInProcess { ManifestFormat.decode(context.directory, save.manifest.copiedBytes()).manifest }
        val contents = ranks.shareInProcess { Contents.unpack(save.contents) }
        val reading = TaskReading.of(ranks, data, context.files, save.meta)
        reading.end(
            runCatching {
                val stored = StoredState(reading.open(), manifest, contents)
                ranks.collectively("read back") { readItems(stored) }
            },
        )
        isDue = false
    }

    private fun readItems(stored: StoredState) {
        val rank = context.ranks.rank
        for (item in items) item.readBack(StreamInput(stored, rank, item.key, item.kind.firstIndex(rank)))
    }
}

/** The data by which ranks read a save that is complete and not committed. */
internal class ReadableSave(val manifest: ByteBuffer, val contents: ByteBuffer, val meta: ByteBuffer)

internal val READABLE_SAVE =
    MessageFields("a save that is complete and not committed", ReadableSave(NOTHING, NOTHING, NOTHING)) {
        ReadableSave(bytes(it.manifest), bytes(it.contents), bytes(it.meta))
    }
