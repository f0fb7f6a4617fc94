package dev.cairn.run

import dev.cairn.options.epochSecond
import java.io.IOException
import java.lang.System.Logger.Level.WARNING
import java.time.DateTimeException
import java.time.Instant
import java.time.LocalDateTime
import java.time.ZoneId
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ExecutionException
import java.util.concurrent.TimeUnit.MILLISECONDS
import java.util.concurrent.TimeoutException
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/**
 * The job of Slurm in which this process runs. Slurm 23.02 and later put its start and its end into the environment; older versions are
 * queried once.
 */
internal class SlurmJob private constructor(
    val id: String,
    private val environment: Map<String, String>,
    private val commands: Commands,
) {
    private val row by lazy(::ask)

    /** Null if the job has no end; or if it cannot be found out, with a warning. */
    val end: JobEnd? by lazy { momentOf("when it ends", END) { it.end } }

    /** Null if it cannot be found out, with a warning. */
    val start: JobEnd? by lazy { momentOf("when it began", START) { it.start } }

    private fun momentOf(what: String, variable: String, cell: (Row) -> String): JobEnd? {
        val text = environment[variable] ?: return row?.let { ofRow(what, cell(it)) }
        val time = epochSecond(text)
        return if (time == null) unknown(what, "$variable holds '$text', $NO_SECONDS") else JobEnd(time, variable)
    }

    private fun ofRow(what: String, text: String): JobEnd? {
        if (text == NO_TIME) return null
        val time = instantOf(text)
        return if (time == null) unknown(what, "'squeue' answers '$text' for it") else JobEnd(time, "squeue, job $id")
    }

    /** Tasks of a job array may share the queried number, so the answer may also list other tasks. */
    private fun ask(): Row? {
        val answer =
            try {
                commands.run(listOf("squeue", "--noheader", "--jobs", id, "--format", "%A|%S|%e|%l"))
            } catch (failure: IOException) {
                return unknown(BOTH, "${failure.message}")
            }
        val fields = answer.lines().map { it.trim().split('|') }.find { it.size == FIELD_COUNT && it.first() == id }
        if (fields == null) return unknown(BOTH, "'squeue' answers '${answer.lines().first()}'")
        val (_, start, end, limit) = fields
        return Row(start, if (limit == "UNLIMITED") NO_TIME else end)
    }

    /** Logs a warning, since without the end the program may be killed unsaved. */
    private fun unknown(what: String, reason: String): Nothing? {
        LOG.log(
            WARNING,
            "Slurm's job $id: $what is not known to Cairn, because $reason. To save and stop before its end, set " +
                "time-limit or ends-at; ends-at = none suppresses the query.",
        )
        return null
    }

    private class Row(val start: String, val end: String)

    companion object {
        const val ID = "SLURM_JOB_ID"
        private const val START = "SLURM_JOB_START_TIME"
        private const val END = "SLURM_JOB_END_TIME"
        private const val FIELD_COUNT = 4
        private const val NO_TIME = "N/A"
        private const val NO_SECONDS = "which is no number of seconds since 1970"
        private const val BOTH = "when it began and ends"
        private val LOG: System.Logger = System.getLogger(SlurmJob::class.java.name)

        /** Null if this process runs in none. */
        fun of(environment: Map<String, String>, commands: Commands): SlurmJob? =
            environment[ID]?.let { SlurmJob(it, environment, commands) }

        /** Old versions of Slurm may print local times whatever they are asked for. */
        private fun instantOf(text: String): Instant? =
            epochSecond(text)
                ?: try {
                    LocalDateTime.parse(text).atZone(ZoneId.systemDefault()).toInstant()
                } catch (_: DateTimeException) {
                    null
                }
    }
}

/** Runs commands of a job system. */
internal fun interface Commands {
    /** The output of the command [words]; an [IOException] gives the reason if there is none. */
    fun run(words: List<String>): String
}

/** Runs commands as processes, each for at most [limit]: a controller that does not answer must not block the program. */
internal class ProcessCommands(private val limit: Duration = 5.seconds) : Commands {
    override fun run(words: List<String>): String {
        val process = builder(words).start()
        try {
            process.outputStream.close()
            return answer(process, words.first())
        } finally {
            process.destroyForcibly()
        }
    }

    private fun builder(words: List<String>) =
        ProcessBuilder(words).redirectErrorStream(true).apply {
            // The user's own format or filter would change the answer.
            environment().keys.removeIf { it.startsWith("SQUEUE_") }
            environment()["SLURM_TIME_FORMAT"] = EPOCH_SECONDS
        }

    private fun answer(process: Process, name: String): String {
        val end = TimeSource.Monotonic.markNow() + limit
        val text = CompletableFuture.supplyAsync { process.inputStream.readNBytes(MOST_BYTES).decodeToString() }
        val output =
            try {
                text.get(limit.inWholeMilliseconds, MILLISECONDS)
            } catch (late: TimeoutException) {
                throw IOException("'$name' has not answered within $limit", late)
            } catch (unreadable: ExecutionException) {
                throw IOException("the answer of '$name' cannot be read", unreadable)
            }
        val hasEnded = process.waitFor(-end.elapsedNow().inWholeMilliseconds, MILLISECONDS)
        if (!hasEnded) throw IOException("'$name' has not ended within $limit")
        if (process.exitValue() != 0) {
            throw IOException("'$name' ended with ${process.exitValue()}: ${output.lines().first()}")
        }
        return output
    }

    private companion object {
        const val MOST_BYTES = 1 shl 20

        /** For `strftime`, so that no time zone is in question. */
        const val EPOCH_SECONDS = "%s"
    }
}
