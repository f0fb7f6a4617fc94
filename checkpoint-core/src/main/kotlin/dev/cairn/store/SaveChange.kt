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
        val save = store.save(number)
        when (change) {
            SaveChange.PIN -> pin(save).let { ChangeOutcome(true, "${save.path}: pinned") }
            SaveChange.UNPIN -> unpin(save).let { ChangeOutcome(true, "${save.path}: no longer pinned") }
            SaveChange.REMOVE -> removeUnlessPinned(save)
        }
    } catch (refused: CheckpointException) {
        ChangeOutcome(false, refused.message.toString())
    } catch (failure: IOException) {
        ChangeOutcome(false, failure.sentence())
    }

private fun OwnedStore.removeUnlessPinned(save: Entry.Save): ChangeOutcome {
    if (save.isPinned) return ChangeOutcome(false, "${save.path} is pinned, and not deleted. Unpin it first.")
    val left = remove(save).left
    return if (left.isEmpty()) ChangeOutcome(true, "${save.path}: deleted") else ChangeOutcome(false, left[0].reason)
}
