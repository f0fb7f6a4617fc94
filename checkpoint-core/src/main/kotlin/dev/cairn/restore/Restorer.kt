package dev.cairn.restore

import dev.cairn.CheckpointException
import dev.cairn.cells.CellDigest
import dev.cairn.cells.CellDigester
import dev.cairn.comm.Communicator
import dev.cairn.comm.allReduce
import dev.cairn.comm.broadcast
import dev.cairn.comm.collectively
import dev.cairn.multifile.ROOT
import dev.cairn.multifile.readMultifile
import dev.cairn.sion.store.BlockStore
import dev.cairn.state.Contents
import dev.cairn.state.FieldItem
import dev.cairn.state.PerRankItem
import dev.cairn.state.PerRankRule
import dev.cairn.state.ReplicatedItem
import dev.cairn.state.StateItem
import dev.cairn.state.TableOfContents
import dev.cairn.store.Manifest
import dev.cairn.store.ManifestItem
import java.nio.ByteBuffer
import java.nio.file.Path

/** An item of a checkpoint, and the declared one that takes its place. */
internal class Match(
    val item: StateItem,
    val stored: ManifestItem,
    /** Its number in the streams of those who stored it. */
    val storedKey: Int,
)

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
) {
    /** Collective: restores the items of [matches]; what is declared and not stored stays as it is. */
    suspend fun run(matches: List<Match>) {
        val contents = ranks.shareInProcess { Contents.unpack(packed) }
        val layouts = layouts(contents, matches)
        ranks.readMultifile(data, files) { view ->
            val stored = StoredState(view, contents)
            for (match in matches) restore(match, stored, layouts)
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
        val digest =
            when (val item = match.item) {
                is FieldItem -> restoreField(item, match, stored, layouts)
                is ReplicatedItem<*> -> restoreReplicated(item, match, stored)
                is PerRankItem<*> -> restorePerRank(item, match, stored)
            }
        if (digest != null && digest.toString() != match.stored.digest) {
            throw CheckpointException.WrongDigest(data, match.stored.name, match.stored.digest, digest.toString())
        }
    }

    private suspend fun restoreField(
        field: FieldItem,
        match: Match,
        stored: StoredState,
        layouts: Layouts,
    ): CellDigest {
        val restorer =
            ranks.collectively("plan '${field.name}'") {
                val plan = layouts.plan(match.storedKey, field.key, field.type.size)
                FieldRestorer(ranks, stored, match.storedKey, field, plan)
            }
        restorer.run()
        val digester = CellDigester()
        field.blocks.forEach { it.digest(digester, it.box, field.shape) }
        return sum(digester.digest())
    }

    private suspend fun restoreReplicated(
        item: ReplicatedItem<*>,
        match: Match,
        stored: StoredState,
    ): CellDigest {
        val own =
            ranks.collectively("read '${item.name}'") {
                if (ranks.rank == ROOT) stored.readWhole(ROOT, match.storedKey) else null
            }
        val bytes = ranks.broadcast(ROOT, own)
        ranks.collectively("take '${item.name}'") { item.assign(bytes.duplicate()) }
        return digestOf(bytes, firstIndex = 0)
    }

    private suspend fun restorePerRank(
        item: PerRankItem<*>,
        match: Match,
        stored: StoredState,
    ): CellDigest? {
        if (item.rule is PerRankRule.Drop && !isSameCount) return null
        val digest =
            ranks.collectively("read '${item.name}'") {
                val values = ownShare().associateWith { stored.readWhole(it, match.storedKey) }
                assign(item, values.values.map { it.duplicate() })
                values.map { (rank, bytes) -> digestOf(bytes, PerRankItem.firstIndex(rank)) }
            }
        return sum(digest.fold(CellDigest.NONE, CellDigest::plus))
    }

    private val isSameCount get() = manifest.rankCount == ranks.size

    private fun assign(
        item: PerRankItem<*>,
        values: List<ByteBuffer>,
    ) = if (isSameCount) item.assign(values.single()) else item.merge(values)

    /** The old ranks for which this one stands now. */
    private fun ownShare(): List<Int> {
        val from = manifest.rankCount.toLong() * ranks.rank / ranks.size
        val until = manifest.rankCount.toLong() * (ranks.rank + 1) / ranks.size
        return (from.toInt() until until.toInt()).toList()
    }

    private fun digestOf(
        bytes: ByteBuffer,
        firstIndex: Long,
    ): CellDigest = CellDigester().apply { add(bytes, 1, bytes.position(), bytes.remaining(), firstIndex) }.digest()

    private suspend fun sum(digest: CellDigest): CellDigest {
        val sums = ranks.allReduce(longArrayOf(digest.first, digest.second), Long::plus)
        return CellDigest(sums[0], sums[1])
    }
}
