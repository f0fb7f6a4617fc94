package dev.cairn.job

import java.io.IOException
import java.lang.System.Logger.Level.INFO
import java.time.DateTimeException
import java.time.Instant
import java.time.LocalDateTime
import java.time.ZoneId

/**
 * The job of Slurm in which this process runs. Slurm 23.02 and later put its start and its end into the environment; older ones
 * are asked, once.
 */
internal class SlurmJob private constructor(
    val id: String,
    private val environment: Map<String, String>,
    private val commands: Commands,
) {
    private val row by lazy(::ask)

    /** Null if the job has no end, or if it cannot be found out. */
    val end: JobEnd? get() = ofVariable(END) ?: row?.let { ofRow(it.end) }

    /** Null if it cannot be found out. */
    val start: JobEnd? get() = ofVariable(START) ?: row?.let { ofRow(it.start) }

    private fun ofVariable(name: String): JobEnd? =
        environment[name]?.toLongOrNull()?.let { JobEnd(Instant.ofEpochSecond(it), name) }

    private fun ofRow(time: String): JobEnd? = instantOf(time)?.let { JobEnd(it, "squeue, job $id") }

    /** Tasks of a job array may share the number by which they are asked for, so the answer may be about other ones, too. */
    private fun ask(): Row? {
        val answer =
            try {
                commands.run(listOf("squeue", "--noheader", "--jobs", id, "--format", "%A|%S|%e|%l"))
            } catch (failure: IOException) {
                return null.also { tell("${failure.message}") }
            }
        val fields = answer.lines().map { it.trim().split('|') }.find { it.size == FIELD_COUNT && it.first() == id }
        if (fields == null) return null.also { tell("'squeue' answers '${answer.lines().first()}'") }
        val (_, start, end, limit) = fields
        return Row(start, if (limit == "UNLIMITED") NO_TIME else end)
    }

    private fun tell(reason: String) =
        LOG.log(
            INFO,
            "Slurm's job $id: when it ends is not known, because $reason. To save and stop before, set time-limit or " +
                "ends-at; ends-at = none asks no more.",
        )

    private class Row(
        val start: String,
        val end: String,
    )

    companion object {
        const val ID = "SLURM_JOB_ID"
        private const val START = "SLURM_JOB_START_TIME"
        private const val END = "SLURM_JOB_END_TIME"
        private const val FIELD_COUNT = 4
        private const val NO_TIME = "N/A"
        private val LOG: System.Logger = System.getLogger(SlurmJob::class.java.name)

        /** Null if this process runs in none. */
        fun of(
            environment: Map<String, String>,
            commands: Commands,
        ): SlurmJob? = environment[ID]?.let { SlurmJob(it, environment, commands) }

        /** Old versions of Slurm may print local times whatever they are asked for. */
        private fun instantOf(text: String): Instant? =
            text.toLongOrNull()?.let(Instant::ofEpochSecond)
                ?: try {
                    LocalDateTime.parse(text).atZone(ZoneId.systemDefault()).toInstant()
                } catch (_: DateTimeException) {
                    null
                }
    }
}
