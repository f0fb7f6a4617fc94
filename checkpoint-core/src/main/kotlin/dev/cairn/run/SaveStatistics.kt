package dev.cairn.run

import dev.cairn.event.CheckpointEvent.Restored
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.event.sizeText

/** Counts how the saves of a program ended. */
internal class SaveStatistics {
    private var committedCount = 0
    private var byteCount = 0L
    private var skippedCount = 0
    private var failedCount = 0
    private var supersededCount = 0
    private var lastTrouble: SaveOutcome? = null
    private var newest: Pair<Int, Long>? = null
    private var sealed: SaveOutcome.Sealed? = null

    /** The last outcome; null if there was no save. */
    var last: SaveOutcome? = null
        private set

    /** The checkpoint from which a restart would continue now, unless others have removed it; null if that is no checkpoint. */
    val returnsTo: Int? get() = if (sealed == null) newest?.first else null

    /** Whether a save of this program is committed. */
    val hasCommitted: Boolean get() = committedCount > 0

    val hasTrouble: Boolean get() = lastTrouble != null

    /** The save from which a restart would continue now, in words. */
    val wayBack: String
        get() =
            sealed?.let {
                "a restart continues from save ${it.number}, step ${it.step}, if it reaches the disks of its hosts"
            }
                ?: newest?.let { (number, step) -> "a restart continues from save $number, step $step" }
                ?: NO_WAY_BACK

    /** Whether [outcome] needs attention: a save without a number was skipped as the options say. */
    fun isTrouble(outcome: SaveOutcome): Boolean =
        outcome is SaveOutcome.Failed || (outcome is SaveOutcome.Skipped && outcome.number != null)

    fun add(outcome: SaveOutcome) {
        if (outcome !is SaveOutcome.Superseded) last = outcome
        when (outcome) {
            is Saved -> {
                committedCount++
                byteCount += outcome.byteCount
                newest = outcome.number to outcome.step
                if (sealed.let { it != null && it.number <= outcome.number }) sealed = null
            }

            is SaveOutcome.Copied -> {
                // A save counts when it has ended.
            }

            is SaveOutcome.Sealed -> {
                sealed = outcome
            }

            is SaveOutcome.Superseded -> {
                supersededCount++
            }

            is SaveOutcome.Skipped -> {
                skippedCount++
                if (isTrouble(outcome)) lastTrouble = outcome
            }

            is SaveOutcome.Failed -> {
                failedCount++
                lastTrouble = outcome
            }
        }
    }

    /** No restart completes the sealed save [number] any more. */
    fun lost(number: Int) {
        if (sealed?.number == number) sealed = null
    }

    fun add(restored: Restored) {
        newest = restored.number to restored.step
    }

    override fun toString(): String {
        val saves = if (committedCount == 1) "save" else "saves"
        val committed = "$committedCount $saves committed (${sizeText(byteCount)})"
        val superseded = if (supersededCount == 0) "" else "$supersededCount superseded, "
        val counts = "$committed, $superseded$skippedCount skipped, $failedCount failed"
        return counts + (lastTrouble?.let { "; the last one of these: $it" } ?: "")
    }

    private companion object {
        const val NO_WAY_BACK = "there is no checkpoint of this run yet"
    }
}
