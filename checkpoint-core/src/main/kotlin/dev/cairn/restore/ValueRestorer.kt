package dev.cairn.restore

import dev.cairn.checkpoint.StoredState
import dev.cairn.checkpoint.arraySize
import dev.cairn.checkpoint.digestFormula
import dev.cairn.checkpoint.wrongDigest
import dev.cairn.item.FileItem
import dev.cairn.item.ItemSource
import dev.cairn.item.RankItem
import dev.cairn.item.SharedItem
import dev.cairn.item.StateItem
import dev.cairn.item.isDropped
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.atStep
import dev.cairn.ranks.decideBytes
import dev.cairn.redistribution.CellDigest
import dev.cairn.state.LostOutputs
import kotlinx.coroutines.CancellationException
import java.nio.ByteBuffer
import java.nio.file.Path

/** The part of an item that this rank has restored: the sum of the digests of all ranks is that of the item. */
internal class RestoredPart(val match: Match<*>, val digest: CellDigest)

/**
 * Restores items that are stored as bytes: those that all ranks share, and those that each rank restores for itself.
 *
 * @param begin called before the state of the program changes
 */
internal class ValueRestorer(
    private val ranks: Communicator,
    private val stored: StoredState,
    private val lostOutputs: LostOutputs,
    private val laterSave: Int?,
    private val begin: () -> Unit,
) {
    /**
     * Collective: restores the items of [matches], files first, which are only compared. Rank 0 broadcasts the shared ones, as many at
     * once as fit, before the first of these is assigned. A rank that fails stays for the broadcasts, and returns its failure, which the
     * caller passes to the next collective.
     */
    suspend fun run(matches: List<Match<*>>): Result<List<RestoredPart>> {
        val batches = batches(matches.mapNotNull(::sharedOf)).associateBy { it.first().item }
        val parts = mutableListOf<RestoredPart>()
        var received = emptyMap<StateItem, ByteBuffer>()
        var outcome = Result.success(Unit)
        for (match in matches.sortedBy { it.item !is FileItem }) {
            batches[match.item]?.let { received = broadcast(it) }
            outcome = outcome.mapCatching { restore(match, received)?.let { parts += it } }
        }
        outcome.onFailure { if (it is CancellationException) throw it }
        return outcome.map { parts }
    }

    private fun sharedOf(match: Match<*>): Match<SharedItem>? = (match.item as? SharedItem)?.let { match.of(it) }

    /** The part of an item whose digest is that of all ranks together. */
    private fun restore(match: Match<*>, received: Map<StateItem, ByteBuffer>): RestoredPart? {
        when (val item = match.item) {
            is SharedItem -> {
                begin()
                atStep("take '${item.name}'") { item.assign(received.getValue(item), match.conversion.renames) }
            }

            is RankItem -> {
                if (item.isDropped(stored.contents.tables.size, ranks.size)) return null
                if (item !is FileItem) begin()
                return RestoredPart(match, atStep(item.restoreStep) { item.restore(sourceOf(match)) })
            }

            else -> {
                error("'${item.name}' is not stored as bytes: please report this")
            }
        }
        return null
    }

    /** The same on all ranks, since all have the sizes. */
    private fun batches(shared: List<Match<SharedItem>>): List<List<Match<SharedItem>>> {
        val batches = mutableListOf<MutableList<Match<SharedItem>>>()
        var bytesLeft = -1L
        for (match in shared) {
            bytesLeft -= size(match)
            if (bytesLeft < 0) {
                batches += mutableListOf<Match<SharedItem>>()
                bytesLeft = BATCH_BYTES - size(match)
            }
            batches.last() += match
        }
        return batches
    }

    private fun size(match: Match<SharedItem>): Long =
        stored.contents.tables[ROOT]
            .entry(match.storedKey)
            ?.size ?: 0

    /**
     * Collective: rank 0 reads and checks the values of [batch] for all, which get the bytes of each.
     */
    private suspend fun broadcast(batch: List<Match<SharedItem>>): Map<StateItem, ByteBuffer> {
        val bytes = ranks.decideBytes(STEP) { read(batch) }
        var start = 1
        return batch.associate { match ->
            val size = size(match).toInt()
            match.item to bytes.slice(start, size).also { start += size }
        }
    }

    private fun read(batch: List<Match<SharedItem>>): ByteBuffer {
        // A message has a byte at least, also of values that have none.
        val size = 1 + batch.sumOf { stored.size(ROOT, it.storedKey) }
        val bytes = ByteBuffer.allocate(arraySize(size, batch.joinToString { "'${it.stored.name}'" })).put(0)
        for (match in batch) {
            val start = bytes.position()
            atStep("read '${match.item.name}'") {
                stored.readWhole(ROOT, match.storedKey, bytes)
                requireDigest(match, bytes.slice(start, bytes.position() - start))
            }
        }
        return bytes.flip()
    }

    /** Takes the last steps of [matches], after all else was restored. The end of the reading reports a failure to all ranks. */
    fun conclude(matches: List<Match<RankItem>>) = matches.forEach { it.item.conclude(sourceOf(it)) }

    private fun sourceOf(match: Match<*>) =
        ItemSource(
            stored,
            match.storedKey,
            ranks.rank,
            ranks.size,
            match.conversion.renames,
            lostOutputs,
            laterSave,
            match.stored.layout,
        )

    /** Refuses the [bytes] of a shared value if they are not as they were saved. */
    private fun requireDigest(match: Match<SharedItem>, bytes: ByteBuffer) {
        val formula = stored.digestFormula
        match.requireDigest(stored.file, formula.bytes(0).apply { add(bytes) }.finish())
    }

    private companion object {
        const val STEP = "restore the values"

        /** The most bytes of a broadcast of more than one value. */
        const val BATCH_BYTES = 16L shl 20
    }
}

/** Refuses an item whose restored bytes have another [digest] than the saved ones. */
internal fun Match<*>.requireDigest(data: Path, digest: CellDigest) {
    if (digest.toString() != stored.digest) {
        throw wrongDigest(data, stored.name, stored.digest, digest.toString())
    }
}
