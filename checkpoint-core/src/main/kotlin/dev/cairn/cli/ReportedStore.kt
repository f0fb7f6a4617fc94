package dev.cairn.cli

import dev.cairn.config.recordedSettings
import dev.cairn.event.EventHistory
import dev.cairn.failure.CheckpointException
import dev.cairn.failure.sentence
import dev.cairn.item.RestartReads
import dev.cairn.report.StoreFacts
import dev.cairn.report.Table
import dev.cairn.sion.cli.Shell
import dev.cairn.store.Manifest
import dev.cairn.store.SaveNames
import java.io.IOException
import java.nio.file.Path
import java.time.Instant

/** What a report says of the store in [directory], made at [now]. What cannot be read is left out, with a sentence that says so. */
internal fun Shell.factsOf(
    directory: Path,
    now: Instant,
): StoreFacts {
    val unknown = mutableListOf<String>()

    fun <T> unlessUnknown(
        substitute: T,
        read: () -> T,
    ): T =
        try {
            read()
        } catch (failure: CheckpointException) {
            substitute.also { unknown += failure.message.toString() }
        } catch (failure: IOException) {
            substitute.also { unknown += failure.sentence() }
        }

    val checkpoints = checkpointsIn(directory)
    val saves = unlessUnknown(emptyList()) { checkpoints.saves() }
    val explanation = unlessUnknown(null) { explain(directory) }
    val goesOn = explanation?.restart == Restart.GO_ON
    val newest = if (goesOn) unlessUnknown(null) { checkpoints.candidate(null).manifest } else null
    return StoreFacts(
        "$directory",
        now,
        ownerAtWork(directory)?.let { "process ${it.pid} on ${it.host}" },
        unlessUnknown(EventHistory(emptyList(), 0, isComplete = false)) { eventsOf(directory) },
        explanation?.decision ?: "unknown",
        Table(ListedSave.HEAD, ListedSave.of(saves).map { it.cells() }),
        Table(ITEM_HEAD, newest?.let { unlessUnknown(emptyList()) { itemsOf(directory, it) } }.orEmpty()),
        newest?.let { recordedSettings(it.provenance) }.orEmpty(),
        unknown.distinct(),
    )
}

private fun Shell.eventsOf(directory: Path) =
    EventHistory.read(store(), directory.resolve(SaveNames.OLDER_EVENTS), directory.resolve(SaveNames.EVENTS))

/** What becomes of each item on one rank more than there were, which stands for any other number. */
private fun Shell.itemsOf(
    directory: Path,
    manifest: Manifest,
): List<List<String>> =
    checkpointsIn(directory).open(manifest.save).use { checkpoint ->
        val reads = RestartReads(manifest.rankCount, manifest.rankCount + 1)
        checkpoint.items.map { item ->
            listOf(item.name, item.kind, "${item.described.byteCount}", reads.plan(item).note)
        }
    }

private val ITEM_HEAD = listOf("item", "kind", "bytes", "a restart on one rank more")
