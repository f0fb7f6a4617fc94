package dev.cairn.item

import dev.cairn.state.StreamRule
import dev.cairn.state.dealt
import java.io.InputStream
import java.io.OutputStream

/** Bytes of unknown length of each rank, which the program writes and reads itself. */
internal class StreamItem(
    override val name: String,
    override val key: Int,
    override val formerNames: List<String>,
    private val write: (OutputStream) -> Unit,
    private val read: (InputStream) -> Unit,
    val rule: StreamRule,
) : StateItem {
    override val schema get() = Schema(KIND, "bytes", emptyList())

    override val terms get() = listOf(rule.javaClass.simpleName)

    override val layout get() = mapOf(LAYOUT_RULE to "${rankChange()}")

    private fun rankChange() =
        when (rule) {
            is StreamRule.Refuse -> RankChange.REFUSE
            is StreamRule.Drop -> RankChange.DROP
            is StreamRule.Deal -> RankChange.DEAL
        }

    override fun capture(rank: Int): Capture =
        object : Capture {
            override val parts = listOf(StreamPart(name, key, firstIndex(rank)) { out -> saving { write(out) } })
            override val elementCount get() = 0L
        }

    /** The ranks whose streams this one reads; there were as many ranks or another number. */
    fun share(
        oldCount: Int,
        rank: Int,
        newCount: Int,
    ): IntRange = if (oldCount == newCount) rank..rank else dealt(oldCount, rank, newCount)

    /** Lets the program read the streams of [share]. */
    fun read(
        streams: List<InputStream>,
        isSameCount: Boolean,
    ) = restoring {
        if (isSameCount) read(streams.single()) else (rule as StreamRule.Deal).reading.read(streams)
    }

    companion object {
        const val KIND = "stream"

        /** The bytes of rank [rank] are numbered from here in the digest: a stream has fewer than lie between. */
        fun firstIndex(rank: Int): Long = rank.toLong() shl 40
    }
}
