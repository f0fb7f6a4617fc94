package dev.cairn.store

import dev.cairn.event.CheckpointException
import dev.cairn.sion.failure.SionException
import java.io.EOFException
import java.io.IOException
import java.nio.file.NoSuchFileException

/**
 * The reason why a checkpoint cannot be restored now. It determines the action of a restart; only this type
 * distinguishes the causes.
 */
internal enum class Flaw {
    /** Its bytes or files are not those that were written: an older one is taken. */
    DAMAGED,

    /** Its manifest is missing, and its data are whole: an older one is taken, and the user may recover this one. */
    LOST,

    /** The disk returns errors for its bytes: an older one is taken, but this one does not count as damaged. */
    UNREADABLE,
    ;

    companion object {
        /** The flaw of the checkpoint behind a [failure] of a restore; null if the failure has another cause. */
        fun of(failure: Throwable): Flaw? =
            when (failure) {
                // With a reason it is about more than the files of one checkpoint, or about others.
                is CheckpointException.Unreadable -> UNREADABLE.takeIf { failure.reason == null }

                is CheckpointException.Damaged -> DAMAGED.takeIf { failure.reason == null }

                is SionException -> DAMAGED

                else -> null
            }

        /** The flaw behind a [failure] to read only the checkpoint's own files. */
        fun ofFiles(failure: IOException): Flaw =
            when (failure) {
                is SionException, is NoSuchFileException, is EOFException -> DAMAGED
                else -> UNREADABLE
            }
    }
}

/** Whether the manifest is of a format that only a newer version reads: the checkpoint may be good, so it is never passed over. */
internal val CheckpointException.isOfNewerFormat: Boolean get() = reason == CheckpointException.Reason.NEWER_FORMAT
