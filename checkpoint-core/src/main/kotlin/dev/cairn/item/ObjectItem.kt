package dev.cairn.item

import dev.cairn.cells.CellDigest
import dev.cairn.cells.CellDigester
import dev.cairn.cells.DigestFormula
import dev.cairn.codec.Codec
import dev.cairn.codec.SerialCodec
import dev.cairn.contents.TableOfContents
import dev.cairn.failure.CheckpointException
import dev.cairn.schema.Renames
import dev.cairn.schema.ValueSchema
import dev.cairn.state.Accumulation
import dev.cairn.state.PerRankRule
import dev.cairn.state.dealt
import kotlinx.serialization.SerializationException
import java.nio.ByteBuffer

/** An object that the program keeps itself: how to get its bytes, and what to do with those that come back. */
internal class Slot<T>(
    private val codec: Codec<T>,
    private val get: () -> T,
    private val set: (T) -> Unit,
) {
    val format: String get() = codec.format

    val schema: ValueSchema? get() = (codec as? SerialCodec)?.schema

    /** [name] is for the words of a refusal. */
    fun encode(name: String): ByteArray {
        val value = get()
        return try {
            codec.encode(value)
        } catch (unfit: SerializationException) {
            throw CheckpointException.ValueNotStorable(name, unfit)
        } catch (failure: NullPointerException) {
            throw if (value == null) CheckpointException.ValueNotStorable(name, noValue(failure)) else failure
        }
    }

    private fun noValue(failure: NullPointerException) =
        IllegalArgumentException("its value is null, which its codec '${codec.format}' cannot write", failure)

    /** Whatever a codec or a class of the program throws, the value is not one of today's. */
    fun decode(
        name: String,
        bytes: ByteBuffer,
        renames: Renames,
    ): T =
        try {
            if (codec is SerialCodec) codec.decode(bytes, renames) else codec.decode(bytes)
        } catch (unfit: RuntimeException) {
            throw CheckpointException.ValueDiffers(name, unfit)
        }

    fun assign(value: T) = set(value)
}

/** The same value on every rank; rank 0 stores it. */
internal class ReplicatedItem<T>(
    override val name: String,
    override val key: Int,
    override val formerNames: List<String>,
    private val slot: Slot<T>,
    private val kind: String = KIND,
) : StateItem {
    override val schema get() = Schema(kind, slot.format, emptyList())

    override val valueSchema get() = slot.schema

    override fun capture(rank: Int): Capture =
        BytesCapture(key, saving { slot.encode(name) }, firstIndex = 0, isStored = rank == 0)

    fun assign(
        bytes: ByteBuffer,
        renames: Renames,
    ) = restoring { slot.assign(slot.decode(name, bytes, renames)) }

    companion object {
        const val KIND = "replicated"
        const val RANDOM_STREAMS = "randomStreams"
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
    override val schema get() =
        Schema(
            if (rule is Accumulation) ACCUMULATOR else KIND,
            slot.format,
            emptyList(),
        )

    override val valueSchema get() = slot.schema

    override fun capture(rank: Int): Capture =
        BytesCapture(key, saving { slot.encode(name) }, firstIndex = firstIndex(rank), isStored = true)

    override val terms get() = listOf(rule.javaClass.simpleName)

    override val layout get() = mapOf(LAYOUT_RULE to "${rankChange()}")

    private fun rankChange() =
        when (rule) {
            is PerRankRule.Refuse -> RankChange.REFUSE
            is PerRankRule.Drop -> RankChange.DROP
            is PerRankRule.Merge, is Accumulation -> RankChange.MERGE
        }

    /** The ranks that stored the values of which this one makes its own; there were as many ranks or another number. */
    fun share(
        oldCount: Int,
        rank: Int,
        newCount: Int,
    ): IntRange =
        when {
            oldCount == newCount -> rank..rank
            rule is Accumulation -> if (rank == 0) 0 until oldCount else IntRange.EMPTY
            else -> dealt(oldCount, rank, newCount)
        }

    /** Makes this rank's value of those that others left. */
    fun merge(
        bytes: List<ByteBuffer>,
        renames: Renames,
    ) = restoring {
        val values = bytes.map { slot.decode(name, it, renames) }
        val merged =
            when (rule) {
                is PerRankRule.Merge -> {
                    rule.merge.apply(values)
                }

                is Accumulation -> {
                    values.reduceOrNull(rule.merge) ?: rule.neutral
                }

                is PerRankRule.Refuse, is PerRankRule.Drop -> {
                    error(
                        "'$name' has no rule to merge by: please report this",
                    )
                }
            }
        slot.assign(merged)
    }

    /** Takes what this rank left itself. */
    fun assign(
        bytes: ByteBuffer,
        renames: Renames,
    ) = restoring { slot.assign(slot.decode(name, bytes, renames)) }

    companion object {
        const val KIND = "perRank"
        const val ACCUMULATOR = "accumulator"

        /** The bytes of rank [rank] are numbered from here in the digest: no value has more bytes than lie between. */
        fun firstIndex(rank: Int): Long = rank.toLong() shl Int.SIZE_BITS
    }
}

/** Bytes as they are. A rank that does not store them still digests them, so that all can be compared. */
internal class BytesCapture(
    override val key: Int,
    private val bytes: ByteArray,
    private val firstIndex: Long,
    private val isStored: Boolean,
) : SingleCapture {
    override val size = if (isStored) bytes.size.toLong() else 0L
    override val elementCount get() = size

    override fun read(
        start: Long,
        target: ByteBuffer,
        digester: CellDigester,
    ) {
        target.put(bytes, start.toInt(), target.remaining())
    }

    override fun digestApart(
        formula: DigestFormula,
        written: List<TableOfContents.Entry>,
    ): CellDigest = formula.bytes(firstIndex).apply { add(ByteBuffer.wrap(bytes)) }.finish()
}

/** What a rank has of an item that another rank looks after. */
internal class NoCapture : Capture {
    override val parts: List<Part> get() = emptyList()
    override val elementCount get() = 0L
}
