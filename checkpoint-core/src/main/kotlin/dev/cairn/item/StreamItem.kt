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

/** Bytes of unknown length of each rank, which the program or Cairn writes and reads. */
internal abstract class StreamItem(final override val kind: UnsizedKind) : RankItem {
    final override val schema get() = Schema(kind.name, "bytes", emptyList())

    final override val isReadByProgram get() = true

    override val isRepeatable get() = false

    final override fun capture(rank: Int): Capture {
        whenCaptured()
        return StreamCapture(StreamPart(name, key, kind.firstIndex(rank)) { out -> saving { write(out) } })
    }

    /** The state of the rank is captured; bytes are written when all items are. */
    protected open fun whenCaptured() = Unit

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
            "the $word '$name' should be read to its end, but the program left ${unread.first()}$others. That state " +
                "would be lost: read all of it, or skip the bytes that the program no longer needs.",
        )
    }

    /** Lets the program write into [target]. */
    protected abstract fun write(target: OutputStream)

    /** Lets the program take [streams], the share of this rank: its own, if the number of ranks [is the same][isSameCount]. */
    protected abstract fun take(streams: List<StreamInput>, isSameCount: Boolean)
}

/** A rank's stream, which can be written once. */
internal class StreamCapture(val part: StreamPart) : Capture {
    override val parts get() = listOf(part)
    override val elementCount get() = 0L

    override fun copy(memory: SnapshotMemory): Capture? = null
}

/** Bytes of each rank, of any number. On another number of ranks they are dealt in order, or dropped, or the restart is refused. */
internal abstract class UnsizedKind(name: String, remedy: String, final override val adviceOnForms: String) :
    PrivateKind(name, StoredForm.STREAMS, moved = "dealt in order, and read") {
    final override val missingRule = MissingRule("a $name of each rank", "Declare it with $remedy")

    /** The distance between two ranks is more than the most bytes of a stream. */
    final override fun firstIndex(rank: Int): Long = rank.toLong() shl 40
}

internal object StreamKind :
    UnsizedKind(
        "stream",
        remedy = "StreamRule.Deal or StreamRule.Drop",
        adviceOnForms = "declare it with a StreamCodec, so that its values are compared",
    )

/** A stream that the program reads into its own state, so that Cairn cannot try whether it can be read. */
internal class PlainStreamItem(
    override val id: ItemName,
    private val writing: ThrowingConsumer<OutputStream>,
    private val reading: ThrowingConsumer<InputStream>,
    private val rule: StreamRule,
) : StreamItem(StreamKind) {
    override val terms get() = listOf(rule.javaClass.simpleName)

    override val rankChange
        get() =
            when (rule) {
                is StreamRule.Refuse -> RankChange.REFUSE
                is StreamRule.Drop -> RankChange.DROP
                is StreamRule.Deal -> RankChange.DEAL
            }

    override fun write(target: OutputStream) = writing.accept(target)

    override fun take(streams: List<StreamInput>, isSameCount: Boolean) =
        if (isSameCount) reading.accept(streams.single()) else (rule as StreamRule.Deal).reading.accept(streams)
}

/** A value of each rank's own that a stream holds, from which an [R] is read. */
internal abstract class ValueStreamItem<T, R>(
    kind: UnsizedKind,
    protected val get: () -> T,
    private val set: (T) -> Unit,
    private val rule: PerRankRule<T>,
) : StreamItem(kind),
    ReadBackItem {
    override val terms get() = listOf(rule.javaClass.simpleName)

    final override val rankChange get() = rule.rankChange(merging = RankChange.DEAL)

    final override val isRepeatable get() = true

    /** Equal values may have different bytes, such as those of sets. */
    final override val isCapturedAlike get() = false

    final override fun heldObject() = saving { HeldObject.of(get, set) }

    abstract override fun read(source: StreamInput): R

    protected abstract fun valueOf(read: R): T

    /** Why [read] is not what the program has now, as the end of a sentence; null if it is, as far as that is certain. */
    protected abstract fun flawOf(read: R): String?

    /** What reads and writes it, in words. */
    protected abstract val reader: String

    /** What to do if it cannot be read back. */
    protected abstract val remedy: String

    final override fun take(streams: List<StreamInput>, isSameCount: Boolean) {
        val values = streams.map { valueOf(read(it)) }
        val value = if (isSameCount) values.single() else (rule as PerRankRule.Merge).merge.apply(values)
        set(value)
        requireTaken(value)
    }

    /** Refuses a setter that has left the program what it had, instead of what it was [given]. */
    protected open fun requireTaken(given: T) = Unit

    final override fun readBack(stored: StreamInput) {
        val outcome = runCatching { ProgramCode.run("$reader of the $word '$name'") { read(stored) } }
        stored.requireGood()
        outcome.onFailure {
            throw when {
                it is Mismatch -> notReadBack("${stored.place}${it.message?.removeSuffix(".")}", it)
                it.isOfProgram -> notReadBack("${stored.place}its $reader threw ${it.fullLine()}", it)
                else -> it
            }
        }
        if (stored.left > 0) throw notReadBack("its $reader left ${stored.rest}")
        saving { flawOf(outcome.getOrThrow()) }?.let { throw notReadBack("${stored.place}$it") }
    }

    protected fun notReadBack(flaw: String, failure: Throwable? = null) =
        NotSaved(
            Details(
                "the $word '$name' cannot be read back: $flaw. A restart would fail in the same way. Nothing was " +
                    "saved: $remedy.",
                listOf(name),
                reason = Reason.PROGRAM,
                cause = failure,
            ),
        )
}

/** A value of each rank's own that [codec] writes into a stream. */
internal class CodedStreamItem<T>(
    override val id: ItemName,
    private val codec: StreamCodec<T>,
    get: () -> T,
    set: (T) -> Unit,
    rule: PerRankRule<T>,
) : ValueStreamItem<T, T>(StreamKind, get, set, rule) {
    override val terms get() = super.terms + "a codec"

    override val refusalWithoutRule get() = MISSING_RULE

    override fun savedObjects(): List<Any?> = listOf(saving { get() })

    override val reader get() = "codec"

    override val remedy get() = "let the codec read exactly what it writes, and flush what it wraps around its stream"

    override fun write(target: OutputStream) = codec.write(target, get())

    override fun read(source: StreamInput): T = codec.read(source)

    override fun valueOf(read: T) = read

    override fun flawOf(read: T) = if (isAnother(get(), read)) "its codec reads another value than it wrote" else null
}

private val MISSING_RULE =
    MissingRule("a stream of each rank", "Declare it with PerRankRule.Merge or PerRankRule.Drop")
