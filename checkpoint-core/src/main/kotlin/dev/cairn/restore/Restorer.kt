package dev.cairn.restore

import dev.cairn.CheckpointException
import dev.cairn.cells.CellDigest
import dev.cairn.comm.Communicator
import dev.cairn.comm.allReduce
import dev.cairn.comm.collectively
import dev.cairn.multifile.ROOT
import dev.cairn.multifile.readMultifile
import dev.cairn.reading.StoredState
import dev.cairn.reading.digestFormula
import dev.cairn.sion.store.BlockStore
import dev.cairn.state.Contents
import dev.cairn.state.FieldItem
import dev.cairn.state.FramePool
import dev.cairn.state.LostOutputs
import dev.cairn.state.OutputItem
import dev.cairn.state.PerRankItem
import dev.cairn.state.ReplicatedItem
import dev.cairn.state.StreamItem
import dev.cairn.state.TableItem
import dev.cairn.state.TableOfContents
import dev.cairn.store.Manifest
import java.nio.ByteBuffer
import java.nio.file.Path

/**
 * Brings a checkpoint up to the ranks, however many there are. Every rank has one, with the same items; all its functions
 * are collective.
 */
internal class Restorer(
    private val ranks: Communicator,
    private val files: BlockStore,
    private val manifest: Manifest,
    private val packed: ByteBuffer,
    private val data: Path,
    private val pool: FramePool,
    private val lostOutputs: LostOutputs,
) {
    /** Collective: restores the items of [matches]; what is declared and not stored stays as it is. */
    suspend fun run(matches: List<Match>) {
        val contents = ranks.shareInProcess { Contents.unpack(packed) }
        val (cells, values) = matches.partition { it.item is FieldItem || it.item is TableItem }
        ranks.readMultifile(data, files) { view ->
            val stored = StoredState(view, manifest, contents)
            for (match in values) restoreValue(match, stored)
            restoreCells(cells, stored)
            cutOutputs(matches, stored)
        }
    }

    private suspend fun restoreValue(
        match: Match,
        stored: StoredState,
    ) {
        val values = ValueRestorer(ranks, stored)
        val digest =
            when (val item = match.item) {
                is FieldItem, is TableItem -> error("'${item.name}' has cells")
                is ReplicatedItem<*> -> values.replicated(item, match)
                is PerRankItem<*> -> values.perRank(item, match)
                is StreamItem -> values.stream(item, match.storedKey)
                is OutputItem -> values.output(item, match.storedKey, lostOutputs)
            }
        if (digest != null) requireDigest(match, sum(digest))
    }

    /** Collective: which blocks a rank has may follow from values, and so may which rows, so these have been restored. */
    private suspend fun restoreCells(
        matches: List<Match>,
        stored: StoredState,
    ) {
        val fields = matches.map { it.item }.filterIsInstance<FieldItem>()
        val blocks = ranks.collectively("ask for the blocks") { fields.associateWith { it.blocks() } }
        val layouts = layouts(stored.contents, blocks)
        for (match in matches) {
            when (val item = match.item) {
                is FieldItem -> restoreField(item, blocks.getValue(item), match, stored, layouts)
                is TableItem -> restoreTable(item, match, stored, layouts)
                else -> error("'${item.name}' has no cells")
            }
        }
    }

    /** Collective: all ranks tell which boxes they want. */
    private suspend fun layouts(
        contents: Contents,
        blocks: Map<FieldItem, List<FieldItem.Block>>,
    ): Layouts {
        val entries =
            blocks.map { (field, own) -> TableOfContents.Entry(field.key, 0, own.map { it.box }, emptyList()) }
        val wishes = ranks.allGather(TableOfContents(manifest.save, ranks.rank, ranks.size, entries).encode())
        return ranks.shareInProcess { Layouts(contents, Contents(wishes.map(TableOfContents::decode))) }
    }

    /** A cell that does not come is missing in the digest, and one that comes twice is there twice. */
    private suspend fun restoreField(
        field: FieldItem,
        ownBlocks: List<FieldItem.Block>,
        match: Match,
        stored: StoredState,
        layouts: Layouts,
    ) {
        val widening = match.fit.widenings.single()
        val blocks = ownBlocks.map { it.storedAs(widening) }
        val plan =
            ranks.collectively("plan '${field.name}'") {
                if (ranks.rank == ROOT) layouts.requireTiled(field)
                layouts.requireStored(field, match, manifest, ranks.rank)
                layouts.plan(match.storedKey, field.key, widening.narrowSize)
            }
        field.acceptTiling(ownBlocks.map { it.box })
        val cells = StoredCells(field.name, match.storedKey, widening.narrowSize)
        val digester = manifest.digestFormula.cells()
        FieldRestorer(ranks, stored, cells, blocks, plan, pool) { block, part ->
            block.digest(digester, part, field.shape)
        }.run()
        requireDigest(match, sum(digester.digest()))
    }

    /** The program gets its rows when all of them are known to be good. */
    private suspend fun restoreTable(
        table: TableItem,
        match: Match,
        stored: StoredState,
        layouts: Layouts,
    ) {
        val layout =
            ranks.collectively("plan '${table.name}'") {
                layouts.rows(
                    match.storedKey,
                    match.fit.widenings
                        .first()
                        .narrowSize,
                )
            }
        val rows = TableRestorer(ranks, stored, match, table, layout, pool).run()
        val rowCount = ranks.allReduce(rows.count.toLong(), Long::plus)
        if (rowCount != match.stored.elementCount) {
            val expected = "${match.stored.elementCount} rows"
            throw CheckpointException.WrongCount(data, table.name, expected, "$rowCount")
        }
        requireDigest(match, sum(rows.digest(manifest.digestFormula, match.fit.widenings)))
        ranks.collectively("take '${table.name}'") { table.assign(rows) }
    }

    private fun requireDigest(
        match: Match,
        digest: CellDigest,
    ) {
        if (digest.toString() != match.stored.digest) {
            throw CheckpointException.WrongDigest(data, match.stored.name, match.stored.digest, digest.toString())
        }
    }

    /** Collective: cuts the outputs back, when all else has been restored. */
    private suspend fun cutOutputs(
        matches: List<Match>,
        stored: StoredState,
    ) {
        for (match in matches) {
            val output = match.item as? OutputItem ?: continue
            ranks.collectively("cut '${output.name}' back") {
                if (ranks.rank == ROOT) output.cut(stored.readWhole(ROOT, match.storedKey), stored.digestFormula)
            }
        }
    }

    private suspend fun sum(digest: CellDigest): CellDigest {
        val sums = ranks.allReduce(longArrayOf(digest.first, digest.second), Long::plus)
        return CellDigest(sums[0], sums[1])
    }
}
