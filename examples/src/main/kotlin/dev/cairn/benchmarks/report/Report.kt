package dev.cairn.benchmarks.report

import kotlinx.serialization.Serializable

/** All results of one run of the benchmarks, as `--json` writes them. */
@Serializable
internal data class Report(val machine: Machine, val pairCount: Int, val results: List<Result>)

/** One line of the printed table. */
@Serializable
internal sealed interface Result {
    val name: String

    /** The figures, and whether they are within their limit. */
    fun describe(): String
}

/** Our rate divided by the baseline's. */
@Serializable
internal data class DuelResult(
    override val name: String,
    val ratio: Quartiles,
    val oursSeconds: Quartiles,
    val baselineSeconds: Quartiles,
    val atLeast: Double,
) : Result {
    override fun describe(): String =
        "ratio %.3f [%.3f %.3f]  ours %.3f s, baseline %.3f s  %s".format(
            ratio.median,
            ratio.lower,
            ratio.upper,
            oursSeconds.median,
            baselineSeconds.median,
            verdict(ratio.median >= atLeast, "at least $atLeast"),
        )
}

/** The rate of ranks that have as many bytes each, beside bare files, and beside one rank alone; [ratio] is that of both rates in one round. */
@Serializable
internal data class ScalingResult(
    override val name: String,
    val rankCount: Int,
    val ratio: Quartiles,
    val oursSeconds: Quartiles,
    val bareSeconds: Quartiles,
    val oursAlone: Quartiles,
    val bareAlone: Quartiles,
    val atLeast: Double,
) : Result {
    /** The rate divided by that of one rank times their number. */
    val scaling: Double get() = oursAlone.median / oursSeconds.median
    val bareScaling: Double get() = bareAlone.median / bareSeconds.median

    override fun describe(): String {
        val least = minOf(bareScaling, if (rankCount > FEW) SCALING_OF_MANY else SCALING_OF_FEW)
        return "ratio %.3f [%.3f %.3f]  ours %.3f s, bare files %.3f s  %s; scales by %.2f, bare files %.2f  %s".format(
            ratio.median,
            ratio.lower,
            ratio.upper,
            oursSeconds.median,
            bareSeconds.median,
            verdict(ratio.median >= atLeast, "at least $atLeast"),
            scaling,
            bareScaling,
            verdict(scaling >= least, "at least %.2f".format(least)),
        )
    }

    private companion object {
        const val FEW = 4
        const val SCALING_OF_FEW = 0.8
        const val SCALING_OF_MANY = 0.6
    }
}

/** Our rate divided by another one's, without a limit. */
@Serializable
internal data class RatioResult(override val name: String, val ratio: Quartiles) : Result {
    override fun describe(): String = "ratio %.3f [%.3f %.3f]".format(ratio.median, ratio.lower, ratio.upper)
}

/** The results of one contestant when ranks wrote and read in parallel. A rate includes all phases, in megabytes per second. */
@Serializable
internal data class PhasesResult(
    override val name: String,
    val contestant: String,
    val rankCount: Int,
    val createSeconds: Quartiles,
    val writeSeconds: Quartiles,
    val closeSeconds: Quartiles,
    val openSeconds: Quartiles,
    val readSeconds: Quartiles,
    val writeRate: Quartiles,
    val readRate: Quartiles,
) : Result {
    override fun describe(): String =
        "create %.4f s, write %.4f s, close %.4f s: %.0f MB/s;  open %.4f s, read %.4f s: %.0f MB/s".format(
            createSeconds.median,
            writeSeconds.median,
            closeSeconds.median,
            writeRate.median,
            openSeconds.median,
            readSeconds.median,
            readRate.median,
        )
}

/** The heap that an open multifile occupies. */
@Serializable
internal data class FootprintResult(
    override val name: String,
    val heapBytes: Long,
    val usedChunks: Int,
    val atMost: Double,
) : Result {
    override fun describe(): String {
        val bytesPerChunk = heapBytes.toDouble() / usedChunks
        return "%.1f bytes per task and used chunk  %s".format(
            bytesPerChunk,
            verdict(bytesPerChunk <= atMost, "at most $atMost"),
        )
    }
}

