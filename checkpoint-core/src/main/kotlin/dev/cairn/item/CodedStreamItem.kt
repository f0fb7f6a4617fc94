package dev.cairn.item

import dev.cairn.codec.StreamCodec
import dev.cairn.state.PerRankRule
import java.io.InputStream
import java.io.OutputStream

/** A value of each rank's own that [codec] writes into a stream. */
internal class CodedStreamItem<T>(
    override val name: String,
    override val key: Int,
    override val formerNames: List<String>,
    private val codec: StreamCodec<T>,
    private val get: () -> T,
    private val set: (T) -> Unit,
    private val rule: PerRankRule<T>,
) : StreamItem() {
    override val terms get() = listOf("a codec", rule.javaClass.simpleName)

    override val rankChange
        get() =
            when (rule) {
                is PerRankRule.Refuse -> RankChange.REFUSE
                is PerRankRule.Drop -> RankChange.DROP
                is PerRankRule.Merge -> RankChange.DEAL
            }

    override val refusalWithoutRule get() = MISSING_RULE

    override fun write(target: OutputStream) = codec.write(target, get())

    override fun take(
        streams: List<InputStream>,
        isSameCount: Boolean,
    ) {
        val values = streams.map(codec::read)
        set(if (isSameCount) values.single() else (rule as PerRankRule.Merge).merge.apply(values))
    }

    private companion object {
        val MISSING_RULE = MissingRule("a stream of each rank", "Declare it with PerRankRule.Merge or PerRankRule.Drop")
    }
}
