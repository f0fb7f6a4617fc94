package dev.cairn.item

import dev.cairn.checkpoint.StreamInput
import dev.cairn.codec.StreamCodec
import dev.cairn.comm.ProgramCode
import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.NotSaved
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.fullLine
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
) : StreamItem(),
    ReadBackItem {
    override val terms get() = listOf("a codec", rule.javaClass.simpleName)

    override val rankChange
        get() =
            when (rule) {
                is PerRankRule.Refuse -> RankChange.REFUSE
                is PerRankRule.Drop -> RankChange.DROP
                is PerRankRule.Merge -> RankChange.DEAL
            }

    override val refusalWithoutRule get() = MISSING_RULE

    override val isRepeatable get() = true

    /** Equal values may have different bytes, such as those of sets. */
    override val isCapturedAlike get() = false

    override fun read(source: InputStream): T = codec.read(source)

    override fun write(target: OutputStream) = codec.write(target, get())

    override fun take(
        streams: List<InputStream>,
        isSameCount: Boolean,
    ) {
        val values = streams.map(codec::read)
        set(if (isSameCount) values.single() else (rule as PerRankRule.Merge).merge.apply(values))
    }

    override fun readBack(stored: StreamInput) {
        val outcome = runCatching { ProgramCode.run("the codec of the stream '$name'") { codec.read(stored) } }
        stored.requireGood()
        outcome.onFailure {
            throw if (it.isOfProgram) notReadBack("on rank ${stored.rank} its codec threw ${it.fullLine()}", it) else it
        }
        if (stored.left > 0) throw notReadBack("its codec left ${stored.rest}")
        if (isAnother(saving { get() }, outcome.getOrNull())) {
            throw notReadBack("on rank ${stored.rank} its codec reads another value than it wrote")
        }
    }

    private fun notReadBack(
        flaw: String,
        failure: Throwable? = null,
    ) = NotSaved(
        Details(
            "the stream '$name' cannot be read back: $flaw. A restart would fail in the same way. Nothing was saved: " +
                "let the codec read exactly what it writes, and flush what it wraps around its stream.",
            listOf(name),
            reason = Reason.PROGRAM,
            cause = failure,
        ),
    )

    private companion object {
        val MISSING_RULE =
            MissingRule(
                "a stream of each rank",
                "Declare it with PerRankRule.Merge or PerRankRule.Drop",
            )
    }
}
