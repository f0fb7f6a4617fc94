package dev.cairn.restore

import dev.cairn.cells.CellDigest
import dev.cairn.comm.Communicator
import dev.cairn.comm.REFUSED
import dev.cairn.comm.ROOT
import dev.cairn.comm.broadcast
import dev.cairn.failure.CheckpointException
import dev.cairn.failure.CheckpointException.StreamNotRead
import dev.cairn.item.FieldItem
import dev.cairn.item.OutputItem
import dev.cairn.item.PerRankItem
import dev.cairn.item.ReplicatedItem
import dev.cairn.item.StreamItem
import dev.cairn.item.TableItem
import dev.cairn.state.LostOutputs
import dev.cairn.state.PerRankRule
import dev.cairn.state.StreamRule
import dev.cairn.stored.StoredState
import dev.cairn.stored.StreamInput
import dev.cairn.stored.arraySize
import dev.cairn.stored.digestFormula
import kotlinx.coroutines.CancellationException
import java.nio.ByteBuffer
import java.nio.file.Path

/** What this rank has restored of an item: the sum over all ranks is the digest of the item. */
internal class RestoredPart(
    val match: Match,
    val digest: CellDigest,
)

/** Brings back what ranks store as bytes: objects, streams and marks. */
internal class ValueRestorer(
    private val ranks: Communicator,
    private val stored: StoredState,
    private val lostOutputs: LostOutputs,
) {
    private val storedCount = stored.contents.tables.size

    /**
     * Collective: restores the values of all [matches]; those that all ranks have alike come first, in as many broadcasts as
     * their bytes take. A rank that fails afterwards keeps its failure, and has to bring it to the next call of all ranks.
     */
    suspend fun run(matches: List<Match>): Result<List<RestoredPart>> {
        val (replicated, others) = matches.partition { it.item is ReplicatedItem<*> }
        var assigned = Result.success(Unit)
        for (batch in batches(replicated)) {
            val bytes = broadcast(batch)
            assigned = assigned.mapCatching { assign(batch, bytes) }
        }
        val restored =
            assigned.mapCatching {
                others.mapNotNull { match ->
                    restore(match)?.let { RestoredPart(match, it) }
                }
            }
        restored.onFailure { if (it is CancellationException) throw it }
        return restored
    }

    /** The same on all ranks, since all know the sizes. */
    private fun batches(replicated: List<Match>): List<List<Match>> {
        val batches = mutableListOf<MutableList<Match>>()
        var bytesLeft = -1L
        for (match in replicated) {
            bytesLeft -= size(match)
            if (bytesLeft < 0) {
                batches += mutableListOf<Match>()
                bytesLeft = BATCH_BYTES - size(match)
            }
            batches.last() += match
        }
        return batches
    }

    private fun size(match: Match): Long =
        stored.contents.tables[ROOT]
            .entry(match.storedKey)
            ?.size ?: 0

    /** Collective: rank 0 reads and checks the values of [batch] for all. Their bytes stand behind a byte of no meaning. */
    private suspend fun broadcast(batch: List<Match>): ByteBuffer {
        ranks.note(STEP)
        val read = if (ranks.rank == ROOT) runCatching { read(batch) } else null
        val bytes = ranks.broadcast(ROOT, read?.getOrElse { REFUSED })
        if (!bytes.hasRemaining()) ranks.refuseStep(STEP, read?.exceptionOrNull())
        return bytes
    }

    private fun read(batch: List<Match>): ByteBuffer {
        val size = 1 + batch.sumOf { stored.size(ROOT, it.storedKey) }
        val bytes = ByteBuffer.allocate(arraySize(size, batch.joinToString { "'${it.stored.name}'" })).put(0)
        for (match in batch) {
            val start = bytes.position()
            atStep("read '${match.item.name}'") {
                stored.readWhole(ROOT, match.storedKey, bytes)
                match.requireDigest(stored.file, digest(bytes.slice(start, bytes.position() - start), firstIndex = 0))
            }
        }
        return bytes.flip()
    }

    private fun assign(
        batch: List<Match>,
        bytes: ByteBuffer,
    ) {
        var start = 1
        for (match in batch) {
            val size = size(match).toInt()
            atStep("take '${match.item.name}'") {
                (match.item as ReplicatedItem<*>).assign(bytes.slice(start, size), match.conversion.renames)
            }
            start += size
        }
    }

    /** Null if no rank wants the item. */
    private suspend fun restore(match: Match): CellDigest? =
        when (val item = match.item) {
            is PerRankItem<*> -> atStep("read '${item.name}'") { perRank(item, match) }
            is StreamItem -> atStep("read '${item.name}'") { stream(item, match.storedKey) }
            is OutputItem -> atStep("compare '${item.name}'") { output(item, match.storedKey) }
            is FieldItem, is TableItem, is ReplicatedItem<*> -> error("'${item.name}' is restored elsewhere")
        }

    private fun perRank(
        item: PerRankItem<*>,
        match: Match,
    ): CellDigest? {
        if (item.rule is PerRankRule.Drop && storedCount != ranks.size) return null
        val old = item.share(storedCount, ranks.rank, ranks.size)
        val bytes = old.map { stored.readWhole(it, match.storedKey) }
        val values = bytes.map { it.duplicate() }
        val renames = match.conversion.renames
        if (storedCount == ranks.size) item.assign(values.single(), renames) else item.merge(values, renames)
        return old.zip(bytes) { rank, each -> digest(each, PerRankItem.firstIndex(rank)) }.sum()
    }

    private suspend fun stream(
        item: StreamItem,
        key: Int,
    ): CellDigest? {
        if (item.rule is StreamRule.Drop && storedCount != ranks.size) return null
        val streams = item.share(storedCount, ranks.rank, ranks.size).map { StreamInput(stored, it, key) }
        val outcome = runCatching { item.read(streams, isSameCount = storedCount == ranks.size) }
        streams.forEach { it.requireGood() }
        outcome.getOrThrow()
        val unread = streams.filter { it.left > 0 }.map { StreamNotRead.Rest(it.rank, it.left, it.size) }
        // Damage comes first: then another checkpoint is restored, and the program reads that one.
        val digest = streams.map { it.finish() }.sum()
        if (unread.isNotEmpty()) throw StreamNotRead(item.name, ranks.rank, unread)
        return digest
    }

    /** The file is checked, but not yet cut: all else must be good first. */
    private fun output(
        item: OutputItem,
        key: Int,
    ): CellDigest {
        if (ranks.rank != ROOT) return CellDigest.NONE
        val mark = stored.readWhole(ROOT, key)
        item.check(mark, stored.digestFormula, lostOutputs)
        return digest(mark, firstIndex = 0)
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

    private companion object {
        const val STEP = "restore the values"

        /** What is broadcast at once, if it is more than one value. */
        const val BATCH_BYTES = 16L shl 20
    }
}

/** Refuses what came of an item if its [digest] is another one than that of what was saved. */
internal fun Match.requireDigest(
    data: Path,
    digest: CellDigest,
) {
    if (digest.toString() != stored.digest) {
        throw CheckpointException.WrongDigest(data, stored.name, stored.digest, digest.toString())
    }
}
