package dev.cairn.save

import dev.cairn.cells.CellDigest
import dev.cairn.cells.DigestFormula
import dev.cairn.comm.ROOT
import dev.cairn.comm.answerFrom
import dev.cairn.comm.atStep
import dev.cairn.comm.settleStep
import dev.cairn.contents.Contents
import dev.cairn.contents.SnapshotMemory
import dev.cairn.contents.TableOfContents
import dev.cairn.contents.TableOfContents.Companion.FRAME_SIZE
import dev.cairn.dedicated.SentPart
import dev.cairn.failure.isOutOfStep
import dev.cairn.item.Capture
import dev.cairn.item.PreparedItem
import dev.cairn.item.SharedCapture
import dev.cairn.item.SizedPart
import dev.cairn.item.StateItem
import dev.cairn.item.StreamPart
import dev.cairn.item.stateMoved
import dev.cairn.local.HostRoom
import dev.cairn.local.LocalDisks
import dev.cairn.local.MakingByHosts
import dev.cairn.multifile.task.Cores
import dev.cairn.multifile.task.FileMaking
import dev.cairn.multifile.task.MakingByRoot
import dev.cairn.multifile.task.RankRequest
import dev.cairn.multifile.task.RankResult
import dev.cairn.multifile.task.TaskWriting
import dev.cairn.multifile.task.Writer
import dev.cairn.options.DataFiles
import dev.cairn.sion.Content
import dev.cairn.sion.FileMapping
import dev.cairn.sion.ForcePolicy
import dev.cairn.sion.MultifileMeta
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.RecordWriter
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.ManifestFormat
import dev.cairn.text.counted
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Deferred
import java.nio.ByteBuffer
import kotlin.time.Duration
import kotlin.time.TimeMark

/** A save that rank 0 has begun, as all ranks know it. */
internal class BegunSave(
    val number: Int,
    val begin: TimeMark,
    val spec: MultifileSpec,
)

/**
 * Takes the state of all ranks down into the multifile of one save. Every rank has one, with the same items; all its
 * functions are collective.
 *
 * @param awaitRoom on rank 0, before the files of a save of this number of bytes or more are made
 */
