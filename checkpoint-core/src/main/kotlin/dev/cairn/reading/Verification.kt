package dev.cairn.reading

import dev.cairn.contents.TableOfContents
import dev.cairn.contents.TableOfContents.Companion.RECORD_HEADER
import dev.cairn.failure.CheckpointException
import dev.cairn.failure.sentence
import dev.cairn.sion.Content
import dev.cairn.sion.RecordView
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
    val expected = table.encode()
    val records = recordsOf(table.rank)
    val lengths = table.entries.filter { it.size > 0 }.map { it.key.toLong() to it.size }
    // A stream is written in several records of one key.
    val found = records.entries().groupBy { it.key }.map { (key, parts) -> key to parts.sumOf { it.length } }
    if (found != lengths + (TableOfContents.KEY to expected.remaining().toLong())) {
        throw CheckpointException.StrayTable(candidate.data, table.rank, "their keys or lengths differ")
    }
    requireSize(table, expected.remaining())
    val own = ByteBuffer.allocate(expected.remaining())
    records.read(TableOfContents.KEY, 0, own)
    if (own.flip() != expected) {
        throw CheckpointException.StrayTable(candidate.data, table.rank, "their table of contents differs")
    }
}

/** Zeros behind the last record are read as empty records with the table's key, so only the size reveals a longer stream. */
private fun StoredCheckpoint.requireSize(
    table: TableOfContents,
    tableSize: Int,
) {
    val expected = table.entries.sumOf { it.storedSize } + RECORD_HEADER + tableSize
    val found = view.task(table.rank).size()
    if (found == expected) return
    throw CheckpointException.StrayTable(candidate.data, table.rank, "they take $found bytes, not $expected")
}

private fun StoredCheckpoint.recordsOf(rank: Int): RecordView {
    if (view.info().content() != Content.RECORDS) {
        throw CheckpointException.StrayTable(candidate.data, rank, "the multifile declares that it holds none")
    }
    return view.task(rank).records()
}

private fun StoredItem.requireWhole() {
    if (this is StoredField) requireTiled()
    requireCounts()
    digest()?.let(::requireDigest)
}
