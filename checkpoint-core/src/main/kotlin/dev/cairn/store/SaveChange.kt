package dev.cairn.store

import dev.cairn.CheckpointException
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
    try {
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
    } catch (refused: CheckpointException) {
        ChangeOutcome(false, refused.message.toString())
    } catch (failure: IOException) {
        ChangeOutcome(false, failure.sentence())
    }

/** Nobody but a person deletes data that have lost their manifest. */
private fun CheckpointStore.removable(number: Int): Entry.Numbered =
    numbered(number).let { if (it is Entry.Lost) it else save(number) }

private fun OwnedStore.removeUnlessPinned(save: Entry.Numbered): ChangeOutcome {
    if (save is Entry.Save &&
        save.isPinned
    ) {
        return ChangeOutcome(false, "${save.path} is pinned, and not deleted. Unpin it first.")
    }
    val left = remove(save).left
    return if (left.isEmpty()) ChangeOutcome(true, "${save.path}: deleted") else ChangeOutcome(false, left[0].reason)
}
