package dev.cairn.options

import dev.cairn.job.EndsAt
import dev.cairn.job.JobEnd
import dev.cairn.job.JobSurroundings

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
