package dev.cairn.save

import dev.cairn.cells.CellDigest
import dev.cairn.cells.DigestFormula
import dev.cairn.comm.MessageFields
import dev.cairn.comm.ROOT
import dev.cairn.contents.Contents
import dev.cairn.contents.TableOfContents
import dev.cairn.contents.TableOfContents.Companion.FRAME_SIZE
import dev.cairn.failure.CheckpointException
import dev.cairn.item.Capture
import dev.cairn.item.CellItem
import dev.cairn.item.SizedPart
import dev.cairn.item.StateItem
import dev.cairn.item.StreamPart
import dev.cairn.multifile.task.Brought
import dev.cairn.multifile.task.TaskWish
import dev.cairn.multifile.task.TaskWriting
import dev.cairn.sion.Content
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.RecordWriter
import dev.cairn.store.Manifest
import dev.cairn.store.ManifestFormat
import dev.cairn.structure.Structure
import dev.cairn.structure.one
import kotlinx.coroutines.CancellationException
import java.nio.ByteBuffer
import kotlin.time.Duration
import kotlin.time.TimeMark
import kotlin.time.measureTimedValue

/** The data written by all ranks, and the number of physical files, as known on rank 0. */
internal class WrittenState(
    val contentsRoot: String,
    val items: List<ItemTotal>,
    val fileCount: Int,
    val slowest: Slowest,
)

/** The work of rank 0 alone, after all ranks have written. */
internal interface Conclusion {
    /** The manifest of the [written] data; the index gets a copy of it. */
    fun describe(written: WrittenState): Manifest

    /** The multifile is closed: makes it a checkpoint. */
    fun commit(manifest: Manifest)
}

/** The result of a committed save, known on all ranks. */
internal class CommittedSave(
    val byteCount: Long,
    val time: Duration,
    val slowest: Slowest,
)

/** The rank that took longest to write its items. */
internal data class Slowest(
    val rank: Int,
    val time: Duration,
)

private val SLOWEST = Structure(Slowest(ROOT, Duration.ZERO)) { Slowest(u32(it.rank), one(it.time, DURATION)) }

private val COMMITTED_SAVE =
    MessageFields("that a save was committed", CommittedSave(0, Duration.ZERO, SLOWEST.blank)) {
        CommittedSave(u64(it.byteCount), one(it.time, DURATION), one(it.slowest, SLOWEST))
    }

private val TABLE_SIZE = MessageFields("the size of a table of contents", 0L) { u64(it) }

/** The sums of an item over all ranks. */
internal class ItemTotal(
    val item: StateItem,
    val digest: CellDigest,
    val elementCount: Long,
    val byteCount: Long,
)

/** A save that rank 0 has begun, as all ranks know it. */
internal class BegunSave(
    val number: Int,
    val begin: TimeMark,
    val spec: MultifileSpec,
)

/**
 * Takes the state of all ranks down into the multifile of one save. Every rank has one, with the same items; all its
 * functions are collective.
 */
