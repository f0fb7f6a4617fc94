package dev.cairn.restore

import dev.cairn.cells.CellDigest
import dev.cairn.cells.CellDigester
import dev.cairn.comm.Communicator
import dev.cairn.comm.REFUSED
import dev.cairn.comm.allReduce
import dev.cairn.comm.collectively
import dev.cairn.comm.settleRefused
import dev.cairn.contents.Contents
import dev.cairn.contents.FramePool
import dev.cairn.contents.TableOfContents
import dev.cairn.failure.CheckpointException
import dev.cairn.item.CellBlock
import dev.cairn.item.CellItem
import dev.cairn.item.RankItem
import dev.cairn.item.RowItem
import dev.cairn.item.isDropped
import dev.cairn.multifile.readMultifile
import dev.cairn.sion.store.BlockStore
import dev.cairn.state.LostOutputs
import dev.cairn.store.Manifest
import dev.cairn.stored.StoredState
import dev.cairn.stored.digestFormula
import java.nio.ByteBuffer
import java.nio.file.Path
import java.util.Optional

/**
 * Brings a checkpoint up to the ranks, however many there are: one phase for each way in which items come back, whatever kinds
 * take it. Every rank has one, with the same items; all its functions are collective.
 */
internal class Restorer(
    private val ranks: Communicator,
    private val files: BlockStore,
    private val manifest: Manifest,
    private val packed: ByteBuffer,
    private val meta: ByteBuffer,
    private val data: Path,
    private val pool: FramePool,
    private val lostOutputs: LostOutputs,
) {
    /** Whether the program may have got state that cannot be taken back; the same on all ranks. */
    var hasBegun = false
        private set

    /**
     * Collective: restores the items of [matches]; what is declared and not stored stays as it is. All frames are checked before
     * the program reads a stream, since it cannot be asked to forget what it has read.
     */
    suspend fun run(matches: List<Match<*>>) {
        val contents = ranks.shareInProcess { Contents.unpack(packed) }
        val ways = MatchesByWay(matches)
        ranks.readMultifile(data, files, meta) { view ->
            val stored = StoredState(view, manifest, contents)
            if (ways.ofRanks.any { isReadByProgram(it.item) }) ranks.checkFrames(stored, pool)
            hasBegun = true
            val values = ValueRestorer(ranks, stored, lostOutputs)
            val restored = values.run(ways.shared, ways.ofRanks)
            val layouts = restoreCells(ways.cells, restored, stored)
            for (match in ways.rows) restoreRows(match, stored, layouts)
            values.conclude(ways.ofRanks)
        }
    }

    private fun isReadByProgram(item: RankItem) =
        item.isReadByProgram && !item.isDropped(manifest.rankCount, ranks.size)

    /**
     * Collective: which blocks a rank has may follow from values, and so may which rows, so these have been [restored]. A rank
     * on which that failed brings no wishes.
     */
    private suspend fun restoreCells(
        matches: List<Match<CellItem>>,
        restored: Result<List<RestoredPart>>,
        stored: StoredState,
    ): Layouts {
        ranks.note(VALUES)
        val blocks =
            restored.mapCatching {
                atStep("ask for the blocks") { matches.associateWith { it.item.blocks() } }
            }
        val wishes = ranks.allGather(blocks.map(::wishes).getOrElse { REFUSED })
        // Once for all ranks of a process; otherwise each would examine the requests of all.
        val shared = ranks.shareInProcess { sharedLayouts(stored, wishes) }
        val layouts = shared.orElse(null) ?: ranks.refuseStep(VALUES, blocks.exceptionOrNull())
        val parts = restoreFields(blocks.getOrThrow(), stored, layouts)
        requireDigests(restored.getOrThrow() + parts)
        return layouts
    }

    /** None if a rank has brought no wishes. */
    private fun sharedLayouts(
        stored: StoredState,
        wishes: List<ByteBuffer>,
    ): Optional<Layouts> {
        if (wishes.any { !it.hasRemaining() }) return Optional.empty()
        return Optional.of(Layouts(stored.contents, Contents(wishes.map(TableOfContents::decode))))
    }

    /** Which boxes this rank wants. */
    private fun wishes(blocks: Map<Match<CellItem>, List<CellBlock>>): ByteBuffer {
        val entries =
            blocks.map { (match, own) ->
                TableOfContents.Entry(match.item.key, 0, own.map { it.box }, emptyList())
            }
        return TableOfContents(manifest.save, ranks.rank, ranks.size, entries).encode()
    }

    /** Collective. A cell that does not come is missing in the digest, and one that comes twice is there twice. */
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
        ranks.exchangeFrames("restore the fields", planned)
        blocks.forEach { (match, own) -> match.item.acceptTiling(own.map { it.box }) }
        return digesters.map { (match, digester) -> RestoredPart(match, digester.digest()) }
    }

    /** Collective only if it refuses: all ranks know what all of them want, and find the same. Nothing has been written yet. */
    private suspend fun requireFit(
        match: Match<CellItem>,
        layouts: Layouts,
    ) {
        val refusal = layouts.refusalOf(match, manifest) ?: return
        ranks.settleRefused("plan '${match.item.name}'", refusal.failure.takeIf { ranks.rank == refusal.rank })
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

    /** Collective: the program gets its rows when all of them are known to be good. */
    private suspend fun restoreRows(
        match: Match<RowItem>,
        stored: StoredState,
        layouts: Layouts,
    ) {
        val table = match.item
        val elementSize =
            match.conversion.widenings
                .first()
                .narrowSize
        val layout = layouts.rows(match.storedKey, elementSize)
        val rows = TableRestorer(ranks, stored, match, layout, pool).run()
        val digest = rows.digest(manifest.digestFormula, match.conversion.widenings)
        val (count, first, second) = sums(longArrayOf(rows.count.toLong(), digest.first, digest.second))
        if (count != match.stored.elementCount) {
            val expected = "${match.stored.elementCount} rows"
            throw CheckpointException.WrongCount(data, table.name, expected, "$count")
        }
        match.requireDigest(data, CellDigest(first, second))
        ranks.collectively("take '${table.name}'") { table.assign(rows) }
    }

    /** Collective: refuses items that did not come as they were saved. */
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
