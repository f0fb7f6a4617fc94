package dev.cairn.reading

import dev.cairn.checkpoint.ItemRecords
import dev.cairn.checkpoint.StoredState
import dev.cairn.checkpoint.digestFormula
import dev.cairn.checkpoint.wrongCount
import dev.cairn.checkpoint.wrongDigest
import dev.cairn.event.CheckpointException
import dev.cairn.item.StoredForm
import dev.cairn.item.knownKind
import dev.cairn.redistribution.CellDigest
import dev.cairn.redistribution.DigestFormula
import dev.cairn.store.ManifestItem
import java.nio.ByteBuffer

/**
 * An item of a checkpoint, described by the checkpoint alone. Every frame is verified before any of its bytes is returned; an
 * item that is read as a whole is also compared with the counts and the digest in the manifest. Damage throws a
 * [CheckpointException]. Any thread may read items while their [StoredCheckpoint] is open.
 */
public sealed class StoredItem {
    internal abstract val records: ItemRecords
    internal val described: ManifestItem get() = records.described
    internal val key: Int get() = records.key
    internal val state: StoredState get() = records.state

    @get:JvmName("name")
    public val name: String get() = described.name

    /** Its kind in the manifest: `field`, `table`, `replicated`, and so on. */
    @get:JvmName("kind")
    public val kind: String get() = described.kind

    /** The number of its cells, rows or bytes, according to the manifest. */
    @get:JvmName("elementCount")
    public val elementCount: Long get() = described.elementCount

    /** The number of bytes of all ranks, according to the manifest. */
    @get:JvmName("byteCount")
    public val byteCount: Long get() = described.byteCount

    /** The number of ranks that saved the checkpoint. */
    @get:JvmName("rankCount")
    public val rankCount: Int get() = records.rankCount

    /** The number of elements of all ranks, according to the tables of contents. */
    internal abstract fun countElements(): Long

    /** The formula of its digest. */
    internal val digestFormula: DigestFormula get() = state.digestFormula

    /** Reads and digests the whole item; null if only a newer version can do that. */
    internal abstract fun digest(formula: DigestFormula = digestFormula): CellDigest?

    /** The number of bytes of all ranks, according to the tables of contents. */
    internal fun countBytes(): Long = (0 until rankCount).sumOf(::size)

    /** The bytes that one rank has stored. */
    internal fun size(rank: Int): Long = records.size(rank)

    /** Calls [use] with the bytes of one rank, frame by frame. */
    internal fun forEachFrame(rank: Int, use: (start: Long, frame: ByteBuffer) -> Unit) =
        state.forEachFrame(rank, key, use)

    /** Fails unless the counts in the tables of contents are those in the manifest. */
    internal fun requireCounts() {
        val expected = "$elementCount elements in $byteCount bytes"
        val found = "${countElements()} elements in ${countBytes()} bytes"
        if (found != expected) throw wrongCount(state.file, name, expected, found)
    }

    /** Fails unless [found] is the digest in the manifest. */
    internal fun requireDigest(found: CellDigest) {
        if (found.toString() != described.digest) {
            throw wrongDigest(state.file, name, described.digest, found.toString())
        }
    }

    internal fun requireRank(rank: Int) {
        require(rank in 0 until rankCount) { "each of $rankCount ranks has its own '$name': there is no rank $rank" }
    }
}

/** The item of these records. */
internal fun itemOf(records: ItemRecords): StoredItem =
    when (records.described.knownKind()?.form) {
        StoredForm.VALUE -> StoredBytes.Value(records)
        StoredForm.SEED -> StoredSeed(records)
        StoredForm.MARK -> StoredOutput(records)
        StoredForm.RANK_VALUES -> StoredBytes.RankValues(records)
        StoredForm.STREAMS -> StoredBytes.Streams(records)
        StoredForm.CELLS -> StoredField(records)
        StoredForm.ROWS -> StoredTable(records)
        null -> StoredUnknown(records)
    }
