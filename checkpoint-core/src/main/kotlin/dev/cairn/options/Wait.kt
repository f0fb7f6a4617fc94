package dev.cairn.options

import dev.cairn.event.SaveOutcome

/**
 * How long a save keeps the program. [dev.cairn.Checkpoints.save] always waits until it is committed, and so does the last save
 * of a loop.
 */
public enum class Wait {
    /**
     * Until the state is copied in the memory of its process; the data are written while the program goes on. Until the save is
     * [committed][dev.cairn.event.Saved], it survives the failure of nothing: a restart continues from the save before it.
     */
    COPIED,

    /** Until the save is committed, in the store that all ranks share. */
    COMMITTED,
}

/** What a program does that saves while the save before is still being written. [SaveOutcome.Skipped] tells of a save that it skips. */
public enum class WhenBusy {
    /** It waits until that save has ended. */
    WAIT,

    /** It goes on without this save. */
    SKIP,
}
