package dev.cairn.save

import dev.cairn.event.CHECKPOINTS_LOGGER
import dev.cairn.options.Wait
import dev.cairn.store.Manifest
import dev.cairn.store.SaveDirectory
import java.lang.System.Logger.Level.WARNING
import kotlin.time.TimeMark

/**
 * A save to which rank 0 has given a number, at this [position] of the program.
 *
 * @param ownWait the wait of this rank
 * @property begin the time of the program's call
 * @property directory only on the rank that owns the store
 * @property manifestOf the manifest of the written state, on the rank that owns the store
 */
internal class NumberedSave(
    private val agreed: AgreedSave,
    private val ownWait: Wait,
    val position: LoopPosition,
    val begin: TimeMark,
    val directory: SaveDirectory?,
    val manifestOf: (WrittenState) -> Manifest,
) {
    val number: Int get() = agreed.number

    /** The wait of rank 0, so that all ranks make the same calls until a rank with another wait is refused. */
    val wait: Wait get() = agreed.wait

    /** The earlier saves that hosts still keep. */
    val sealedBefore: List<Int> get() = agreed.sealed

    /** Its directory, on the rank that owns the store. */
    val inStore: SaveDirectory
        get() = checkNotNull(directory) { "only the rank that owns the store has the directory of save $number" }

    /** Throws on a [rank] with another save than that of rank 0. */
    fun requireAgreed(rank: Int) = agreed.requireSame(rank, position, ownWait)
}

/** Deletes the data of a save that ended with [failure], unless the save is committed or sealed. */
internal fun SaveDirectory.abandonAfter(failure: Exception) {
    if (!isUnderWay) return
    if (isSealed) return leaveSealed()
    try {
        abandon(failure.message ?: failure.toString())
    } catch (another: Exception) {
        failure.addSuppressed(another)
        if (mayBeCheckpoint) LOG.log(WARNING, "$path: $MAY_BE_CHECKPOINT: ${another.message ?: another}")
    }
}

private const val MAY_BE_CHECKPOINT =
    "the save failed, but its manifest may be there and could not be withdrawn, so a restart may continue from it"

private val LOG: System.Logger = System.getLogger(CHECKPOINTS_LOGGER)
