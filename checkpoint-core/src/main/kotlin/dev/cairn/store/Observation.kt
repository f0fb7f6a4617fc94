package dev.cairn.store

import dev.cairn.failure.CheckpointException

/**
 * Returns what [look] finds in a survey, for a reader without the right to write: the owner may delete saves after they were
 * listed, and what is gone is not damaged. A result that [isSure] is returned at once. Any other one, and a failure, counts only
 * if everything that was listed is still there; otherwise [look] gets a new survey.
 *
 * @throws CheckpointException.NoSuchCheckpoint if saves disappear in each of [MOST_TRIES] tries
 */
internal fun <T> CheckpointStore.observe(
    isSure: (T) -> Boolean = { true },
    look: (Survey) -> T,
): T {
    var survey = survey()
    repeat(MOST_TRIES) {
        val seen = runCatching { look(survey) }
        if (seen.isSuccess && isSure(seen.getOrThrow())) return seen.getOrThrow()
        val later = survey()
        if (survey.numbered.all { it in later }) return seen.getOrThrow()
        survey = later
    }
    throw CheckpointException.NoSuchCheckpoint(
        "$directory: the saves are deleted faster than they can be read: in each of $MOST_TRIES tries some of those " +
            "listed were gone before a good one was read. Let the program keep more saves, or pin one.",
    )
}

/** Whether the [entry] of an earlier survey is still what it was. */
internal operator fun Survey.contains(entry: Entry.Numbered): Boolean =
    numbered.any { it.number == entry.number && it::class == entry::class }

private const val MOST_TRIES = 10
