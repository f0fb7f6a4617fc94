package dev.cairn.save

import dev.cairn.checkpoint.SnapshotMemory
import dev.cairn.checkpoint.TableOfContents
import dev.cairn.concentrate.SentPart
import dev.cairn.item.Capture
import dev.cairn.item.StreamCapture
import dev.cairn.multifile.RankResult
import dev.cairn.multifile.TaskWriting
import dev.cairn.multifile.WriteBatch
import dev.cairn.ranks.Worker
import dev.cairn.ranks.atStep
import dev.cairn.ranks.inStep
import dev.cairn.redistribution.CellDigest
import dev.cairn.sion.RecordWriter
import dev.cairn.sion.store.PositionedOutput
import kotlin.time.Duration
import kotlin.time.TimeSource
import kotlin.time.measureTimedValue

/** Writes one rank's part of a save: its [captures] go into its task, at once or from a copy. */
internal class RankWriting(
    private val context: SaveContext,
    private val number: Int,
    private val captures: List<Capture>,
    private val writing: TaskWriting,
    private val check: SnapshotCheck?,
) {
    private val ranks = context.ranks

    /** The digest of each item that was known before; the same on all ranks. */
    val expectedDigests: List<CellDigest?> get() = captures.map { it.expectedDigest }

    /** Whether the program writes streams. The same on all ranks. */
    val hasStreams: Boolean get() = captures.any { it is StreamCapture }

    /** Writes all items now. */
    suspend fun writeNow(): RankResult = writeItems { it }.also { forceOutputs() }

    /** Forces the files of outputs: the checkpoint refers to their bytes. */
    private fun forceOutputs() = captures.forEach { it.force() }

    /** On rank 0, when all ranks have written and forced: throws if an output is not as it was captured. */
    fun checkOutputs() = captures.forEach { it.checkForced() }

    /** @param pause called before each frame */
    private suspend fun writeItems(
        pause: suspend () -> Unit = {},
        outputOf: (PositionedOutput) -> PositionedOutput,
    ): RankResult {
        ranks.note("write the items")
        val task = Task(RecordWriter.of(writing.open(outputOf)), pause)
        val (written, time) =
            measureTimedValue {
                context.items.zip(
                    captures,
                ) { item, capture -> atStep("write '${item.name}'") { task.items.write(capture) } }
            }
        check?.requireUnmoved(ranks.rank, ofOwn(written) { SnapshotCheck.Seen(it.digest, it.elementCount) })
        return task.end(Summary.of(written, time))
    }

    /**
     * Copies the state, after which the program may go on, and returns the rest of the work, for [worker]. Collective among the ranks of
     * a group, which are small, so they write at once, into the memory of their collector.
     */
    suspend fun writeLater(memory: SnapshotMemory, worker: Worker): suspend () -> RankResult =
        if (writing.isGrouped) collect(memory, worker) else copy(memory, worker)

    /**
     * Writes all items into [part], which goes to a dedicated rank, and returns the rest of the work, for a worker. Collective among the
     * ranks of a group.
     */
    suspend fun send(part: SentPart): suspend () -> RankResult {
        val collected = writing.finish(runCatching { writeItems(part::flush, part::into) }.inStep())
        part.end(isWhole = collected.isSuccess)
        val result = collected.getOrThrow().withNotCopied(part.notSent)
        return {
            part.written.await().getOrThrow()
            forceOutputs()
            result
        }
    }

    /**
     * The writes of a rank that collects for its group, or is large in one, wait in [memory]. What does not fit there is written at once: the
     * writes of a save do not overlap, so their order does not matter.
     */
    private suspend fun collect(memory: SnapshotMemory, worker: Worker): suspend () -> RankResult {
        val held = WriteBatch(memory = memory::take)
        lateinit var file: PositionedOutput
        val outcome =
            runCatching {
                writeItems { output ->
                    file = output
                    held.output(output.path(), output::write)
                }
            }
        val collected = writing.finish(outcome.inStep())
        return {
            if (held.byteCount > 0) held.writeTo(file) { worker.pause() }
            forceOutputs()
            collected.getOrThrow().withNotCopied(held.refusedCount)
        }
    }

    /** Corrects the report of this rank, which was made before its collector wrote. */
    private fun RankResult.withNotCopied(byteCount: Long): RankResult {
        if (byteCount == 0L) return this
        val report = RANK_REPORT.decode(note)
        val summary = Summary(report.summary.items, report.summary.time, byteCount)
        return RankResult(usage, RANK_REPORT.encode(RankReport(report.table, summary)))
    }

    private suspend fun copy(memory: SnapshotMemory, worker: Worker): suspend () -> RankResult {
        ranks.note("copy the items")
        val begin = TimeSource.Monotonic.markNow()
        val task = Task(RecordWriter.of(writing.open()), worker::pause)
        val items = Snapshot(memory, task.items, context.pool, context.items).take(captures)
        check?.requireUnmoved(ranks.rank, ofOwn(items) { seen(it, check) })
        val copyTime = begin.elapsedNow()
        return { task.write(items, copyTime).also { forceOutputs() } }
    }

    /** [seen] for items from the program's own memory; null for the others. */
    private inline fun <T> ofOwn(written: List<T>, seen: (T) -> SnapshotCheck.Seen?): List<SnapshotCheck.Seen?> =
        captures.zip(written) { capture, each -> if (capture.expectedDigest == null) seen(each) else null }

    /** Null for a stream, which cannot be read again. */
    private suspend fun seen(item: SnapshotItem, check: SnapshotCheck) =
        when (item) {
            is SnapshotItem.Copied -> check.look(item.capture)
            is SnapshotItem.Frames -> null
            is SnapshotItem.Written -> SnapshotCheck.Seen(item.item.digest, item.item.elementCount)
        }

    /** The records of this rank's task. */
    private inner class Task(private val records: RecordWriter, pause: suspend () -> Unit = {}) {
        val items = ItemWriter(records, context.pool, pause)

        suspend fun write(snapshot: List<SnapshotItem>, copyTime: Duration): RankResult {
            val begin = TimeSource.Monotonic.markNow()
            val written =
                context.items.zip(snapshot) { item, copied ->
                    when (copied) {
                        is SnapshotItem.Copied -> {
                            atStep("write '${item.name}'") { items.write(copied.capture) }
                        }

                        is SnapshotItem.Frames -> {
                            atStep(
                                "write '${item.name}'",
                            ) { items.write(copied.capture, copied.frames) }
                        }

                        is SnapshotItem.Written -> {
                            copied.item
                        }
                    }
                }
            val notCopied = snapshot.filterIsInstance<SnapshotItem.Written>().sumOf { it.item.byteCount }
            return end(Summary.of(written, copyTime + begin.elapsedNow(), notCopied))
        }

        /** Writes the last record. */
        fun end(summary: Summary): RankResult {
            val table = items.table(number, ranks.rank, ranks.size).encode()
            records.put(TableOfContents.KEY, table.duplicate())
            return RankResult(records.usage(), RANK_REPORT.encode(RankReport(table, summary)))
        }
    }
}
