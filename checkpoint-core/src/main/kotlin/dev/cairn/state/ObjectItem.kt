package dev.cairn.state

import dev.cairn.cells.CellDigester
import dev.cairn.grid.Box
import java.nio.ByteBuffer

/** An object that the program keeps itself: how to get its bytes, and what to do with those that come back. */
internal class Slot<T>(
    private val codec: Codec<T>,
    private val get: () -> T,
    private val set: (T) -> Unit,
) {
    val format: String get() = codec.format

    fun encode(): ByteArray = codec.encode(get())

    fun decode(bytes: ByteBuffer): T = codec.decode(bytes)

    fun assign(value: T) = set(value)
}

/** The same value on every rank; rank 0 stores it. */
internal class ReplicatedItem<T>(
    override val name: String,
    override val key: Int,
    override val formerNames: List<String>,
    private val slot: Slot<T>,
) : StateItem {
    override val schema get() = Schema(KIND, slot.format, emptyList())

    override fun capture(rank: Int): Capture = BytesCapture(slot.encode(), firstIndex = 0, isStored = rank == 0)

    fun assign(bytes: ByteBuffer) = slot.assign(slot.decode(bytes))

    companion object {
        const val KIND = "replicated"
    }
}

/** A value of each rank's own. */
internal class PerRankItem<T>(
    override val name: String,
    override val key: Int,
    override val formerNames: List<String>,
    private val slot: Slot<T>,
    val rule: PerRankRule<T>,
) : StateItem {
    override val schema get() = Schema(KIND, slot.format, emptyList())

    override fun capture(rank: Int): Capture =
        BytesCapture(slot.encode(), firstIndex = firstIndex(rank), isStored = true)

    /** Takes what the ranks left for which this one stands now. */
    fun merge(bytes: List<ByteBuffer>) = slot.assign((rule as PerRankRule.Merge).merge(bytes.map(slot::decode)))

    /** Takes what this rank left itself. */
    fun assign(bytes: ByteBuffer) = slot.assign(slot.decode(bytes))

    companion object {
        const val KIND = "perRank"

        /** The bytes of rank [rank] are numbered from here in the digest: no value has more bytes than lie between. */
        fun firstIndex(rank: Int): Long = rank.toLong() shl Int.SIZE_BITS
    }
}

/** What becomes of private values when the number of ranks changes. */
public sealed interface PerRankRule<T> {
    /** The restart is refused. */
    public class Refuse<T> : PerRankRule<T>

    /** Every rank keeps the value with which it starts, and what was stored is not read. */
    public class Drop<T> : PerRankRule<T>

    /**
     * The old ranks are dealt to the new ones in order, in nearly equal shares, and each new rank makes its value from
     * those of its share. Where there are more new ranks than old ones, some shares are empty.
     */
    public class Merge<T>(
        internal val merge: (List<T>) -> T,
    ) : PerRankRule<T>
}

/** Bytes as they are. A rank that does not store them still digests them, so that all can be compared. */
private class BytesCapture(
    private val bytes: ByteArray,
    private val firstIndex: Long,
    private val isStored: Boolean,
) : Capture {
    override val size = if (isStored) bytes.size.toLong() else 0L
    override val boxes: List<Box> get() = emptyList()
    override val elementCount get() = size

    override fun read(
        start: Long,
        target: ByteBuffer,
        digester: CellDigester,
    ) {
        val count = target.remaining()
        target.put(bytes, start.toInt(), count)
        digester.add(bytes, start.toInt(), count, firstIndex + start)
    }

    override fun digestUnstored(digester: CellDigester) {
        if (!isStored) digester.add(bytes, 0, bytes.size, firstIndex)
    }
}
