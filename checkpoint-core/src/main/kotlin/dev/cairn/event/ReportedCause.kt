package dev.cairn.event

import dev.cairn.event.CheckpointException.Details
import dev.cairn.sion.store.DiskException
import java.nio.file.Path

/**
 * An exception as processes report it to each other: the name of its [type] and its data. The [details] of a [DiskException] and of a
 * [RankDiffersException] contain the parts of their texts; any other exception has its text alone.
 */
internal class ReportedCause(val type: String, val details: Details) {
    /** The exception that [rank] has thrown. */
    fun rebuilt(rank: Int): Throwable {
        val (message, texts, path) = details
        return when (type) {
            DISK -> DiskException(DiskException.Trouble.valueOf(texts.single()), path ?: Path.of(""), message)
            DIFFERS -> RankDiffersException(rank, texts[0], texts[1], texts[2])
            else -> checkpointException(type, details) ?: RemoteFailure(message)
        }
    }

    companion object {
        private const val OTHER = ""
        private const val DISK = "disk"
        private const val DIFFERS = "differs"

        fun of(cause: Throwable): ReportedCause =
            when (cause) {
                is CheckpointException -> ReportedCause(cause.type, cause.details)
                is DiskException -> ReportedCause(DISK, detailsOf(cause))
                is RankDiffersException -> ReportedCause(DIFFERS, detailsOf(cause))
                else -> ReportedCause(OTHER, Details("$cause"))
            }

        private fun detailsOf(cause: DiskException) =
            Details(cause.reason, listOf(cause.trouble().name), Path.of(cause.file))

        private fun detailsOf(cause: RankDiffersException) =
            Details(cause.sentence, listOf(cause.own, cause.ofRoot, cause.advice))
    }
}
