package dev.cairn.run

import dev.cairn.options.Configuration
import dev.cairn.options.EndsAt
import dev.cairn.options.Settings
import java.lang.System.Logger.Level.WARNING
import java.time.Clock
import java.time.Instant
import java.time.ZoneId
import java.time.ZoneOffset
import java.time.format.DateTimeFormatter.ISO_OFFSET_DATE_TIME
import java.time.temporal.ChronoUnit
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/** The sources of facts about a job: the environment, a clock, and the commands of the job system. */
internal class JobSurroundings(
    environment: Map<String, String>,
    private val clock: Clock,
    private val processStart: Instant,
    commands: Commands,
) {
    private val slurm = SlurmJob.of(environment, commands)

    /** The beginning and the end of the job as reported by the job system, without settings. */
    val toldStart: JobEnd? get() = slurm?.start
    val toldEnd: JobEnd? get() = slurm?.end

    val now: Instant get() = clock.instant()

    /**
     * The earlier one of the ends from the settings; without settings, the end from the job system. Null if there is none.
     *
     * @throws IllegalArgumentException if the end from the settings has passed
     */
    fun endOfJob(endsAt: EndsAt, timeLimit: Duration?): JobEnd? {
        if (endsAt == EndsAt.Never) return null
        val said = listOfNotNull((endsAt as? EndsAt.At)?.let { JobEnd(it.time, "ends-at") }, timeLimit?.let(::endAfter))
        return said.minByOrNull { it.time }?.also(::requireAhead) ?: slurm?.end?.takeIf(::isAhead)
    }

    /** A program that is restarted after the end of its job would save at once, again and again. */
    private fun requireAhead(end: JobEnd) =
        require(end.time > now) {
            "the job ended at $end, and now it is ${timeText(now)}: there is no time for a step and a save. Set a " +
                "later time, or leave ends-at and time-limit out."
        }

    /** A job system may let a job run on after its end. */
    private fun isAhead(end: JobEnd): Boolean {
        if (end.time > now) return true
        LOG.log(WARNING, "the job should have ended at $end, and goes on: the program runs as if it had no end")
        return false
    }

    private fun endAfter(limit: Duration): JobEnd {
        val start = slurm?.start ?: JobEnd(processStart, "the start of the process")
        return JobEnd(start.time + limit.toJavaDuration(), "time-limit, from ${timeText(start.time)}: ${start.source}")
    }

    companion object {
        private val LOG: System.Logger = System.getLogger(JobSurroundings::class.java.name)

        /** For a run with a simulated clock: only settings count, from the present moment on. */
        fun none(): JobSurroundings {
            val now = Instant.now()
            return JobSurroundings(
                emptyMap(),
                Clock.fixed(now, ZoneOffset.UTC),
                now,
            ) { error("no environment, no commands") }
        }

        fun ofThisProcess(): JobSurroundings {
            val clock = Clock.systemUTC()
            val start = ProcessHandle.current().info().startInstant()
            return JobSurroundings(System.getenv(), clock, start.orElseGet(clock::instant), ProcessCommands())
        }
    }
}

/** When the job of this program ends, and its [source] in words. */
internal class JobEnd(val time: Instant, val source: String) {
    override fun toString(): String = "${timeText(time)} ($source)"
}

/** `2026-11-24T00:40:00+01:00`, in the time zone of this process. */
internal fun timeText(time: Instant): String =
    ISO_OFFSET_DATE_TIME.format(time.truncatedTo(ChronoUnit.SECONDS).atZone(ZoneId.systemDefault()))

/**
 * When the job ends, by the [settings], or else by the job system. Null if there is no end.
 *
 * @throws IllegalArgumentException if the settings contradict each other, or say an end that has passed
 */
internal fun JobSurroundings.endOfJob(settings: Configuration): JobEnd? {
    val endsAt = settings[Settings.ENDS_AT]
    val timeLimit = settings[Settings.TIME_LIMIT]
    require(endsAt != EndsAt.Never || timeLimit == null) {
        "ends-at = none (${settings.originOf(Settings.ENDS_AT)}) says that the job has no end, and time-limit = " +
            "${Settings.TIME_LIMIT.print(timeLimit)} (${settings.originOf(Settings.TIME_LIMIT)}) says one. Leave one " +
            "of them out, or take it back with ends-at = auto or time-limit = none."
    }
    return endOfJob(endsAt, timeLimit)
}
