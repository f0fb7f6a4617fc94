package dev.cairn.reading

import dev.cairn.CheckpointException
import dev.cairn.sion.Content
import dev.cairn.sion.RecordView
import dev.cairn.sion.SionException
import dev.cairn.sion.store.BlockStore
import dev.cairn.state.TableOfContents
import dev.cairn.store.Candidate
import java.io.IOException
import java.nio.ByteBuffer

/**
 * Reads every byte of a checkpoint, and compares them with all that its manifest and its tables say.
 *
 * @return a sentence for everything that is wrong, at most one for each rank and each item
 */
internal fun BlockStore.verify(candidate: Candidate): List<String> =
    try {
        StoredCheckpoint.open(this, candidate).use { checkpoint ->
            checkpoint.contents.tables.mapNotNull { flaw { checkpoint.requireOwnTable(it) } } +
                checkpoint.items.mapNotNull { flaw { checkpoint.requireWhole(it) } }
        }
    } catch (damaged: CheckpointException) {
        listOf(damaged.message.toString())
    } catch (unreadable: IOException) {
        listOf(sentence(unreadable))
    }

private inline fun flaw(check: () -> Unit): String? =
    try {
        check()
        null
    } catch (damaged: CheckpointException) {
        damaged.message.toString()
    } catch (unreadable: IOException) {
        sentence(unreadable)
    }

/** The words of the operating system's failures do not say what they are. */
private fun sentence(failure: IOException): String =
    if (failure is SionException) failure.message.toString() else failure.toString()

/** What a rank wrote at the end of its stream must be what the index says of it, and so must be its records. */
private fun StoredCheckpoint.requireOwnTable(table: TableOfContents) {
    val expected = table.encode()
    val records = recordsOf(table.rank)
    val lengths = table.entries.filter { it.size > 0 }.map { it.key.toLong() to it.size }
    // A stream is written in several records of one key.
    val found = records.entries().groupBy { it.key }.map { (key, parts) -> key to parts.sumOf { it.length } }
    if (found != lengths + (TableOfContents.KEY to expected.remaining().toLong())) {
        throw CheckpointException.StrayTable(candidate.data, table.rank, "their keys or lengths are others")
    }
    val own = ByteBuffer.allocate(expected.remaining())
    records.read(TableOfContents.KEY, 0, own)
    if (own.flip() != expected) {
        throw CheckpointException.StrayTable(candidate.data, table.rank, "their table of contents is another one")
    }
}

private fun StoredCheckpoint.recordsOf(rank: Int): RecordView {
    if (view.info().content() != Content.RECORDS) {
        throw CheckpointException.StrayTable(candidate.data, rank, "the multifile says that it holds none")
    }
    return view.task(rank).records()
}

private fun StoredCheckpoint.requireWhole(item: StoredItem) {
    if (item is StoredField) requireTiled(item)
    val expected = "${item.described.elementCount} elements in ${item.described.byteCount} bytes"
    val found = "${item.elementCount()} elements in ${item.byteCount()} bytes"
    if (found != expected) {
        throw CheckpointException.WrongCount(candidate.data, item.name, expected, found)
    }
    val digest = item.digest()?.toString() ?: return
    if (digest != item.described.digest) {
        throw CheckpointException.WrongDigest(candidate.data, item.name, item.described.digest, digest)
    }
}

private fun StoredCheckpoint.requireTiled(field: StoredField) {
    val boxes = contents.tables.map { it.entry(field.key)?.boxes.orEmpty() }
    field.coverage.requireTiled(field.name, field.shape, boxes, "${candidate.data}: ")
}