internal class Saver(
    private val context: SaveContext,
    awaitRoom: suspend (byteCount: Long) -> Unit = {},
) {
    private val ranks = context.ranks
    private val items = context.items
    private val preparedItems = items.filterIsInstance<PreparedItem>()
    private val digester = StateDigester(DigestFormula.NEWEST, context.pool)
    private val concentrators = context.options.concentrators
    private val choice = context.options.files as? DataFiles.Auto ?: DataFiles.Auto()
    private val cores = choice.cores ?: Cores.OF_THIS_PROCESS
    private val snapshotCheck = if (context.options.verifySnapshot) SnapshotCheck(items, digester) else null

    private val readBack = ReadBack(context)
    private val makingByRoot = MakingByRoot(awaitRoom)

    /** Whether the next save is to be [written][write] while the program waits, since it is read back; the same on all ranks. */
    val isReadBackDue: Boolean get() = readBack.isDue

    /**
     * Collective: writes the state of [save], and lets [conclusion] commit it. Rank 0 learns of ranks that failed where it
     * gathers what the ranks bring, so a save takes four calls, and those of items that are checked together.
     *
     * @param requireAgreement throws on a rank whose save differs from that of rank 0
     */
    suspend fun write(
        save: BegunSave,
        requireAgreement: () -> Unit,
        conclusion: Conclusion,
    ): CommittedSave {
        preparedItems.forEach { it.prepare() }
        val (writing, ofRank) = begin(save, requireAgreement, conclusion)
        val outcome = runCatching { ofRank.writeNow() }
        if (readBack.isDue) return endReadBack(writing, outcome, ofRank, save, conclusion)
        val answer =
            writing.end(
                "save",
                outcome,
            ) { COMMITTED_SAVE.encode(conclude(it, ofRank, conclusion, save)) }
        return COMMITTED_SAVE.decode(answer)
    }

    /** Collective: as the end of [write], but the ranks read back what is stored before rank 0 commits it. */
    private suspend fun endReadBack(
        writing: TaskWriting,
        outcome: Result<RankResult>,
        ofRank: RankWriting,
        save: BegunSave,
        conclusion: Conclusion,
    ): CommittedSave {
        val data = save.spec.path()
        var concluded: ConcludedSave? = null
        val complete =
            writing.end("save", outcome) { ending ->
                val own = complete(ending, ofRank, conclusion, save).also { concluded = it }
                val manifest = ByteBuffer.wrap(ManifestFormat.encode(own.manifest))
                COMPLETE_SAVE.encode(
                    CompleteSave(manifest, own.contents, MultifileMeta.read(context.files, data).bytes()),
                )
            }
        readBack.run(COMPLETE_SAVE.decode(complete), data)
        val answer =
            ranks.answerFrom(ROOT, "save") {
                val own = checkNotNull(concluded)
                conclusion.commit(own.manifest)
                COMMITTED_SAVE.encode(own.committed())
            }
        return COMMITTED_SAVE.decode(answer)
    }

    /**
     * Collective: as [write], but returns when the state is in its [place] or written; the worker, or a dedicated rank, does the rest.
     */
    suspend fun start(
        save: BegunSave,
        requireAgreement: () -> Unit,
        conclusion: Conclusion,
        place: CopyPlace,
    ): SaveUnderWay {
        preparedItems.forEach { it.prepareToGoOn() }
        val (writing, ofRank) = begin(save, requireAgreement, conclusion, writer = writer(place))
        val conclude = { ending: TaskWriting.Ending -> conclude(ending, ofRank, conclusion, save) }
        val under = { written: Deferred<Result<RankResult>>, sent: SentPart? ->
            DirectSave(writing, context.worker, written, sent, conclude, save.begin.elapsedNow())
        }
        return when (place) {
            is CopyPlace.Memory -> {
                under(writeLater(writing, ofRank) { writeLater(place.memory, context.worker) }, null)
            }

            is CopyPlace.Dedicated -> {
                val part = place.line.begin(save.spec.forcePolicy() == ForcePolicy.ON_CLOSE, ranks.limit)
                under(writeLater(writing, ofRank) { send(part) }, part)
            }
        }
    }

    /**
     * Collective: as [start], but the save goes to the [disks] of the hosts first.
     *
     * @param rooms of the hosts, on rank 0
     * @param memory for the copy of the state; null to return only when this rank has written to the disk of its host
     */
    suspend fun startLocally(
        save: BegunSave,
        requireAgreement: () -> Unit,
        conclusion: Conclusion,
        memory: SnapshotMemory?,
        disks: LocalDisks,
        rooms: List<HostRoom>,
    ): SaveUnderWay {
        preparedItems.forEach { it.prepareToSeal() }
        val making = MakingByHosts(disks.hosts, rooms)
        val (writing, ofRank) =
            begin(save, requireAgreement, conclusion, disks.saves.storeFor(save.number), making)
        val written =
            if (memory == null) {
                writeNow(writing, ofRank)
            } else {
                writeLater(writing, ofRank) { writeLater(memory, context.worker) }
            }
        val complete = { ending: TaskWriting.Ending -> complete(ending, ofRank, conclusion, save) }
        return LocalSave(context, disks, save, writing, written, complete, making, conclusion, save.begin.elapsedNow())
    }

    /** Collective: what [begin] returns is the rest, which the worker does. */
    private suspend fun writeLater(
        writing: TaskWriting,
        ofRank: RankWriting,
        begin: suspend RankWriting.() -> (suspend () -> RankResult),
    ): Deferred<Result<RankResult>> {
        val rest = runCatching { ofRank.begin() }
        rest.onFailure { if (it is CancellationException || it.isOutOfStep) writing.use { _ -> throw it } }
        if (ofRank.hasStreams) settleStreams(writing, rest.exceptionOrNull())
        return context.worker.start { rest.getOrThrow().invoke().also { writing.leave() } }
    }

    /** Collective among the ranks of a group. */
    private suspend fun writeNow(
        writing: TaskWriting,
        ofRank: RankWriting,
    ): Deferred<Result<RankResult>> {
        val outcome = runCatching { ofRank.writeNow() }
        outcome.onFailure { if (it is CancellationException || it.isOutOfStep) writing.use { _ -> throw it } }
        return CompletableDeferred(writing.finish(outcome).mapCatching { it.also { writing.leave() } })
    }

    /** Collective: an error of the program in a stream is thrown before the program goes on. */
    private suspend fun settleStreams(
        writing: TaskWriting,
        failure: Throwable?,
    ) {
        try {
            ranks.settleStep("copy the items", failure)
        } catch (told: Exception) {
            writing.use { throw told }
        }
    }

    /** Collective. */
    private suspend fun begin(
        save: BegunSave,
        requireAgreement: () -> Unit,
        conclusion: Conclusion,
        files: BlockStore = context.files,
        making: FileMaking = makingByRoot,
        writer: Writer = Writer.self(ranks, cores),
    ): Pair<TaskWriting, RankWriting> {
        val captures = capture(requireAgreement)
        val wish = captures.mapCatching { wish(save.number, it) }
        val spec = save.spec.withContent(Content.RECORDS)
        val writing =
            TaskWriting.begin(ranks, spec, wish, files, making, writer, choice.bounds) { notes, mapping ->
                val outlines = notes.map(RANK_OUTLINE::decode)
                items.requireAlike(outlines)
                indexSize(outlines, conclusion, reasonOf(save, mapping))
            }
        captures.getOrThrow().forEach { it.acceptTiling() }
        return writing to RankWriting(context, save.number, captures.getOrThrow(), writing, snapshotCheck)
    }

    private fun writer(place: CopyPlace) =
        when (place) {
            is CopyPlace.Memory -> Writer.self(ranks, cores)
            is CopyPlace.Dedicated -> Writer(place.line.dedicated, place.line.host, cores)
        }

    /** Why [save] has the files of [mapping], if the ranks chose it. */
    private fun reasonOf(
        save: BegunSave,
        mapping: FileMapping,
    ): String? = if (save.spec.mapping().isAuto) "$mapping" else null

    /** Collective if there are items that are checked together, or written by concentrators. */
    private suspend fun capture(requireAgreement: () -> Unit): Result<List<Capture>> {
        ranks.note("look at the state")
        val captures =
            runCatching {
                requireAgreement()
                items.map { atStep("look at '${it.name}'") { it.capture(ranks.rank) } }
            }
        captures.onFailure { if (it is CancellationException) throw it }
        val isConcentrated = concentrators != null || items.any { it.concentrators != null }
        if (!isConcentrated && items.none { it.isCheckedTogether }) return captures
        ranks.settleStep("look at the state", captures.exceptionOrNull())
        captures.getOrThrow().forEach { it.check(ranks) }
        return Result.success(captures.getOrThrow().map { concentrated(it) })
    }

    private suspend fun concentrated(capture: Capture): Capture =
        if (capture is SharedCapture) capture.concentrated(ranks, concentrators, digester::digest) else capture

    private suspend fun wish(
        number: Int,
        captures: List<Capture>,
    ): RankRequest {
        val blank = blankTable(number, captures)
        val tocSize = blank.encodedSize()
        val exactSize = blank.entries.sumOf { it.storedSize } + HEADER + tocSize
        val room = roomToGrow(captures)
        val size = context.options.chunkSize?.coerceAtLeast(room) ?: (exactSize + room)
        return RankRequest(size, RANK_OUTLINE.encode(outline(tocSize, blank, captures)), exactSize)
    }

    private suspend fun outline(
        tableSize: Long,
        blank: TableOfContents,
        captures: List<Capture>,
    ): RankOutline {
        val boxes = blank.entries.filter { it.boxes.isNotEmpty() }.map { it.copy(checksums = emptyList()) }
        val outlined =
            items.zip(captures) { item, capture ->
                RankOutline.Item(capture.hasMoved, if (item.isReplicated) digester.digest(capture) else CellDigest.NONE)
            }
        return RankOutline(tableSize, blank.copy(entries = boxes).encode(), outlined)
    }

    private fun conclude(
        ending: TaskWriting.Ending,
        ofRank: RankWriting,
        conclusion: Conclusion,
        save: BegunSave,
    ): CommittedSave {
        val concluded = complete(ending, ofRank, conclusion, save)
        conclusion.commit(concluded.manifest)
        return concluded.committed()
    }

    /** Writes the index, and completes the multifile. */
    private fun complete(
        ending: TaskWriting.Ending,
        ofRank: RankWriting,
        conclusion: Conclusion,
        save: BegunSave,
    ): ConcludedSave {
        val reports = ending.notes.map(RANK_REPORT::decode)
        val summaries = reports.map { it.summary }
        val totals = items.mapIndexed { index, item -> total(item, summaries.map { it.items[index] }) }
        requireExpected(totals, ofRank.expectedDigests)
        ofRank.completeFiles()
        val packed = Contents.pack(reports.map { it.table })
        val reason = reasonOf(save, ending.mapping)
        val state = WrittenState(Contents.root(packed), totals, ending.fileCount, reason, slowest(summaries))
        val manifest = conclusion.describe(state)
        ending.writeExtra { chunks ->
            val index = RecordWriter.of(chunks)
            index.put(TableOfContents.KEY, packed.duplicate())
            index.put(TableOfContents.MANIFEST_KEY, ByteBuffer.wrap(ManifestFormat.encode(manifest)))
            index.usage()
        }
        ending.close()
        val byteCount = totals.sumOf { it.byteCount }
        val notCopied = summaries.sumOf { it.notCopied }
        return ConcludedSave(manifest, packed) {
            CommittedSave(byteCount, save.begin.elapsedNow(), state.slowest, notCopied, filesText(state))
        }
    }

    private fun filesText(state: WrittenState) =
        state.fileReason?.let { "${counted(state.fileCount, "file")}, $it" }.orEmpty()

    /** What concentrators have written must be what the owners had before. */
    private fun requireExpected(
        totals: List<ItemTotal>,
        expected: List<CellDigest?>,
    ) {
        val moved = totals.zip(expected).filter { (total, digest) -> digest != null && digest != total.digest }
        if (moved.isNotEmpty()) throw stateMoved(moved.map { (total, _) -> total.item.name })
    }

    /** Room for all tables, and for the manifest with the largest numbers that it can get. */
    private fun indexSize(
        outlines: List<RankOutline>,
        conclusion: Conclusion,
        fileReason: String?,
    ): Long {
        val totals = items.map { ItemTotal(it, CellDigest.NONE, 0, 0) }
        val root = Contents.root(ByteBuffer.allocate(0))
        val blank = WrittenState(root, totals, 1, fileReason, Slowest(ROOT, Duration.ZERO))
        val manifest = ManifestFormat.encode(conclusion.describe(blank)).size + MOST_DIGITS * (2 * items.size + 4)
        return HEADER + outlines.sumOf { Int.SIZE_BYTES + it.tableSize } + HEADER + manifest
    }

    private fun slowest(summaries: List<Summary>): Slowest =
        summaries.indices.maxBy { summaries[it].time }.let { Slowest(it, summaries[it].time) }

    private fun total(
        item: StateItem,
        parts: List<Summary.Part>,
    ): ItemTotal {
        val summed = if (item.isReplicated) parts.take(1) else parts
        val digest = summed.map { it.digest }.fold(CellDigest.NONE, CellDigest::plus)
        return ItemTotal(item, digest, parts.sumOf { it.elementCount }, parts.sumOf { it.byteCount })
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
