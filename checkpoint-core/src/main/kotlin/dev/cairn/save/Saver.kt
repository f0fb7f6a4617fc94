package dev.cairn.save

import dev.cairn.CheckpointException
import dev.cairn.cells.CellDigest
import dev.cairn.cells.DigestFormula
import dev.cairn.comm.Communicator
import dev.cairn.comm.collectively
import dev.cairn.comm.gatherLong
import dev.cairn.multifile.ROOT
import dev.cairn.multifile.TaskWriting
import dev.cairn.sion.Content
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.RecordWriter
import dev.cairn.sion.TaskUsage
import dev.cairn.sion.store.BlockStore
import dev.cairn.state.Capture
import dev.cairn.state.Contents
import dev.cairn.state.FieldItem
import dev.cairn.state.FramePool
import dev.cairn.state.SizedPart
import dev.cairn.state.StateItem
import dev.cairn.state.StreamPart
import dev.cairn.state.TableOfContents
import dev.cairn.state.TableOfContents.Companion.FRAME_SIZE
import dev.cairn.store.Manifest
import dev.cairn.store.ManifestFormat
import java.nio.ByteBuffer
import kotlin.time.Duration
import kotlin.time.measureTimedValue

/** What all ranks together have written, into how many physical files, as rank 0 knows it. */
internal class WrittenState(
    val contentsRoot: String,
    val items: List<ItemTotal>,
    val fileCount: Int,
    val slowest: Slowest,
)

/** What all ranks together have written, with the manifest that tells of it, which is not committed yet. */
internal class DescribedState(
    val state: WrittenState,
    val manifest: Manifest,
)

/** The rank that took longest to write its items. */
internal class Slowest(
    val rank: Int,
    val time: Duration,
)

/** The sums of an item over all ranks. */
internal class ItemTotal(
    val item: StateItem,
    val digest: CellDigest,
    val elementCount: Long,
    val byteCount: Long,
)

/**
 * Takes the state of all ranks down into the multifile of one save. Every rank has one, with the same [items]; all its
 * functions are collective.
 *
 * @param pool the frames of a process that may be on their way at once
 * @param chunkSize how large the chunks of a rank are, of which it takes as many as it needs; null for one that has the
 *     exact size
 * @param snapshotCheck looks at the state once more when it was written; null if that is not wanted
 */
