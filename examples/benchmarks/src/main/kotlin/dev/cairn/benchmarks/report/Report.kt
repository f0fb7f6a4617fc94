package dev.cairn.benchmarks.report

import kotlinx.serialization.Serializable

/** All results of one run of the benchmarks, as `--json` writes them. */
@Serializable
internal data class Report(val machine: Machine, val pairCount: Int, val results: List<Result>)

/** One line of the printed table. */
@Serializable
internal sealed interface Result {
    val name: String

    /** The figures, and whether they reach their goal. */
    fun describe(): String
}

/** Our time for a job and the other's, in seconds; their [ratio] is that of the two times of one round. */
@Serializable
internal data class Comparison(
    override val name: String,
    val quotient: Quotient,
    val ratio: Quartiles,
    val oursSeconds: Quartiles,
    val otherSeconds: Quartiles,
    val goal: Goal?,
) : Result {
    override fun describe(): String =
        "%s %s  ours %.4f s, the other's %.4f s  %s"
            .format(quotient.words, ratio, oursSeconds.median, otherSeconds.median, verdict(goal, ratio))
            .trimEnd()

    companion object {
        /** Compares [ours] with [other] in each of [rounds]. */
        fun <R> of(
            name: String,
            quotient: Quotient,
            rounds: List<R>,
            goal: Goal?,
            ours: (R) -> Double,
            other: (R) -> Double,
        ) = Comparison(
            name,
            quotient,
            ratio = Quartiles.of(rounds.map { quotient.of(ours(it), other(it)) }),
            oursSeconds = Quartiles.of(rounds.map(ours)),
            otherSeconds = Quartiles.of(rounds.map(other)),
            goal,
        )
    }
}

/** Which of two times is divided by the other. */
internal enum class Quotient(val words: String, val of: (ours: Double, other: Double) -> Double) {
    /** Of rates: more is better. */
    OF_RATES("ratio", { ours, other -> other / ours }),

    /** Of times: less is better. */
    OF_TIMES("time ratio", { ours, other -> ours / other }),
}

/** A figure that stands for itself. */
@Serializable
internal data class Figure(override val name: String, val value: Quartiles, val unit: String, val goal: Goal) : Result {
    override fun describe(): String = "$value $unit  ${verdict(goal, value)}"
}

private fun verdict(goal: Goal?, figure: Quartiles): String = goal?.verdict(figure.median).orEmpty()

/** A limit that a figure should keep. */
@Serializable
internal sealed interface Goal {
    fun isReachedBy(figure: Double): Boolean

    fun verdict(figure: Double): String = "($this: ${if (isReachedBy(figure)) "yes" else "NO"})"
}

@Serializable
internal data class AtLeast(val limit: Double) : Goal {
    override fun isReachedBy(figure: Double) = figure >= limit

    override fun toString(): String = "at least $limit"
}

@Serializable
internal data class AtMost(val limit: Double) : Goal {
    override fun isReachedBy(figure: Double) = figure <= limit

    override fun toString(): String = "at most $limit"
}
