package dev.cairn.reading

import dev.cairn.event.CheckpointException
import dev.cairn.event.sentence
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.Candidate
import java.io.IOException

/**
 * Reads all bytes of a checkpoint, and compares them with its manifest and its tables.
 *
 * @return a sentence for each error, at most one for each rank and each item
 */
internal fun BlockStore.verify(candidate: Candidate): List<String> =
    buildList {
        note {
            openCheckpoint(candidate).use { checkpoint ->
                repeat(candidate.manifest.rankCount) { rank -> note { checkpoint.state.requireRecords(rank) } }
                checkpoint.items.forEach { note { it.requireWhole() } }
            }
        }
    }

/**
 * Reads the same data as a restart, and fails at the first error. A restart reads the tables of contents in the index, and not
 * those in the ranks' streams.
 */
internal fun BlockStore.requireRestorable(candidate: Candidate) =
    openCheckpoint(candidate).use { checkpoint -> checkpoint.items.forEach { it.requireWhole() } }

/** Adds the sentence about an error that [check] finds. */
private inline fun MutableList<String>.note(check: () -> Unit) {
    try {
        check()
    } catch (damaged: CheckpointException) {
        add(damaged.message.toString())
    } catch (unreadable: IOException) {
        add(unreadable.sentence())
    }
}

private fun StoredItem.requireWhole() {
    if (this is StoredField) requireTiled()
    requireCounts()
    digest()?.let(::requireDigest)
}
