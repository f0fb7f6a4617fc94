package dev.cairn.save

import dev.cairn.checkpoint.TableOfContents
import dev.cairn.checkpoint.TableOfContents.Companion.FRAME_SIZE
import dev.cairn.concentrate.SentPart
import dev.cairn.item.Capture
import dev.cairn.item.PreparedItem
import dev.cairn.item.SharedCapture
import dev.cairn.item.SizedPart
import dev.cairn.item.StreamPart
import dev.cairn.item.captured
import dev.cairn.multifile.Cores
import dev.cairn.multifile.MakingByRoot
import dev.cairn.multifile.RankRequest
import dev.cairn.multifile.RankResult
import dev.cairn.multifile.TaskWriting
import dev.cairn.multifile.Writer
import dev.cairn.options.DataFiles
import dev.cairn.ranks.atStep
import dev.cairn.ranks.inStep
import dev.cairn.ranks.together
import dev.cairn.redistribution.CellDigest
import dev.cairn.redistribution.DigestFormula
import dev.cairn.sion.Content
import dev.cairn.sion.ForcePolicy
import dev.cairn.sion.store.BlockStore
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Deferred

/** A save whose multifile is planned, with the writers of this rank's part and of rank 0's part. */
internal class PlannedSave(
    val numbered: NumberedSave,
    val route: Route,
    val writing: TaskWriting,
    val rankWriting: RankWriting,
    val rootWriting: RootWriting,
) {
    /** Whether the save survives a power loss. */
    val isForced: Boolean get() = writing.durability == ForcePolicy.ON_CLOSE
}

/**
 * Plans a save and writes the state of all ranks into its multifile. Every rank has one, with the same items; all its functions are
 * collective.
 *
 * @param awaitRoom called on rank 0 before the files of a save of at least this many bytes are made
 */
internal class Saver(private val context: SaveContext, awaitRoom: suspend (byteCount: Long) -> Unit = {}) {
    private val ranks = context.ranks
    private val items = context.items
    private val preparedItems = items.filterIsInstance<PreparedItem>()
    private val digester = StateDigester(DigestFormula.NEWEST, context.pool)
    private val concentrators = context.options.concentrators
    private val choice = context.options.files as? DataFiles.Auto ?: DataFiles.Auto()
    private val cores = choice.cores ?: Cores.OF_THIS_PROCESS
    private val snapshotCheck = if (context.options.verifySnapshot) SnapshotCheck(items, digester) else null

    private val readBack = ReadBack(context)
    private val manifestRoom = ManifestRoom()
    private val makingByRoot = MakingByRoot(awaitRoom)

    /** The bytes that this rank wrote at its last save. */
    @Volatile private var lastSize = 0L

    /** Whether the next save is read back while the program waits; the same on all ranks. */
    val isReadBackDue: Boolean get() = readBack.isDue

    /**
     * Collective: begins [save] along [route], and returns when the program may go on, which depends on the route. Rank 0 gathers failures
     * together with the ranks' data, so a direct save takes two calls here and two until its end, besides those of items that are checked
     * together.
     */
    suspend fun begin(save: NumberedSave, route: Route): Save {
        preparedItems.forEach { it.prepareFor(route) }
        val planned = plan(save, route, capture(save))
        val sent = (route as? Route.Dedicated)?.run { begin(planned) }
        val written = write(planned, sent)
        return Save(context, planned, readBack, written, sent, save.begin.elapsedNow())
    }

    private suspend fun Route.Dedicated.begin(planned: PlannedSave): SentPart =
        planned.writing.closedOnFailure { line.begin(planned.isForced, ranks.limit) }

    /** Collective: rank 0 compares the states of all ranks, and places each rank in a new multifile. */
    private suspend fun plan(save: NumberedSave, route: Route, captures: Result<List<Capture>>): PlannedSave {
        val spec = context.spec(save.number, if (route is Route.Local) route.disks.hosts.mapping else context.mapping)
        val rootWriting = RootWriting(items, save, spec.mapping().isAuto, manifestRoom)
        val request = captures.mapCatching { request(save.number, it) }
        val writing =
            TaskWriting.begin(
                ranks,
                spec.withContent(Content.RECORDS),
                request,
                filesOf(save.number, route),
                if (route is Route.Local) route.making else makingByRoot,
                writerOn(route),
                choice.bounds,
            ) { notes, mapping ->
                // On rank 0, before it makes any file.
                val outlines = notes.map(RANK_OUTLINE::decode)
                items.requireAlike(outlines)
                rootWriting.indexSize(outlines, mapping)
            }
        // All ranks have captured their states, or all have thrown.
        val ofRank = captures.getOrThrow().onEach { it.acceptTiling() }
        val rankWriting = RankWriting(context, save.number, ofRank, writing, snapshotCheck)
        return PlannedSave(save, route, writing, rankWriting, rootWriting)
    }

    private fun filesOf(number: Int, route: Route): BlockStore =
        if (route is Route.Local) route.disks.saves.storeFor(number) else context.files

    private fun writerOn(route: Route): Writer =
        if (route is Route.Dedicated) {
            Writer(
                route.line.dedicated,
                route.line.host,
                cores,
            )
        } else {
            Writer.self(ranks, cores)
        }

