package dev.cairn.store

import dev.cairn.event.CheckpointException
import dev.cairn.event.sentence
import kotlinx.serialization.Serializable
import java.io.IOException

/** A change of one save that a user may request. */
@Serializable
internal enum class SaveChange { PIN, UNPIN, REMOVE }

/** The outcome of a change, with a sentence for the user. */
@Serializable
internal class ChangeOutcome(val isDone: Boolean, val sentence: String)

/** Carries out [change] on the save [number]; an obstacle becomes a sentence. */
internal fun OwnedStore.carryOut(change: SaveChange, number: Int): ChangeOutcome =
    outcome {
        when (change) {
            SaveChange.PIN -> {
                store.save(number).let { pin(it).run { ChangeOutcome(true, "${it.path}: pinned") } }
            }

            SaveChange.UNPIN -> {
                store
                    .save(
                        number,
                    ).let { unpin(it).run { ChangeOutcome(true, "${it.path}: no longer pinned") } }
            }

            SaveChange.REMOVE -> {
                removeUnlessPinned(store.removable(number))
            }
        }
    }

/** The obstacle to [change] on the save [number], as a sentence; null if there is none. Makes no change. */
internal fun CheckpointStore.obstacleTo(change: SaveChange, number: Int): String? {
    val outcome =
        outcome {
            when (change) {
                SaveChange.PIN, SaveChange.UNPIN -> ChangeOutcome(true, "${save(number).path}: there")
                SaveChange.REMOVE -> removable(number).run { refusalToRemove() ?: ChangeOutcome(true, "$path: there") }
            }
        }
    return outcome.sentence.takeUnless { outcome.isDone }
}

/** The outcome of [work]; an exception becomes a sentence. */
private inline fun outcome(work: () -> ChangeOutcome): ChangeOutcome =
    try {
        work()
    } catch (refused: CheckpointException) {
        ChangeOutcome(false, refused.message.toString())
    } catch (failure: IOException) {
        ChangeOutcome(false, failure.sentence())
    }

private fun Entry.Numbered.refusalToRemove(): ChangeOutcome? =
    if (isPinned) {
        ChangeOutcome(false, "$path is pinned and was not deleted. Unpin it first.")
    } else {
        null
    }

/** Data without a manifest are deleted only on a user's request, and so are those that only hosts have. */
private fun CheckpointStore.removable(number: Int): Entry.Numbered =
    numbered(number).let { if (it is Entry.Lost || it is Entry.Sealed) it else save(number) }

private fun OwnedStore.removeUnlessPinned(save: Entry.Numbered): ChangeOutcome {
    save.refusalToRemove()?.let { return it }
    val left = remove(save).left
    return if (left.isEmpty()) ChangeOutcome(true, deleted(save)) else ChangeOutcome(false, left[0].reason)
}

private fun deleted(save: Entry.Numbered) =
    "${save.path}: deleted" +
        if (save is Entry.Sealed) {
            ". It was complete on its hosts, and no restart takes it from there any more; the next start or " +
                "'cairn drain' on each host deletes what that has of it."
        } else {
            ""
        }
