package dev.cairn.cli

import dev.cairn.command.Refusal
import dev.cairn.store.ChangeOutcome
import dev.cairn.store.Owner
import dev.cairn.store.OwnerFile
import dev.cairn.store.OwnerNote
import dev.cairn.store.OwnerRequest
import dev.cairn.store.OwnerRequests
import dev.cairn.store.SaveChange
import dev.cairn.store.SaveNames
import dev.cairn.store.isAtWork
import java.nio.file.Path
import java.time.Instant
import kotlin.time.Duration
import kotlin.time.TimeSource

/** The program that owns the store in [directory] and seems to be running; null if there is none. */
internal fun Shell.ownerAtWork(directory: Path): Owner? =
    (OwnerFile(store(), storeIn(directory).directory).read() as? OwnerNote.Known)?.atWork()

/** Whether the owner of the store in [directory] has not released it and does not seem to be running. */
internal fun Shell.isLeftByOwner(directory: Path): Boolean =
    OwnerFile(store(), directory).read() !is OwnerNote.None && ownerAtWork(directory) == null

/** Whether a program has ever owned the store in [directory]. */
internal fun Shell.hasLock(directory: Path): Boolean = store().exists(directory.resolve(SaveNames.LOCK))

/** The owner, if it seems to be running. */
internal fun OwnerNote.Known.atWork(): Owner? {
    val now = Instant.now()
    return owner.takeIf { it.isAtWork(Owner.here(now).host, now) }
}

/** Asks [owner] to change a save, and waits for the answer at most for [limit]. */
internal fun Shell.ask(
    owner: Owner,
    directory: Path,
    change: SaveChange,
    number: Int,
    limit: Duration,
): ChangeOutcome {
    val requests = OwnerRequests(store(), directory)
    val id = requests.ask(OwnerRequest(owner.identity, change, number))
    poll(limit) { requests.answer(id) }?.let { return it }
    if (requests.withdraw(id)) throw Refusal(unanswered(directory, owner, limit))
    return poll(limit) { requests.answer(id) }
        ?: throw Refusal(
            "$directory: its owner, $owner, has taken the request but not answered. Check the result with " +
                "'cairn ls $directory'.",
        )
}

private fun unanswered(directory: Path, owner: Owner, limit: Duration) =
    "$directory belongs to $owner, which did not answer the request within $limit, so nothing was changed. A " +
        "simulation answers between two of its steps, when no save is under way: try again with a longer --wait. A " +
        "program with a loop of its own answers in saveIfDue; if it does not call that, try again after it has ended."

/**
 * The result of [look], as soon as there is one; null if that takes longer than [limit]. The other side is another
 * process, perhaps on another host: only its files can be polled.
 */
internal fun <T : Any> poll(limit: Duration, look: () -> T?): T? {
    val start = TimeSource.Monotonic.markNow()
    var found = look()
    while (found == null && start.elapsedNow() < limit) {
        Thread.sleep(BETWEEN_LOOKS_MILLIS)
        found = look()
    }
    return found
}

private const val BETWEEN_LOOKS_MILLIS = 50L
