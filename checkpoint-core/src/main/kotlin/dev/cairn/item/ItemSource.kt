package dev.cairn.item

import dev.cairn.checkpoint.StoredState
import dev.cairn.checkpoint.StreamInput
import dev.cairn.redistribution.CellDigest
import dev.cairn.redistribution.DigestFormula
import dev.cairn.state.LostOutputs
import dev.cairn.state.Renames
import java.nio.ByteBuffer

/**
 * The stored bytes of one item, for [rank] of [rankCount] ranks that restore it.
 *
 * @property key the first of the keys by which it is stored
 * @property renames the names within a value that have changed since it was stored
 * @property lostOutputs the rule for an output whose file is not there
 * @property laterSave the newest save, if this is an older one
 * @property layout the layout of the item in the manifest
 */
internal class ItemSource(
    private val stored: StoredState,
    private val key: Int,
    val rank: Int,
    val rankCount: Int,
    val renames: Renames,
    val lostOutputs: LostOutputs,
    val laterSave: Int?,
    val layout: Map<String, String>,
) {
    /** The number of the save. */
    val save: Int get() = stored.save
    val storedCount: Int get() = stored.contents.tables.size
    val isSameCount: Boolean get() = storedCount == rankCount
    val formula: DigestFormula get() = stored.digestFormula

    /** The old ranks whose bytes this rank restores of an item of [kind]. */
    fun share(kind: PrivateKind): IntRange = kind.share(storedCount, rank, rankCount)

    /** All bytes that [writer] has stored, for items that are small. */
    fun bytes(writer: Int): ByteBuffer = stored.readWhole(writer, key)

    /** The bytes of any number that [writer] has stored as an item of [kind]. */
    fun stream(writer: Int, kind: ItemKind) = StreamInput(stored, writer, key, kind.firstIndex(writer))

    fun digest(bytes: ByteBuffer, firstIndex: Long): CellDigest =
        formula.bytes(firstIndex).apply { add(bytes) }.finish()
}

internal fun List<CellDigest>.sum(): CellDigest = fold(CellDigest.NONE, CellDigest::plus)
