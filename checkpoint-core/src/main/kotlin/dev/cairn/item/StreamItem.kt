package dev.cairn.item

import dev.cairn.base.counted
import dev.cairn.checkpoint.SnapshotMemory
import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.Mismatch
import dev.cairn.redistribution.CellDigest
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
        if (unread.isNotEmpty()) throw notRead(source.rank, unread)
        return digest
    }

    private fun notRead(
        rank: Int,
        unread: List<String>,
    ): Mismatch {
        val others = if (unread.size > 1) ", and bytes of ${counted(unread.size - 1, "more stream")}" else ""
        return Mismatch(
            Details(
                "rank $rank should read the stream '$name' to its end, but left ${unread.first()}$others. That state " +
                    "would be lost: read all of it, or skip the bytes that the program no longer needs.",
                listOf(name),
            ),
        )
    }

    /** Lets the program write into [target]. */
    protected abstract fun write(target: OutputStream)

    /** Lets the program take [streams], the share of this rank: its own, if the number of ranks [is the same][isSameCount]. */
    protected abstract fun take(
        streams: List<InputStream>,
        isSameCount: Boolean,
    )
}

/** A rank's stream, which can be written once. */
internal class StreamCapture(
    val part: StreamPart,
) : Capture {
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