internal class Saver(
    private val ranks: Communicator,
    private val files: BlockStore,
    private val items: List<StateItem>,
    private val pool: FramePool,
    private val chunkSize: Long? = null,
    private val snapshotCheck: SnapshotCheck? = null,
) {
    /**
     * Collective: writes save [number] as [spec] says. Returns what is there on rank 0, and null on the others.
     *
     * @param requireAgreement throws on a rank that wants another save than rank 0
     * @param describe makes the manifest, on rank 0; the index gets a copy of it
     */
    suspend fun write(
        number: Int,
        spec: MultifileSpec,
        requireAgreement: () -> Unit = {},
        describe: (WrittenState) -> Manifest,
    ): DescribedState? {
        val captures =
            ranks.collectively("look at the state") {
                requireAgreement()
                items.map { it.capture(ranks.rank) }
            }
        captures.forEach { it.check(ranks) }
        val blank = blankTable(number, captures)
        val tocSize = blank.encodedSize()
        val exactSize = blank.entries.sumOf { it.storedSize } + HEADER + tocSize
        val request = chunkSize?.coerceAtLeast(roomToGrow(captures)) ?: (exactSize + roomToGrow(captures))
        val tocSizes = ranks.gatherLong(ROOT, tocSize)
        val indexSize = if (ranks.rank == ROOT) indexSize(tocSizes, describe) else null
        val writing = TaskWriting.begin(ranks, spec.withContent(Content.RECORDS), request, files, indexSize)
        val outcome = runCatching { writeAll(number, captures, writing, describe) }
        writing.end(outcome.map { it.usage })
        return outcome.getOrThrow().state
    }

    private class Written(
        val usage: TaskUsage,
        val state: DescribedState?,
    )

    private suspend fun writeAll(
        number: Int,
        captures: List<Capture>,
        writing: TaskWriting,
        describe: (WrittenState) -> Manifest,
    ): Written {
        val records = ranks.collectively("open the stream") { RecordWriter.of(writing.open()) }
        val (written, time) =
            ranks.collectively("write the items") {
                measureTimedValue { captures.map { records.writeItem(it, DigestFormula.NEWEST, pool) } }
            }
        if (snapshotCheck != null) {
            ranks.collectively("verify the snapshot") { snapshotCheck.requireUnmoved(ranks.rank, written) }
        }
        val table = TableOfContents(number, ranks.rank, ranks.size, written.flatMap { it.entries }).encode()
        ranks.collectively("write the table of contents") { records.put(TableOfContents.KEY, table.duplicate()) }
        val tables = ranks.gather(ROOT, table)
        val summaries = ranks.gather(ROOT, Summary.of(written, time).toPayload())
        val state =
            ranks.collectively("write the index") {
                writeIndex(writing, tables, summaries.map(Summary::of), describe)
            }
        captures.forEach { it.acceptTiling() }
        return Written(records.usage(), state)
    }

    private fun writeIndex(
        writing: TaskWriting,
        tables: List<ByteBuffer>,
        summaries: List<Summary>,
        describe: (WrittenState) -> Manifest,
    ): DescribedState? {
        if (ranks.rank != ROOT) return null
        requireTiled(tables, summaries)
        val totals = items.mapIndexed { index, item -> total(item, summaries.map { it.items[index] }) }
        val packed = Contents.pack(tables)
        val state = WrittenState(Contents.root(packed), totals, writing.fileCount, slowest(summaries))
        val manifest = describe(state)
        val index = RecordWriter.of(writing.openExtra())
        index.put(TableOfContents.KEY, packed.duplicate())
        index.put(TableOfContents.MANIFEST_KEY, ByteBuffer.wrap(ManifestFormat.encode(manifest)))
        return DescribedState(state, manifest)
    }

    /** Room for all tables, and for the manifest with the largest numbers that it can get. */
    private fun indexSize(
        tocSizes: LongArray,
        describe: (WrittenState) -> Manifest,
    ): Long {
        val totals = items.map { ItemTotal(it, CellDigest.NONE, 0, 0) }
        val blank = WrittenState(Contents.root(ByteBuffer.allocate(0)), totals, 1, Slowest(ROOT, Duration.ZERO))
        val manifest = ManifestFormat.encode(describe(blank)).size + MOST_DIGITS * (2 * items.size + 3)
        return HEADER + tocSizes.sumOf { Int.SIZE_BYTES + it } + HEADER + manifest
    }

    /** Blocks that are where they were checked last need not be looked at again. */
    private fun requireTiled(
        tables: List<ByteBuffer>,
        summaries: List<Summary>,
    ) {
        val moved = items.filterIndexed { index, _ -> summaries.any { it.items[index].hasMoved } }
        if (moved.isEmpty()) return
        val decoded = tables.map(TableOfContents::decode)
        moved.filterIsInstance<FieldItem>().forEach { it.requireTiled(decoded) }
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

    /** As large as the table will be when all frames have been written, but for streams, of which nobody knows. */
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

    /** A record of a stream lies in one chunk, so the chunks of who has streams must have room for one. */
    private fun roomToGrow(captures: List<Capture>): Long =
        if (captures.any { capture -> capture.parts.any { it is StreamPart } }) HEADER + FRAME_SIZE else 0

    private companion object {
        const val HEADER = TableOfContents.RECORD_HEADER

        /** Of a number, or of the fraction of a second in a time. */
        const val MOST_DIGITS = 20L
    }
}
