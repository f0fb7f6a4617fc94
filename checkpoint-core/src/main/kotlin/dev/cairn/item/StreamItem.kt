package dev.cairn.item

import dev.cairn.cells.CellDigest
import dev.cairn.contents.SnapshotMemory
import dev.cairn.failure.CheckpointException.StreamNotRead
import dev.cairn.state.StreamRule
import java.io.InputStream
import java.io.OutputStream

/** Bytes of unknown length of each rank, which the program writes and reads itself. */
internal class StreamItem(
    override val name: String,
    override val key: Int,
    override val formerNames: List<String>,
    private val write: (OutputStream) -> Unit,
    private val read: (InputStream) -> Unit,
    private val rule: StreamRule,
) : RankItem {
    override val kind get() = StreamKind

    override val schema get() = Schema(kind.name, "bytes", emptyList())

    override val terms get() = listOf(rule.javaClass.simpleName)

    override val rankChange
        get() =
            when (rule) {
                is StreamRule.Refuse -> RankChange.REFUSE
                is StreamRule.Drop -> RankChange.DROP
                is StreamRule.Deal -> RankChange.DEAL
            }

    override val isRepeatable get() = false

    override val isReadByProgram get() = true

    override fun capture(rank: Int): Capture =
        StreamCapture(StreamPart(name, key, kind.firstIndex(rank)) { out -> saving { write(out) } })

    override fun restore(source: ItemSource): CellDigest {
        val streams = source.share(kind).map { source.stream(it, kind) }
        val outcome = runCatching { read(streams, source.isSameCount) }
        streams.forEach { it.requireGood() }
        outcome.getOrThrow()
        val unread = streams.filter { it.left > 0 }.map { StreamNotRead.Rest(it.rank, it.left, it.size) }
        // Damage is thrown first: another checkpoint is restored then, and the program reads its streams.
        val digest = streams.map { it.finish() }.sum()
        if (unread.isNotEmpty()) throw StreamNotRead(name, source.rank, unread)
        return digest
    }

    private fun read(
        streams: List<InputStream>,
        isSameCount: Boolean,
    ) = restoring {
        if (isSameCount) read(streams.single()) else (rule as StreamRule.Deal).reading.read(streams)
    }
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
    override val missingRule =
        MissingRule("a stream of each rank", "Declare it with StreamRule.Deal or StreamRule.Drop")

    /** The distance between two ranks is more than the most bytes of a stream. */
    override fun firstIndex(rank: Int): Long = rank.toLong() shl 40
}
