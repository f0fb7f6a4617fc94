package dev.cairn.restore

import dev.cairn.checkpoint.Contents
import dev.cairn.checkpoint.StoredState
import dev.cairn.checkpoint.TableOfContents
import dev.cairn.checkpoint.digestFormula
import dev.cairn.checkpoint.wrongCount
import dev.cairn.event.RankFailedException
import dev.cairn.item.CellBlock
import dev.cairn.item.CellItem
import dev.cairn.item.RankItem
import dev.cairn.item.RowItem
import dev.cairn.item.RowLayout
import dev.cairn.item.Rows
import dev.cairn.item.isDropped
import dev.cairn.item.readingRowsOnce
import dev.cairn.item.restoring
import dev.cairn.multifile.readMultifile
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.allReduce
import dev.cairn.ranks.atStep
import dev.cairn.ranks.collectively
import dev.cairn.ranks.shareAll
import dev.cairn.redistribution.CellDigest
import dev.cairn.redistribution.CellDigester
import dev.cairn.store.Flaw
import java.nio.ByteBuffer

/**
 * Restores the state of the checkpoint that was [found], on any number of ranks: one phase for each way in which items are
 * restored, whatever kinds take it. Every rank has one, with the same items; all its functions are collective.
 */
internal class Restorer(private val context: RestoreContext, private val found: Found) {
    private val ranks = context.ranks
    private val pool = context.pool
    private val manifest = found.manifest
    private val data = found.data

    /** Whether the restore may have changed the state of the program; the same on all ranks. Where there are others, one may go on alone. */
    var hasBegun = false
        private set

    private fun begin() {
        hasBegun = true
    }

    /**
     * Collective: restores the items of [matches]; a declared item that was not stored stays as it is. All frames are checked
     * before the program reads a stream, since the effects of that reading cannot be undone. Outputs are compared with the values,
     * and cut at the end.
     */
    suspend fun run(matches: List<Match<*>>) {
        val contents = ranks.shareInProcess { Contents.unpack(found.contents) }
        val ways = MatchesByWay(matches)
        ranks.readMultifile(data, context.files, found.meta) { view ->
            val stored = StoredState(view, manifest, contents)
            if (ways.ofRanks.any { isReadByProgram(it.item) }) checkFrames(stored)
            if (ranks.size > 1) begin()
            val values = ValueRestorer(ranks, stored, context.lostOutputs, found.laterSave, ::begin)
            val restored = values.run(ways.bytes)
            val layouts = restoreCells(ways.cells, restored, stored)
            val tables = readTables(ways.rows, stored, layouts)
            begin()
            giveRows(tables)
            values.conclude(ways.ofRanks)
        }
    }

    /** Collective: each stored frame is read by one of the ranks. */
    private suspend fun checkFrames(stored: StoredState) =
        ranks.collectively("check the frames") {
            for (rank in ranks.rank until manifest.rankCount step ranks.size) stored.checkFrames(rank, pool)
        }

    private fun isReadByProgram(item: RankItem) =
        item.isReadByProgram && !item.isDropped(manifest.rankCount, ranks.size)

    /**
     * Collective. The blocks and the rows of a rank may depend on values, so these have been [restored]. A rank on which that
     * failed sends no requests.
     */
    private suspend fun restoreCells(
        matches: List<Match<CellItem>>,
        restored: Result<List<RestoredPart>>,
        stored: StoredState,
    ): Layouts {
        ranks.note(VALUES)
        val blocks =
            restored.mapCatching {
                atStep("ask for the blocks") {
                    matches.associateWith { match -> match.item.restoring { match.item.blocks() } }
                }
            }
        val layouts =
            ranks.shareAll(VALUES, blocks.map(::requestOf)) { requests ->
                Layouts(stored.contents, Contents(requests.map(TableOfContents::decode)))
            }
        val parts = restoreFields(blocks.getOrThrow(), stored, layouts)
        requireDigests(restored.getOrThrow() + parts)
        return layouts
    }

    /** The boxes that this rank requests, as a table of contents without data. */
    private fun requestOf(blocks: Map<Match<CellItem>, List<CellBlock>>): ByteBuffer {
        val entries =
            blocks.map { (match, own) ->
                TableOfContents.Entry(match.item.key, 0, own.map { it.box }, emptyList())
            }
        return TableOfContents(manifest.save, ranks.rank, ranks.size, entries).encode()
    }

    /** Collective. The digest shows a cell that does not arrive, and one that arrives twice. */
    private suspend fun restoreFields(
        blocks: Map<Match<CellItem>, List<CellBlock>>,
        stored: StoredState,
        layouts: Layouts,
    ): List<RestoredPart> {
        if (blocks.isEmpty()) return emptyList()
        blocks.keys.forEach { requireFit(it, layouts) }
        val digesters = blocks.keys.associateWith { manifest.digestFormula.cells() }
        val planned =
            runCatching {
                blocks.map { (match, own) -> fieldRestorer(match, own, stored, layouts, digesters.getValue(match)) }
            }
        begin()
        ranks.exchangeFrames("restore the fields", planned)
        blocks.forEach { (match, own) -> match.item.acceptTiling(own.map { it.box }) }
        return digesters.map { (match, digester) -> RestoredPart(match, digester.digest()) }
    }

