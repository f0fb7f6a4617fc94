package dev.cairn.cli

import dev.cairn.event.CheckpointException
import dev.cairn.event.sentence
import dev.cairn.item.RestartReads
import dev.cairn.options.recordedSettings
import dev.cairn.reading.StoredCheckpoint
import dev.cairn.report.EventHistory
import dev.cairn.report.StoreFacts
import dev.cairn.report.StoreUse
import dev.cairn.report.Table
import dev.cairn.store.OwnerFile
import dev.cairn.store.OwnerNote
import dev.cairn.store.SaveNames
import java.io.IOException
import java.nio.file.Path
import java.time.Instant

/**
 * What a report says of the store in [directory], made at the time that [now] tells. What cannot be read is left out, with a sentence
 * that says so. While a program saves, its events and its saves may be read at different times, so they are read again if the events
 * have changed meanwhile.
 */
internal fun Shell.factsOf(directory: Path, now: () -> Instant): StoreFacts {
    var facts = readFacts(directory, now)
    repeat(MOST_TRIES - 1) {
        if (facts.history.isThatOf(directory, this)) return facts
        facts = readFacts(directory, now)
    }
    return facts
}

private fun EventHistory.isThatOf(directory: Path, shell: Shell) =
    try {
        shell.eventsOf(directory).let {
            it.lines.size == lines.size &&
                it.lines.lastOrNull()?.time == lines.lastOrNull()?.time
        }
    } catch (_: IOException) {
        true // The facts tell why.
    }

private fun Shell.readFacts(directory: Path, now: () -> Instant): StoreFacts {
    val unknown = mutableListOf<String>()

    fun <T> unlessUnknown(substitute: T, read: () -> T): T =
        try {
            read()
        } catch (failure: CheckpointException) {
            substitute.also { unknown += failure.message.toString() }
        } catch (failure: IOException) {
            substitute.also { unknown += failure.sentence() }
        }

    val history = unlessUnknown(EventHistory(emptyList(), 0, isComplete = false)) { eventsOf(directory) }
    val checkpoints = checkpointsIn(directory)
    val saves = unlessUnknown(emptyList()) { checkpoints.saves() }
    val explanation = unlessUnknown(null) { explain(directory) }
    val goesOn = explanation?.restart == Restart.GO_ON
    val newest =
        if (goesOn) unlessUnknown(null) { checkpoints.openNewest().use { it.manifest to itemsOf(it) } } else null
    return StoreFacts(
        "$directory",
        now(),
        useOf(directory, unknown),
        history,
        explanation?.decision ?: "unknown",
        Table(ListedSave.HEAD, ListedSave.of(saves).map { it.cells() }),
        Table(ITEM_HEAD, newest?.second.orEmpty()),
        newest?.let { (manifest) -> recordedSettings(manifest.provenance) }.orEmpty(),
        unknown.distinct(),
    )
}

/** Adds a sentence to [unknown] if it cannot tell. */
private fun Shell.useOf(directory: Path, unknown: MutableList<String>): StoreUse {
    val note =
        try {
            OwnerFile(store(), storeIn(directory).directory).read()
        } catch (failure: IOException) {
            OwnerNote.Unreadable(failure.sentence())
        }
    return when (note) {
        OwnerNote.None -> StoreUse.None
        is OwnerNote.Known -> note.atWork()?.let { StoreUse.ByProcess(it.pid, it.host, it.since) } ?: StoreUse.None
        is OwnerNote.Unreadable -> StoreUse.Unknown.also { unknown += "whether a program runs: $directory has $note" }
    }
}

private fun Shell.eventsOf(directory: Path) =
    EventHistory.read(store(), directory.resolve(SaveNames.OLDER_EVENTS), directory.resolve(SaveNames.EVENTS))

/** What becomes of each item on one rank more than there were, which stands for any other number. */
private fun itemsOf(checkpoint: StoredCheckpoint): List<List<String>> {
    val rankCount = checkpoint.manifest.rankCount
    val reads = RestartReads(rankCount, rankCount + 1)
    return checkpoint.items.map { item ->
        listOf(item.name, item.kind, "${item.described.byteCount}", reads.plan(item).note)
    }
}

/** A store whose events never rest is shown as it is. */
private const val MOST_TRIES = 3

private val ITEM_HEAD = listOf("item", "kind", "bytes", "a restart on one rank more")
