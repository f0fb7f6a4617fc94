package dev.cairn.run

import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.event.CheckpointException.Mismatch
import dev.cairn.item.notFitting
import dev.cairn.save.LoopPosition
import java.nio.file.Path

/**
 * The loops that a program has begun, by their phases, in order. Each has a phase of its own, and begins when the one before it has
 * ended: otherwise the position in a checkpoint would be ambiguous.
 */
internal class Loops {
    private val phases = linkedSetOf<String>()
    private var latest: LoopProgress? = null

    /** The step whose body is running; null if there is none. */
    val unfinishedStep: Long? get() = latest?.stepUnderWay

    /** The steps of the latest loop that are done; null if there is none. */
    val stepCount: Long? get() = latest?.stepCount

    /** The phases of the loops before the one that is under way. */
    val phasesBefore: List<String> get() = phases.toList().dropLast(1)

    /** The program begins the loop of [phase], whose state is in [progress]. */
    fun begin(phase: String, progress: LoopProgress) {
        unfinishedStep?.let { throw loopRefused(phase, within(phase, phases.last(), it)) }
        if (!phases.add(phase)) throw loopRefused(phase, twice(phase))
        latest = progress
    }

    /**
     * Refuses the loop that has just begun if the program that made [save] had another one there: the loop must neither be skipped
     * as finished nor run again. A [position] without the phases before it is accepted.
     */
    fun requireLeadingTo(position: LoopPosition, save: Int) {
        val before = position.phasesBefore ?: return
        val expected = (before + position.phase)[phases.size - 1]
        val found = phases.last()
        if (found != expected) throw notFitting(position.phase, instead(save, position.phase, expected, found))
    }

    /** Refuses a program that calls `hasFinished` where no loop can have ended: before the first one, or within a step. */
    fun requireAfterLoop() {
        val phase = phases.lastOrNull() ?: error(BEFORE_LOOPS)
        unfinishedStep?.let { throw loopRefused(phase, unfinished(phase, it)) }
    }

    /** The program has ended without reaching the [phase] of [save]. */
    fun missing(save: Int, phase: String) =
        notFitting(
            phase,
            "save $save was made in ${loopOf(phase)}, but the program has not reached such a loop, so its work after " +
                "its loops does not belong to that state. $SAME_LOOPS",
        )

    /** The program has ended without any loop, and so without restoring [save]. */
    fun unused(directory: Path, save: Int) =
        Mismatch(
            Details(
                "$directory: save $save is there, but the program has not reached any loop, where it would restore a " +
                    "checkpoint, so its work does not belong to that state. $SAME_LOOPS",
            ),
        )

    /** The loop of [phase] begins at a point to which a restart could not return. */
    private fun loopRefused(phase: String, reason: String) = InvalidDeclaration(Details(reason, listOf(phase)))

    private fun twice(phase: String) =
        loopOf(phase) +
            " begins a second time, so a restart could not distinguish the two. Give each loop " +
            "a phase of its own: steps(until = …, phase = \"…\"). If the first one keeps its phase, its checkpoints " +
            "still fit."

    private fun within(phase: String, outer: String, step: Long) =
        "${loopOf(phase)} begins in the middle of step $step of ${loopOf(outer)}, and a restart could not return to " +
            "that point. Make the inner loop an ordinary one. To end a loop early, call finish() of its steps " +
            "instead of leaving it by break or return."

    private fun unfinished(phase: String, step: Long) =
        "${loopOf(phase)} is not over: step $step has begun and not ended, so there is no result yet. Call " +
            "finished { … } or hasFinished() after the loop. To end a loop early, call finish() of its steps instead " +
            "of leaving it by break."

    private fun instead(save: Int, phase: String, expected: String, found: String) =
        "save $save was made in ${loopOf(phase)}, but this program has ${loopOf(found)} where that one had " +
            "${loopOf(expected)}. No step was done. $SAME_LOOPS"

    private companion object {
        const val BEFORE_LOOPS =
            "no loop has begun yet, so none is over: call finished { … } or hasFinished() after a loop of steps()"
        const val SAME_LOOPS =
            "Give the program the same loops as before, in the same order and with the same phases (loops that had " +
                "ended are skipped), or start from the beginning: in another directory, or with the setting " +
                "fresh = true."
    }
}

/** The name of the loop of [phase] in messages. */
internal fun loopOf(phase: String): String =
    if (phase.isEmpty()) "the loop without a phase" else "the loop of the phase '$phase'"

/** The steps of a loop, as far as they are done. */
internal interface LoopProgress {
    /** The step whose body is running; null if there is none. */
    val stepUnderWay: Long?

    /** The steps that are done, also those before a restore; null if the loop has not begun. */
    val stepCount: Long?
}
