package dev.cairn.item

import dev.cairn.checkpoint.SnapshotMemory
import dev.cairn.checkpoint.StreamInput
import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.Mismatch
import dev.cairn.event.CheckpointException.NotSaved
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.counted
import dev.cairn.event.fullLine
import dev.cairn.ranks.ProgramCode
import dev.cairn.redistribution.CellDigest
import dev.cairn.state.PerRankRule
import dev.cairn.state.StreamCodec
import dev.cairn.state.StreamRule
import dev.cairn.state.ThrowingConsumer
import java.io.InputStream
import java.io.OutputStream

/** Bytes of unknown length of each rank, which the program writes and reads. */
internal abstract class StreamItem : RankItem {
    final override val kind get() = StreamKind

    final override val schema get() = Schema(kind.name, "bytes", emptyList())

    final override val isReadByProgram get() = true

    override val isRepeatable get() = false

    final override fun capture(rank: Int): Capture =
        StreamCapture(StreamPart(name, key, kind.firstIndex(rank)) { out -> saving { write(out) } })

    final override fun restore(source: ItemSource): CellDigest {
        val streams = source.share(kind).map { source.stream(it, kind) }
        val outcome = runCatching { restoring { take(streams, source.isSameCount) } }
        streams.forEach { it.requireGood() }
        outcome.getOrThrow()
        val unread = streams.filter { it.left > 0 }.map { it.rest }
        // Damage is thrown first: another checkpoint is restored then, and the program reads its streams.
        val digest = streams.map { it.finish() }.sum()
        if (unread.isNotEmpty()) throw notRead(unread)
        return digest
    }

    private fun notRead(unread: List<String>): Mismatch {
        val others = if (unread.size > 1) ", and bytes of ${counted(unread.size - 1, "more stream")}" else ""
        return notFitting(
            name,
            "the stream '$name' should be read to its end, but the program left ${unread.first()}$others. That state " +
                "would be lost: read all of it, or skip the bytes that the program no longer needs.",
        )
    }

    /** Lets the program write into [target]. */
    protected abstract fun write(target: OutputStream)

    /** Lets the program take [streams], the share of this rank: its own, if the number of ranks [is the same][isSameCount]. */
    protected abstract fun take(streams: List<InputStream>, isSameCount: Boolean)
}

/** A rank's stream, which can be written once. */
internal class StreamCapture(val part: StreamPart) : Capture {
    override val parts get() = listOf(part)
    override val elementCount get() = 0L

    override fun copy(memory: SnapshotMemory): Capture? = null
}

/** Bytes of each rank, of any number. On another number of ranks they are dealt in order, or dropped, or the restart is refused. */
internal object StreamKind : PrivateKind("stream", StoredForm.STREAMS, moved = "dealt in order, and read") {
    override val hasManyForms get() = true

    override val missingRule =
        MissingRule("a stream of each rank", "Declare it with StreamRule.Deal or StreamRule.Drop")

    /** The distance between two ranks is more than the most bytes of a stream. */
    override fun firstIndex(rank: Int): Long = rank.toLong() shl 40
}

/** A stream that the program reads into its own state, so that Cairn cannot try whether it can be read. */
internal class PlainStreamItem(
    override val id: ItemName,
    private val writing: ThrowingConsumer<OutputStream>,
    private val reading: ThrowingConsumer<InputStream>,
    private val rule: StreamRule,
) : StreamItem() {
    override val terms get() = listOf(rule.javaClass.simpleName)

    override val rankChange
        get() =
            when (rule) {
                is StreamRule.Refuse -> RankChange.REFUSE
                is StreamRule.Drop -> RankChange.DROP
                is StreamRule.Deal -> RankChange.DEAL
            }

    override fun write(target: OutputStream) = writing.accept(target)

    override fun take(streams: List<InputStream>, isSameCount: Boolean) =
        if (isSameCount) reading.accept(streams.single()) else (rule as StreamRule.Deal).reading.accept(streams)
}

/** A value of each rank's own that [codec] writes into a stream. */
internal class CodedStreamItem<T>(
    override val id: ItemName,
    private val codec: StreamCodec<T>,
    private val get: () -> T,
    private val set: (T) -> Unit,
    private val rule: PerRankRule<T>,
) : StreamItem(),
    ReadBackItem {
    override val terms get() = listOf("a codec", rule.javaClass.simpleName)

    override val rankChange get() = rule.rankChange(merging = RankChange.DEAL)

    override val refusalWithoutRule get() = MISSING_RULE

    override val isRepeatable get() = true

    /** Equal values may have different bytes, such as those of sets. */
    override val isCapturedAlike get() = false

    override fun read(source: InputStream): T = codec.read(source)

    override fun write(target: OutputStream) = codec.write(target, get())

    override fun take(streams: List<InputStream>, isSameCount: Boolean) {
        val values = streams.map(codec::read)
        set(if (isSameCount) values.single() else (rule as PerRankRule.Merge).merge.apply(values))
    }

    override fun heldObject() = saving { HeldObject.of(get, set) }

    override fun readBack(stored: StreamInput) {
        val outcome = runCatching { ProgramCode.run("the codec of the stream '$name'") { codec.read(stored) } }
        stored.requireGood()
        outcome.onFailure {
            throw if (it.isOfProgram) notReadBack("${stored.place}its codec threw ${it.fullLine()}", it) else it
        }
        if (stored.left > 0) throw notReadBack("its codec left ${stored.rest}")
        if (isAnother(saving { get() }, outcome.getOrNull())) {
            throw notReadBack("${stored.place}its codec reads another value than it wrote")
        }
    }

    private fun notReadBack(flaw: String, failure: Throwable? = null) =
        NotSaved(
            Details(
                "the stream '$name' cannot be read back: $flaw. A restart would fail in the same way. Nothing was " +
                    "saved: let the codec read exactly what it writes, and flush what it wraps around its stream.",
                listOf(name),
                reason = Reason.PROGRAM,
                cause = failure,
            ),
        )
}

private val MISSING_RULE =
    MissingRule("a stream of each rank", "Declare it with PerRankRule.Merge or PerRankRule.Drop")