    /**
     * Collective only if it refuses: all ranks have the requests of all, and come to the same result. No cell has been assigned
     * yet.
     */
    private suspend fun requireFit(match: Match<CellItem>, layouts: Layouts) {
        val refusal = layouts.refusalOf(match, manifest) ?: return
        ranks.collectively("plan '${match.item.name}'") { if (ranks.rank == refusal.rank) throw refusal.failure }
    }

    private fun fieldRestorer(
        match: Match<CellItem>,
        ownBlocks: List<CellBlock>,
        stored: StoredState,
        layouts: Layouts,
        digester: CellDigester,
    ): FieldRestorer {
        val field = match.item
        val widening = match.conversion.widenings.single()
        val blocks = ownBlocks.map { it.storedAs(widening) }
        val plan = layouts.plan(match.storedKey, field.key, widening.narrowSize)
        val cells = StoredCells(field.name, match.storedKey, widening.narrowSize)
        return FieldRestorer(ranks.rank, stored, cells, blocks, plan, pool) { block, part ->
            block.digest(digester, part, field.shape)
        }
    }

    /** Collective: the rows of this rank, when all of them were found to be good. What holds others comes before these. */
    private suspend fun readTables(
        matches: List<Match<RowItem>>,
        stored: StoredState,
        layouts: Layouts,
    ): Map<RowItem, Rows> {
        val holders = matches.mapNotNull { it.item.holder }
        val shares = HashMap<RowItem, RowShare>()
        return matches.associate { match ->
            val table = match.item
            val holder = if (manifest.rankCount == ranks.size) null else table.holder
            val lists = holder?.let { shares.getValue(it.table).heldIn(it.column) }
            val counting = holders.filter { it.table == table }.map { it.column }
            val restorer = TableRestorer(ranks, stored, match, layoutOf(match, lists, layouts), lists, pool)
            shares[table] = restorer.readShare(counting)
            table to restorer.rows().also { requireGood(match, it) }
        }
    }

    /** Collective: on another number of ranks, each reads what its share of the rows holds in [lists]. */
    private suspend fun layoutOf(match: Match<RowItem>, lists: HeldRows?, layouts: Layouts): RowLayout {
        val elementSize =
            match.conversion.widenings
                .first()
                .narrowSize
        if (lists == null) return layouts.rows(match.storedKey, elementSize)
        val sizes = sums(LongArray(ranks.size).also { it[ranks.rank] = lists.count })
        requireCount(match, sizes.sum())
        return layouts.rows(match.storedKey, elementSize, sizes.asList())
    }

    private suspend fun requireGood(match: Match<RowItem>, rows: Rows) {
        val digest = rows.digest(manifest.digestFormula, match.conversion.widenings)
        val (count, first, second) = sums(longArrayOf(rows.count.toLong(), digest.first, digest.second))
        requireCount(match, count)
        match.requireDigest(data, CellDigest(first, second))
    }

    private fun requireCount(match: Match<RowItem>, count: Long) {
        if (count == match.stored.elementCount) return
        throw wrongCount(data, match.item.name, "${match.stored.elementCount} rows", "$count")
    }

    /** Collective if there are tables. */
    private suspend fun giveRows(tables: Map<RowItem, Rows>) {
        if (tables.isEmpty()) return
        ranks.collectively("give the rows to the program") {
            tables.forEach { (table, rows) -> table.keep(rows) }
            tables.keys.forEach { it.link() }
            tables.keys.forEach { it.give() }
            tables.keys.readingRowsOnce { tables.keys.forEach { it.look() } }
        }
    }

    /** Collective: refuses items whose digests differ from those in the manifest, on all ranks; the end of the reading makes one failure of it. */
    private suspend fun requireDigests(parts: List<RestoredPart>) {
        if (parts.isEmpty()) return
        val sums = sums(parts.flatMap { listOf(it.digest.first, it.digest.second) }.toLongArray())
        parts.forEachIndexed { index, part ->
            part.match.requireDigest(data, CellDigest(sums[2 * index], sums[2 * index + 1]))
        }
    }

    private suspend fun sums(own: LongArray): LongArray = ranks.allReduce(own, Long::plus)

    private companion object {
        const val VALUES = "restore the values"
    }
}

/**
 * Collective: the flaw of the checkpoint that caused [failure]; null if the cause lies outside of the checkpoint. Only the rank
 * that failed has the exception itself, and all must decide the same: another cause outweighs a flaw.
 */
internal suspend fun Communicator.flawOf(failure: RankFailedException): Flaw? {
    val own = failure.failures.find { it.rank == rank }?.cause
    val flaw = own?.let { Flaw.of(it)?.ordinal ?: Flaw.entries.size } ?: -1
    return Flaw.entries.getOrNull(allReduce(flaw.toLong(), Math::max).toInt())
}
