package dev.cairn.store

import dev.cairn.failure.CheckpointException
import dev.cairn.failure.sentence
import kotlinx.serialization.Serializable
import java.io.IOException

/** What a person may have done to one save. */
@Serializable
internal enum class SaveChange { PIN, UNPIN, REMOVE }

/** How a change ended, and what a person reads of it. */
@Serializable
internal class ChangeOutcome(
    val isDone: Boolean,
    val sentence: String,
)

/** Carries [change] out on the save [number]; what stands in the way becomes a sentence. */
internal fun OwnedStore.carryOut(
    change: SaveChange,
    number: Int,
): ChangeOutcome =
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

/** What stands in the way of [change] on the save [number], in a sentence; null if nothing does. Changes nothing. */
internal fun CheckpointStore.obstacleTo(
    change: SaveChange,
    number: Int,
): String? {
    val outcome =
        outcome {
            when (change) {
                SaveChange.PIN, SaveChange.UNPIN -> ChangeOutcome(true, "${save(number).path}: there")
                SaveChange.REMOVE -> removable(number).run { refusalToRemove() ?: ChangeOutcome(true, "$path: there") }
            }
        }
    return outcome.sentence.takeUnless { outcome.isDone }
}

/** What [work] comes to; an exception becomes a sentence. */
private inline fun outcome(work: () -> ChangeOutcome): ChangeOutcome =
    try {
        work()
    } catch (refused: CheckpointException) {
        ChangeOutcome(false, refused.message.toString())
    } catch (failure: IOException) {
        ChangeOutcome(false, failure.sentence())
    }

private fun Entry.Numbered.refusalToRemove(): ChangeOutcome? =
    if (this is Entry.Save && isPinned) {
        ChangeOutcome(false, "$path is pinned, and not deleted. Unpin it first.")
    } else {
        null
    }

/** Data without a manifest are deleted only on a user's request. */
private fun CheckpointStore.removable(number: Int): Entry.Numbered =
    numbered(number).let { if (it is Entry.Lost) it else save(number) }

private fun OwnedStore.removeUnlessPinned(save: Entry.Numbered): ChangeOutcome {
    save.refusalToRemove()?.let { return it }
    val left = remove(save).left
    return if (left.isEmpty()) ChangeOutcome(true, "${save.path}: deleted") else ChangeOutcome(false, left[0].reason)
}