/** The time to open a multifile. Equal figures for all task counts mean linear growth. */
@Serializable
internal data class OpenTimeResult(override val name: String, val taskCount: Int, val nanosPerTask: Quartiles) :
    Result {
    override fun describe(): String =
        "%.1f ns per task [%.1f %.1f]".format(nanosPerTask.median, nanosPerTask.lower, nanosPerTask.upper)
}

/** The growth of the cost of one rank from few ranks to many. */
@Serializable
internal data class CostGrowthResult(
    override val name: String,
    val growth: Quartiles,
    val nanosAmongFew: Quartiles,
    val nanosAmongMany: Quartiles,
    val atMost: Double,
) : Result {
    override fun describe(): String =
        "ratio %.3f [%.3f %.3f]  %.0f ns against %.0f ns  %s".format(
            growth.median,
            growth.lower,
            growth.upper,
            nanosAmongMany.median,
            nanosAmongFew.median,
            verdict(growth.median <= atMost, "at most $atMost"),
        )
}

/** A cost that must stay below a limit. */
@Serializable
internal data class LimitResult(override val name: String, val cost: Quartiles, val unit: String, val atMost: Double) :
    Result {
    override fun describe(): String =
        "%.3f %s [%.3f %.3f]  %s".format(
            cost.median,
            unit,
            cost.lower,
            cost.upper,
            verdict(cost.median <= atMost, "at most $atMost"),
        )
}

/** The time of one call. */
@Serializable
internal data class CallResult(override val name: String, val micros: Quartiles) : Result {
    override fun describe(): String = "%.1f µs [%.1f %.1f]".format(micros.median, micros.lower, micros.upper)
}

/** Our time divided by another one's of the same round; the limit is null if there is none. */
@Serializable
internal data class TimeRatioResult(
    override val name: String,
    val ratio: Quartiles,
    val oursSeconds: Quartiles,
    val otherSeconds: Quartiles,
    val atMost: Double?,
) : Result {
    override fun describe(): String =
        "time ratio %.3f [%.3f %.3f]  ours %.4f s, the other's %.4f s  %s"
            .format(
                ratio.median,
                ratio.lower,
                ratio.upper,
                oursSeconds.median,
                otherSeconds.median,
                atMost?.let { verdict(ratio.median <= it, "at most $it") }.orEmpty(),
            ).trimEnd()
}

/**
 * What saves or restores by one route cost.
 *
 * @property ratio their time divided by that of the first route in the same round
 * @property operationCount the writes of a save or the reads of a restore
 */
@Serializable
internal data class RouteCosts(val ratio: Quartiles, val seconds: Quartiles, val operationCount: Int) {
    override fun toString(): String =
        "%.2f [%.2f %.2f] %.4f s".format(ratio.median, ratio.lower, ratio.upper, seconds.median)
}

/** The costs of one route of a field into a checkpoint and back. */
@Serializable
internal data class RouteResult(override val name: String, val saves: RouteCosts, val restores: RouteCosts) : Result {
    override fun describe(): String =
        "saves $saves, ${saves.operationCount} writes; restores $restores, ${restores.operationCount} reads"
}

/** The rate of a save or restore of [byteCount] bytes that took [seconds]. */
@Serializable
internal data class RateResult(
    override val name: String,
    val seconds: Quartiles,
    val byteCount: Long,
    val atLeast: Double,
) : Result {
    val megabytesPerSecond: Double get() = byteCount / seconds.median / 1e6

    override fun describe(): String =
        "%.0f MB/s  %s".format(megabytesPerSecond, verdict(megabytesPerSecond >= atLeast, "at least $atLeast"))
}

/** The cost of writing a multifile. */
@Serializable
internal data class WritesResult(override val name: String, val writeCount: Int, val fileBytes: Long) : Result {
    override fun describe(): String = "$writeCount writes, a file of $fileBytes bytes"
}

private fun verdict(reached: Boolean, promise: String): String = if (reached) "($promise: yes)" else "($promise: NO)"
