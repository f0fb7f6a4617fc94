package dev.cairn.save

import dev.cairn.event.RankDiffersException
import dev.cairn.options.Wait
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.MessageFields
import dev.cairn.ranks.NUMBER
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.choice
import dev.cairn.ranks.decide
import dev.cairn.ranks.flag
import dev.cairn.ranks.text
import dev.cairn.store.SaveDirectory

/**
 * The save on which rank 0 has decided, and which it has sent to all ranks.
 *
 * @property sealed the earlier saves that hosts still keep
 */
internal class AgreedSave(val number: Int, val position: LoopPosition, val wait: Wait, val sealed: List<Int>) {
    /** Throws on a [rank] with another position or another wait. */
    fun requireSame(rank: Int, position: LoopPosition, wait: Wait) {
        if (position != this.position.copy(phasesBefore = position.phasesBefore)) {
            throw RankDiffersException(
                rank,
                "saves $position",
                "rank $ROOT saves ${this.position}",
                "Nothing was saved: all ranks must save the same step in the same phase.",
            )
        }
        if (wait != this.wait) {
            throw RankDiffersException(
                rank,
                "saves $position and waits until that is ${wait.inWords}",
                "rank $ROOT until it is ${this.wait.inWords}",
                "Nothing was saved: all ranks must call the same function, save or saveAsync.",
            )
        }
    }

    private val Wait.inWords: String
        get() =
            when (this) {
                Wait.COPIED -> "copied"
                Wait.LOCAL -> "on the disks of the hosts"
                Wait.COMMITTED -> "committed"
            }
}

/** Collective: rank 0 calls [begin], which gives the save a number, and sends the save to all ranks. */
internal suspend fun Communicator.agreeOnSave(
    position: LoopPosition,
    wait: Wait,
    begin: suspend () -> SaveDirectory,
): AgreedSave =
    decide("begin a save", AGREED_SAVE) {
        position.requireListable()
        val begun = begin()
        AgreedSave(begun.number, position, wait, begun.sealedBefore)
    }

private val AGREED_SAVE =
    MessageFields("the save of rank 0", AgreedSave(0, LoopPosition(0, ""), Wait.COMMITTED, emptyList())) { save ->
        val (step, phase, isFinished) = save.position
        AgreedSave(
            u32(save.number),
            LoopPosition(u64(step), text(phase), flag(isFinished)),
            choice(Wait.entries, save.wait),
            list(save.sealed, NUMBER),
        )
    }
