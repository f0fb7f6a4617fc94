package dev.cairn.store

import dev.cairn.failure.CheckpointException
import dev.cairn.sion.failure.SionException
import java.io.EOFException
import java.io.IOException
import java.nio.file.NoSuchFileException

/** Why a checkpoint cannot be restored now. What a restart does follows from it; this is the one place where causes are told apart. */
internal enum class Flaw {
    /** Its bytes or files are not those that were written: an older one is taken. */
    DAMAGED,

    /** Its manifest is gone, and its data are whole: an older one is taken, and a person may recover this one. */
    LOST,

    /** The disk returns errors for its bytes: an older one is taken, but this one does not count as damaged. */
    UNREADABLE,
    ;

    companion object {
        /** What a [failure] while the ranks restore says of the checkpoint; null if it is no fault of the checkpoint. */
        fun of(failure: Throwable): Flaw? =
            when (failure) {
                is CheckpointException.UnreadableData -> UNREADABLE
                is CheckpointException -> if (failure.isOfCheckpoint) DAMAGED else null
                is SionException -> DAMAGED
                else -> null
            }

        /** What a [failure] to look at nothing but the checkpoint's own files says of it. */
        fun ofFiles(failure: IOException): Flaw =
            when (failure) {
                is KnownFlaw -> failure.flaw
                is SionException, is NoSuchFileException, is EOFException -> DAMAGED
                else -> UNREADABLE
            }
    }
}

/** A checkpoint that was found not to be good before, for a reason that was given then. */
internal class KnownFlaw(
    val flaw: Flaw,
    reason: String,
) : IOException(reason)

private val CheckpointException.isOfCheckpoint: Boolean
    get() =
        when (this) {
            is CheckpointException.DamagedManifest,
            is CheckpointException.MisplacedSave,
            is CheckpointException.WrongContents,
            is CheckpointException.WrongCopy,
            is CheckpointException.DamagedContents,
            is CheckpointException.WrongTaskCount,
            is CheckpointException.DamagedFrame,
            is CheckpointException.StrayTable,
            is CheckpointException.WrongCount,
            is CheckpointException.WrongDigest,
            is CheckpointException.MissingData,
            -> true

            else -> false
        }
