package dev.cairn.reading

import dev.cairn.checkpoint.TableOfContents
import dev.cairn.checkpoint.requireRecords
import dev.cairn.checkpoint.strayTable
import dev.cairn.event.CheckpointException
import dev.cairn.event.sentence
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.Candidate
import java.io.IOException
import java.nio.ByteBuffer

/**
 * Reads all bytes of a checkpoint, and compares them with its manifest and its tables.
 *
 * @return a sentence for each error, at most one for each rank and each item
 */
internal fun BlockStore.verify(candidate: Candidate): List<String> =
    flawsOf(candidate).map { if (it is IOException) it.sentence() else it.message.toString() }

/**
 * Reads the same data as a restart, and fails at the first error. A restart reads the tables of contents in the index, and not
 * those in the ranks' streams.
 */
internal fun BlockStore.requireRestorable(candidate: Candidate) =
    openCheckpoint(candidate).use { checkpoint -> checkpoint.items.forEach { it.requireWhole() } }

private fun BlockStore.flawsOf(candidate: Candidate): List<Exception> =
    try {
        openCheckpoint(candidate).use { checkpoint ->
            checkpoint.contents.tables.mapNotNull { flaw { checkpoint.requireOwnTable(it) } } +
                checkpoint.items.mapNotNull { flaw { it.requireWhole() } }
        }
    } catch (damaged: CheckpointException) {
        listOf(damaged)
    } catch (unreadable: IOException) {
        listOf(unreadable)
    }

private inline fun flaw(check: () -> Unit): Exception? =
    try {
        check()
        null
    } catch (damaged: CheckpointException) {
        damaged
    } catch (unreadable: IOException) {
        unreadable
    }

/** The table at the end of a rank's stream must be that of the index, and its records must match it. */
private fun StoredCheckpoint.requireOwnTable(table: TableOfContents) {
    view.requireRecords(table.rank, table, candidate.data)
    val expected = table.encode()
    val own = ByteBuffer.allocate(expected.remaining())
    view.task(table.rank).records().read(TableOfContents.KEY, 0, own)
    if (own.flip() != expected) {
        throw strayTable(candidate.data, table.rank, "their table of contents differs")
    }
}

private fun StoredItem.requireWhole() {
    if (this is StoredField) requireTiled()
    requireCounts()
    digest()?.let(::requireDigest)
}