    private suspend fun PreparedItem.prepareFor(route: Route) =
        when (route) {
            is Route.Direct -> prepare()
            is Route.Copied, is Route.Dedicated -> prepareToGoOn()
            is Route.Local -> prepareToSeal()
        }

    /** Collective among the ranks of a group: returns when the program may go on, or the ranks must meet for the next stage. */
    private suspend fun write(planned: PlannedSave, sent: SentPart?): Deferred<Result<RankResult>> {
        val memory = planned.route.memory
        return when {
            sent != null -> writeLater(planned) { send(sent) }
            memory != null -> writeLater(planned) { writeLater(memory, context.worker) }
            else -> writeNow(planned)
        }
    }

    /** Collective: [begin] returns the rest of the work, which the worker does. */
    private suspend fun writeLater(
        planned: PlannedSave,
        begin: suspend RankWriting.() -> (suspend () -> RankResult),
    ): Deferred<Result<RankResult>> {
        val (writing, ofRank) = planned.run { writing to rankWriting }
        val rest =
            writing.closedOnFailure {
                val rest = runCatching { ofRank.begin() }.inStep()
                // An error of the program in a stream is thrown before the program goes on.
                if (ofRank.hasStreams) ranks.together("copy the items", rest.map { })
                rest
            }
        return context.worker.start { rest.getOrThrow().invoke().also { rankHasWritten(writing, it) } }
    }

    /** Collective among the ranks of a group. */
    private suspend fun writeNow(planned: PlannedSave): Deferred<Result<RankResult>> {
        val (writing, ofRank) = planned.run { writing to rankWriting }
        val outcome = writing.closedOnFailure { runCatching { ofRank.writeNow() }.inStep() }
        return CompletableDeferred(
            writing.finish(outcome).mapCatching { it.also { rankHasWritten(writing, it) } },
        )
    }

    private fun rankHasWritten(writing: TaskWriting, result: RankResult) {
        lastSize = result.usage.size()
        writing.rankHasWritten()
    }

    private inline fun <T> TaskWriting.closedOnFailure(work: () -> T): T =
        try {
            work()
        } catch (failure: Throwable) {
            use { throw failure }
        }

    /** Collective if there are items that are checked together, or written by concentrators. */
    private suspend fun capture(save: NumberedSave): Result<List<Capture>> {
        ranks.note("look at the state")
        val captures =
            runCatching {
                save.requireAgreed(ranks.rank)
                items.captured { atStep("look at '${it.name}'") { it.capture(ranks.rank) } }
            }
        val isConcentrated = concentrators != null || items.any { it.concentrators != null }
        if (!isConcentrated && items.none { it.isCheckedTogether }) return captures
        val ofRank = ranks.together("look at the state", captures)
        ofRank.forEach { it.check(ranks) }
        return Result.success(ofRank.map { concentrated(it) })
    }

    private suspend fun concentrated(capture: Capture): Capture =
        if (capture is SharedCapture) capture.concentrated(ranks, concentrators, digester::digest) else capture

    private suspend fun request(number: Int, captures: List<Capture>): RankRequest {
        val blank = blankTable(number, captures)
        val tocSize = blank.encodedSize()
        val exactSize = blank.entries.sumOf { it.storedSize } + HEADER + tocSize
        val room = roomToGrow(captures, exactSize)
        val size = context.options.chunkSize?.coerceAtLeast(room) ?: (exactSize + room)
        return RankRequest(size, RANK_OUTLINE.encode(outline(tocSize, blank, captures)), exactSize)
    }

    private suspend fun outline(tableSize: Long, blank: TableOfContents, captures: List<Capture>): RankOutline {
        val boxes = blank.entries.filter { it.boxes.isNotEmpty() }.map { it.copy(checksums = emptyList()) }
        val outlined =
            items.zip(captures) { item, capture ->
                RankOutline.Item(capture.hasMoved, if (item.isReplicated) digester.digest(capture) else CellDigest.NONE)
            }
        return RankOutline(tableSize, blank.copy(entries = boxes).encode(), outlined)
    }

    /** A table of the final size, except for streams, whose size is not known. */
    private fun blankTable(number: Int, captures: List<Capture>): TableOfContents {
        val parts = captures.flatMap { it.parts }.filterIsInstance<SizedPart>().filter { it.size > 0 }
        val entries =
            parts.map { part ->
                val frameCount = Math.toIntExact(TableOfContents.frameCount(part.size))
                TableOfContents.Entry(part.key, part.size, part.boxes, List(frameCount) { 0 })
            }
        return TableOfContents(number, ranks.rank, ranks.size, entries)
    }

    /**
     * Room for streams, whose sizes are not known: one rank alone takes what it needed at its last save. What does not fit goes to more
     * chunks, each of which takes a block of all ranks, so a rank among others takes room for a frame.
     */
    private fun roomToGrow(captures: List<Capture>, exactSize: Long): Long =
        when {
            captures.none { capture -> capture.parts.any { it is StreamPart } } -> 0
            ranks.size > 1 -> LARGEST_ROOM
            else -> (lastSize - exactSize + LEAST_ROOM).coerceIn(LEAST_ROOM, LARGEST_ROOM)
        }

    private companion object {
        const val HEADER = TableOfContents.RECORD_HEADER
        const val LEAST_ROOM = 16L shl 10
        const val LARGEST_ROOM = HEADER + FRAME_SIZE
    }
}
