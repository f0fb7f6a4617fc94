package dev.cairn.store

import dev.cairn.event.CheckpointException

/**
 * Returns what [look] finds in a survey, for a reader without the right to write: the owner may commit and delete saves after they were
 * listed, and what is gone is not damaged. A result that [isSure] is returned at once. Any other one, and a failure, counts only
 * if everything that was listed is still there; otherwise [look] gets a new survey.
 *
 * @throws CheckpointException.Unreadable if saves disappear in each of [MOST_TRIES] tries
 */
internal fun <T> CheckpointStore.observe(isSure: (T) -> Boolean = { true }, look: (Survey) -> T): T =
    observe(survey(), ::survey, { seen, now -> seen.isStillIn(now) }, isSure, look)

/** As the other one, for one save: [look] gets it as it is now, [entry] at first. Null if it is gone. */
internal fun <T : Any> CheckpointStore.observe(
    entry: Entry.Numbered,
    isSure: (T) -> Boolean = { true },
    look: (Entry.Numbered) -> T?,
): T? =
    observe(
        entry,
        { survey().numbered.find { it.number == entry.number } },
        { seen, now -> seen?.javaClass == now?.javaClass },
        { found: T? -> found == null || isSure(found) },
    ) { now -> now?.let(look) }

/** Fails inside of [observe], which looks again, if something in this [survey] was committed or deleted meanwhile. */
internal fun CheckpointStore.requireUnchanged(survey: Survey) {
    if (!survey.isStillIn(survey())) throw changing("saves were committed or deleted while they were read. Look again.")
}

private fun <S, T> CheckpointStore.observe(
    first: S,
    next: () -> S,
    isSame: (S, S) -> Boolean,
    isSure: (T) -> Boolean,
    look: (S) -> T,
): T {
    var state = first
    repeat(MOST_TRIES) {
        val seen = runCatching { look(state) }
        if (seen.isSuccess && isSure(seen.getOrThrow())) return seen.getOrThrow()
        val now = next()
        if (isSame(state, now)) return seen.getOrThrow()
        state = now
    }
    throw changing(
        "the saves are deleted faster than they can be read: in each of $MOST_TRIES tries some of those " +
            "listed were gone before a good one was read. Let the program keep more saves, or pin one.",
    )
}

private fun CheckpointStore.changing(sentence: String) = noSuchCheckpoint(directory, "$directory: $sentence")

/** Whether all that this survey lists is still the same in the survey [now]. */
private fun Survey.isStillIn(now: Survey): Boolean =
    numbered.all { entry -> now.numbered.any { it.number == entry.number && it.javaClass == entry.javaClass } }

private const val MOST_TRIES = 10
