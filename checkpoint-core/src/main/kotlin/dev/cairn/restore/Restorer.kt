package dev.cairn.restore

import dev.cairn.CheckpointException
import dev.cairn.cells.CellDigest
import dev.cairn.cells.CellDigester
import dev.cairn.comm.Communicator
import dev.cairn.comm.allReduce
import dev.cairn.comm.collectively
import dev.cairn.multifile.ROOT
import dev.cairn.multifile.readMultifile
import dev.cairn.reading.StoredState
import dev.cairn.sion.store.BlockStore
import dev.cairn.state.Contents
import dev.cairn.state.FieldItem
import dev.cairn.state.FramePool
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
) {
    /** Collective: restores the items of [matches]; what is declared and not stored stays as it is. */
    suspend fun run(matches: List<Match>) {
        val contents = ranks.shareInProcess { Contents.unpack(packed) }
        val layouts = layouts(contents, matches)
        ranks.readMultifile(data, files) { view ->
            val stored = StoredState(view, manifest, contents)
            for (match in matches) restore(match, stored, layouts)
            cutOutputs(matches, stored)
        }
    }

    /** Collective: all ranks tell which boxes they want. */
    private suspend fun layouts(
        contents: Contents,
        matches: List<Match>,
    ): Layouts {
        val fields = matches.map { it.item }.filterIsInstance<FieldItem>()
        val entries = fields.map { TableOfContents.Entry(it.key, 0, it.boxes, emptyList()) }
        val wishes = ranks.allGather(TableOfContents(manifest.save, ranks.rank, ranks.size, entries).encode())
        return ranks.shareInProcess { Layouts(contents, Contents(wishes.map(TableOfContents::decode))) }
    }

    private suspend fun restore(
        match: Match,
        stored: StoredState,
        layouts: Layouts,
    ) {
        val values = ValueRestorer(ranks, stored)
        val digest =
            when (val item = match.item) {
                is FieldItem -> restoreField(item, match, stored, layouts)
                is TableItem -> return restoreTable(item, match, stored, layouts)
                is ReplicatedItem<*> -> values.replicated(item, match.storedKey)
                is PerRankItem<*> -> values.perRank(item, match.storedKey)
                is StreamItem -> values.stream(item, match.storedKey)
                is OutputItem -> values.output(item, match.storedKey)
            }
        if (digest != null) requireDigest(match, sum(digest))
    }

    /** A cell that does not come is missing in the digest, and one that comes twice is there twice. */
    private suspend fun restoreField(
        field: FieldItem,
        match: Match,
        stored: StoredState,
        layouts: Layouts,
    ): CellDigest {
        val widening = match.fit.widenings.single()
        val blocks = field.blocks.map { it.storedAs(widening) }
        val plan =
            ranks.collectively("plan '${field.name}'") { layouts.plan(match.storedKey, field.key, widening.narrowSize) }
        val cells = StoredCells(field.name, match.storedKey, widening.narrowSize)
        val digester = CellDigester()
        FieldRestorer(ranks, stored, cells, blocks, plan, pool) { block, part ->
            block.digest(digester, part, field.shape)
        }.run()
        return digester.digest()
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
        requireDigest(match, sum(rows.digest(match.fit.widenings)))
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
                if (ranks.rank == ROOT) output.cut(stored.readWhole(ROOT, match.storedKey))
            }
        }
    }

    private suspend fun sum(digest: CellDigest): CellDigest {
        val sums = ranks.allReduce(longArrayOf(digest.first, digest.second), Long::plus)
        return CellDigest(sums[0], sums[1])
    }
}
