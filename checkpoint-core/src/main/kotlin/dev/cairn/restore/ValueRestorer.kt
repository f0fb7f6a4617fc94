package dev.cairn.restore

import dev.cairn.CheckpointException.StreamNotRead
import dev.cairn.cells.CellDigest
import dev.cairn.comm.Communicator
import dev.cairn.comm.broadcast
import dev.cairn.comm.collectively
import dev.cairn.multifile.ROOT
import dev.cairn.reading.StoredState
import dev.cairn.reading.StreamInput
import dev.cairn.state.LostOutputs
import dev.cairn.state.OutputItem
import dev.cairn.state.PerRankItem
import dev.cairn.state.PerRankRule
import dev.cairn.state.ReplicatedItem
import dev.cairn.state.StreamItem
import dev.cairn.state.StreamRule
import java.nio.ByteBuffer

/**
 * Brings back what ranks store as bytes: objects, streams and marks. All functions are collective, and return the digest of
 * what this rank has restored, of which the sum over all ranks is that of the item; null if nobody wants the item.
 */
internal class ValueRestorer(
    private val ranks: Communicator,
    private val stored: StoredState,
) {
    private val storedCount = stored.contents.tables.size

    suspend fun replicated(
        item: ReplicatedItem<*>,
        match: Match,
    ): CellDigest {
        val own =
            ranks.collectively("read '${item.name}'") {
                if (ranks.rank == ROOT) stored.readWhole(ROOT, match.storedKey) else null
            }
        val bytes = ranks.broadcast(ROOT, own)
        ranks.collectively("take '${item.name}'") { item.assign(bytes.duplicate(), match.fit.renames) }
        return if (ranks.rank == ROOT) digest(bytes, firstIndex = 0) else CellDigest.NONE
    }

    suspend fun perRank(
        item: PerRankItem<*>,
        match: Match,
    ): CellDigest? {
        if (item.rule is PerRankRule.Drop && storedCount != ranks.size) return null
        return ranks.collectively("read '${item.name}'") {
            val old = item.share(storedCount, ranks.rank, ranks.size)
            val bytes = old.map { stored.readWhole(it, match.storedKey) }
            val values = bytes.map { it.duplicate() }
            val renames = match.fit.renames
            if (storedCount == ranks.size) item.assign(values.single(), renames) else item.merge(values, renames)
            old.zip(bytes) { rank, each -> digest(each, PerRankItem.firstIndex(rank)) }.sum()
        }
    }

    suspend fun stream(
        item: StreamItem,
        key: Int,
    ): CellDigest? {
        if (item.rule is StreamRule.Drop && storedCount != ranks.size) return null
        return ranks.collectively("read '${item.name}'") {
            val streams = item.share(storedCount, ranks.rank, ranks.size).map { StreamInput(stored, it, key) }
            val outcome = runCatching { item.read(streams, isSameCount = storedCount == ranks.size) }
            streams.forEach { it.requireGood() }
            outcome.getOrThrow()
            val unread = streams.filter { it.left > 0 }.map { StreamNotRead.Rest(it.rank, it.left, it.size) }
            // Damage comes first: then another checkpoint is restored, and the program reads that one.
            val digest = streams.map { it.finish() }.sum()
            if (unread.isNotEmpty()) throw StreamNotRead(item.name, ranks.rank, unread)
            digest
        }
    }

    /** The file is checked, but not yet cut: all else must be good first. */
    suspend fun output(
        item: OutputItem,
        key: Int,
        lost: LostOutputs,
    ): CellDigest =
        ranks.collectively("compare '${item.name}'") {
            if (ranks.rank == ROOT) {
                val mark = stored.readWhole(ROOT, key)
                item.check(mark, stored.digestFormula, lost)
                digest(mark, firstIndex = 0)
            } else {
                CellDigest.NONE
            }
        }

    private fun digest(
        bytes: ByteBuffer,
        firstIndex: Long,
    ): CellDigest =
        stored.digestFormula
            .bytes(firstIndex)
            .apply { add(bytes) }
            .finish()

    private fun List<CellDigest>.sum(): CellDigest = fold(CellDigest.NONE, CellDigest::plus)
}