internal class Saver(
    private val context: SaveContext,
) {
    private val ranks = context.ranks
    private val items = context.items
    private val snapshotCheck =
        if (context.options.verifySnapshot) {
            SnapshotCheck(items, StateDigester(DigestFormula.NEWEST, context.pool))
        } else {
            null
        }

    /**
     * Collective: writes what [save] says, and lets [conclusion] commit it. Ranks that fail are heard of where rank 0 gathers
     * what the ranks bring, so a save takes four calls, and those of items that are checked together.
     *
     * @param requireAgreement throws on a rank whose save differs from that of rank 0
     */
    suspend fun write(
        save: BegunSave,
        requireAgreement: () -> Unit,
        conclusion: Conclusion,
    ): CommittedSave {
        val captures = capture(requireAgreement)
        val wish = captures.mapCatching { wish(save.number, it) }
        val writing =
            TaskWriting.begin(ranks, save.spec.withContent(Content.RECORDS), wish, context.files) { notes ->
                indexSize(notes.map(TABLE_SIZE::decode), conclusion)
            }
        val outcome = runCatching { writeAll(save.number, captures.getOrThrow(), writing) }
        val answer = writing.end("save", outcome) { conclude(it, conclusion, save.begin) }
        captures.getOrThrow().forEach { it.acceptTiling() }
        return COMMITTED_SAVE.decode(answer)
    }

    /** Collective if there are items that are checked together. */
    private suspend fun capture(requireAgreement: () -> Unit): Result<List<Capture>> {
        ranks.note("look at the state")
        val captures =
            runCatching {
                requireAgreement()
                items.map { it.capture(ranks.rank) }
            }
        captures.onFailure { if (it is CancellationException) throw it }
        if (items.any { it.isCheckedTogether }) {
            ranks.settle("look at the state", captures.exceptionOrNull())
            captures.getOrThrow().forEach { it.check(ranks) }
        }
        return captures
    }

    private fun wish(
        number: Int,
        captures: List<Capture>,
    ): TaskWish {
        val blank = blankTable(number, captures)
        val tocSize = blank.encodedSize()
        val exactSize = blank.entries.sumOf { it.storedSize } + HEADER + tocSize
        val room = roomToGrow(captures)
        val size = context.options.chunkSize?.coerceAtLeast(room) ?: (exactSize + room)
        return TaskWish(size, TABLE_SIZE.encode(tocSize))
    }

    private suspend fun writeAll(
        number: Int,
        captures: List<Capture>,
        writing: TaskWriting,
    ): Brought {
        ranks.note("write the items")
        val records = RecordWriter.of(writing.open())
        val (written, time) =
            measureTimedValue {
                captures.map {
                    records.writeItem(
                        it,
                        DigestFormula.NEWEST,
                        context.pool,
                    )
                }
            }
        snapshotCheck?.requireUnmoved(ranks.rank, written)
        val table = TableOfContents(number, ranks.rank, ranks.size, written.flatMap { it.entries }).encode()
        records.put(TableOfContents.KEY, table.duplicate())
        return Brought(records.usage(), RANK_REPORT.encode(RankReport(table, Summary.of(written, time))))
    }

    private fun conclude(
        ending: TaskWriting.Ending,
        conclusion: Conclusion,
        begin: TimeMark,
    ): ByteBuffer {
        val reports = ending.notes.map(RANK_REPORT::decode)
        val summaries = reports.map { it.summary }
        requireTiled(reports)
        val totals = items.mapIndexed { index, item -> total(item, summaries.map { it.items[index] }) }
        val packed = Contents.pack(reports.map { it.table })
        val state = WrittenState(Contents.root(packed), totals, ending.fileCount, slowest(summaries))
        val manifest = conclusion.describe(state)
        ending.writeExtra { chunks ->
            val index = RecordWriter.of(chunks)
            index.put(TableOfContents.KEY, packed.duplicate())
            index.put(TableOfContents.MANIFEST_KEY, ByteBuffer.wrap(ManifestFormat.encode(manifest)))
            index.usage()
        }
        ending.close()
        conclusion.commit(manifest)
        val byteCount = totals.sumOf { it.byteCount }
        return COMMITTED_SAVE.encode(CommittedSave(byteCount, begin.elapsedNow(), state.slowest))
    }

    /** Room for all tables, and for the manifest with the largest numbers that it can get. */
    private fun indexSize(
        tocSizes: List<Long>,
        conclusion: Conclusion,
    ): Long {
        val totals = items.map { ItemTotal(it, CellDigest.NONE, 0, 0) }
        val blank = WrittenState(Contents.root(ByteBuffer.allocate(0)), totals, 1, Slowest(ROOT, Duration.ZERO))
        val manifest = ManifestFormat.encode(conclusion.describe(blank)).size + MOST_DIGITS * (2 * items.size + 3)
        return HEADER + tocSizes.sumOf { Int.SIZE_BYTES + it } + HEADER + manifest
    }

    /** Blocks that have not moved since the last check need not be checked again. */
    private fun requireTiled(reports: List<RankReport>) {
        val moved = items.filterIndexed { index, _ -> reports.any { it.summary.items[index].hasMoved } }
        if (moved.isEmpty()) return
        val tables = reports.map { TableOfContents.decode(it.table.duplicate()) }
        moved.filterIsInstance<CellItem>().forEach { it.requireTiled(tables) }
    }

    private fun slowest(summaries: List<Summary>): Slowest =
        summaries.indices.maxBy { summaries[it].time }.let { Slowest(it, summaries[it].time) }

    private fun total(
        item: StateItem,
        parts: List<Summary.Part>,
    ): ItemTotal {
        if (item.isReplicated) requireSame(item, parts)
        val summed = if (item.isReplicated) parts.take(1) else parts
        val digest = summed.map { it.digest }.fold(CellDigest.NONE, CellDigest::plus)
        return ItemTotal(item, digest, parts.sumOf { it.elementCount }, parts.sumOf { it.byteCount })
    }

    private fun requireSame(
        item: StateItem,
        parts: List<Summary.Part>,
    ) {
        val others = parts.indices.filter { parts[it].digest != parts[ROOT].digest }
        if (others.isNotEmpty()) throw CheckpointException.ReplicatedDiffers(item.name, others)
    }

    /** As large as the table will be when all frames have been written, except for streams, whose size is not known. */
    private fun blankTable(
        number: Int,
        captures: List<Capture>,
    ): TableOfContents {
        val parts = captures.flatMap { it.parts }.filterIsInstance<SizedPart>().filter { it.size > 0 }
        val entries =
            parts.map { part ->
                val frameCount = Math.toIntExact(TableOfContents.frameCount(part.size))
                TableOfContents.Entry(part.key, part.size, part.boxes, List(frameCount) { 0 })
            }
        return TableOfContents(number, ranks.rank, ranks.size, entries)
    }

    /** A record of a stream lies in one chunk, so the chunks of ranks with streams must have room for one. */
    private fun roomToGrow(captures: List<Capture>): Long =
        if (captures.any { capture -> capture.parts.any { it is StreamPart } }) HEADER + FRAME_SIZE else 0

    private companion object {
        const val HEADER = TableOfContents.RECORD_HEADER

        /** The maximum length of a number, or of the fraction of a second in a time. */
        const val MOST_DIGITS = 20L
    }
}
