package dev.cairn.job

import java.io.IOException
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ExecutionException
import java.util.concurrent.TimeUnit.MILLISECONDS
import java.util.concurrent.TimeoutException
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/** Runs commands of a job system. */
internal fun interface Commands {
    /** The output of the command [words]; an [IOException] gives the reason if there is none. */
    fun run(words: List<String>): String
}

/** Runs commands as processes, each for at most [limit]: a controller that does not answer must not block the program. */
internal class ProcessCommands(
    private val limit: Duration = 5.seconds,
) : Commands {
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

    private fun answer(
        process: Process,
        name: String,
    ): String {
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
