package dev.cairn.save

import dev.cairn.checkpoint.Contents
import dev.cairn.checkpoint.TableOfContents
import dev.cairn.item.StateItem
import dev.cairn.item.stateMoved
import dev.cairn.multifile.TaskWriting
import dev.cairn.ranks.ROOT
import dev.cairn.redistribution.CellDigest
import dev.cairn.sion.FileMapping
import dev.cairn.sion.RecordWriter
import dev.cairn.store.ManifestFormat
import java.nio.ByteBuffer
import kotlin.time.Duration

/** Writes rank 0's own part of a [save]: the sums over all ranks, the manifest, the index. */
internal class RootWriting(
    private val items: List<StateItem>,
    private val save: NumberedSave,
    private val isFileCountChosen: Boolean,
    private val manifestRoom: ManifestRoom,
) {
    /** After all ranks have written, rank 0 by [ofRank]: writes the index and completes the multifile. */
    fun complete(ending: TaskWriting.Ending, ofRank: RankWriting): CompleteSave {
        val reports = ending.notes.map(RANK_REPORT::decode)
        val summaries = reports.map { it.summary }
        val totals = items.mapIndexed { index, item -> total(item, summaries.map { it.items[index] }) }
        requireExpected(totals, ofRank.expectedDigests)
        ofRank.checkOutputs()
        val packed = Contents.pack(reports.map { it.table })
        val reason = reasonOf(ending.mapping)
        val state = WrittenState(Contents.root(packed), totals, ending.fileCount, reason, slowest(summaries))
        val stored = ManifestFormat.toStore(save.manifestOf(state))
        manifestRoom.note(stored.bytes.remaining())
        ending.writeExtra { chunks ->
            val index = RecordWriter.of(chunks)
            index.put(TableOfContents.KEY, packed.duplicate())
            index.put(TableOfContents.MANIFEST_KEY, stored.bytes.duplicate())
            index.usage()
        }
        ending.close()
        return CompleteSave(stored, packed, state, summaries.sumOf { it.notCopied })
    }

    /** The reason for the file count of [mapping], if the ranks chose it. */
    private fun reasonOf(mapping: FileMapping): String? = if (isFileCountChosen) "$mapping" else null

    /** The bytes written by concentrators must be those that the owners had before. */
    private fun requireExpected(totals: List<ItemTotal>, expected: List<CellDigest?>) {
        val moved = totals.zip(expected).filter { (total, digest) -> digest != null && digest != total.digest }
        if (moved.isNotEmpty()) throw stateMoved(moved.map { (total, _) -> total.item.name })
    }

    /** Room for all tables, and for the manifest with the largest possible numbers. */
    fun indexSize(outlines: List<RankOutline>, mapping: FileMapping): Long {
        val manifest = manifestRoom.expectedSize { sizeOfBlank(mapping) } + MOST_DIGITS * (2 * items.size + 4)
        return HEADER + outlines.sumOf { Int.SIZE_BYTES + it.tableSize } + HEADER + manifest
    }

    private fun sizeOfBlank(mapping: FileMapping): Int {
        val totals = items.map { ItemTotal(it, CellDigest.NONE, 0, 0) }
        val root = Contents.root(ByteBuffer.allocate(0))
        val blank = WrittenState(root, totals, 1, reasonOf(mapping), Slowest(ROOT, Duration.ZERO))
        return ManifestFormat.encode(save.manifestOf(blank)).size
    }

    private fun slowest(summaries: List<Summary>): Slowest =
        summaries.indices.maxBy { summaries[it].time }.let { Slowest(it, summaries[it].time) }

    private fun total(item: StateItem, parts: List<Summary.Part>): ItemTotal {
        val summed = if (item.isReplicated) parts.take(1) else parts
        val digest = summed.map { it.digest }.fold(CellDigest.NONE, CellDigest::plus)
        return ItemTotal(item, digest, parts.sumOf { it.elementCount }, parts.sumOf { it.byteCount })
    }

    private companion object {
        const val HEADER = TableOfContents.RECORD_HEADER

        /** The maximum length of a number, or of the fraction of a second in a time. */
        const val MOST_DIGITS = 20L
    }
}

/**
 * What the manifests of a program take, on rank 0. All but the first are about as long as the one before; what does not fit goes to
 * another chunk.
 */
internal class ManifestRoom {
    @Volatile private var lastSize: Int? = null

    fun note(size: Int) {
        lastSize = size
    }

    /** The size of the last one, or of a [blank] one before the first. */
    fun expectedSize(blank: () -> Int): Int = lastSize ?: blank()
}
