package dev.cairn

import dev.cairn.event.CheckpointEvent.Restored
import dev.cairn.save.LoopPosition

/**
 * Where a loop of the program's own begins after a restore.
 *
 * @property restored the save; null if the restore has found none, and the program begins anew
 * @property isFinished whether the program had ended its loop there
 */
internal class LoopStart(val restored: Restored?, val isFinished: Boolean) {
    val step: Long = restored?.step ?: 0
    val phase: String = restored?.phase.orEmpty()

    fun isAt(position: LoopPosition): Boolean = step == position.step && phase == position.phase
}
