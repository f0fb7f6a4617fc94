package dev.cairn.item

import dev.cairn.state.StreamRule
import dev.cairn.state.ThrowingConsumer
import java.io.InputStream
import java.io.OutputStream

/** A stream that the program reads into its own state, so that Cairn cannot try whether it can be read. */
internal class PlainStreamItem(
    override val name: String,
    override val key: Int,
    override val formerNames: List<String>,
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

    override fun take(
        streams: List<InputStream>,
        isSameCount: Boolean,
    ) = if (isSameCount) reading.accept(streams.single()) else (rule as StreamRule.Deal).reading.accept(streams)
}
