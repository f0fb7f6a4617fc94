package dev.cairn.options

import dev.cairn.event.SaveOutcome

/**
 * How long a save blocks the program. [dev.cairn.Checkpoints.save] always waits until it is committed, and so does the last save
 * of a loop.
 * An option, the same on all ranks.
 */
public enum class Wait {
    /**
     * Until the state is copied in the memory of its process; the data are written while the program goes on. Until the save is
     * [committed][dev.cairn.event.SaveOutcome.Saved], it survives the failure of nothing: a restart continues from the save before it.
     */
    COPIED,

    /**
     * Until all data are complete and forced on the disks of the hosts, below the directory that the option `local` names, and the
     * save is [sealed][dev.cairn.event.SaveOutcome.UnderWay]: it survives the death of all processes, but not the loss of a host.
     */
    LOCAL,

    /** Until the save is committed, in the store that all ranks share. */
    COMMITTED,
}

/**
 * What a restart does with a save that is complete on the disks of hosts of which it cannot reach all.
 * An option, the same on all ranks.
 */
public enum class LostLocal {
    /** It is refused, and the save stays for a start on these hosts. */
    REFUSE,

    /** The save is given up for good, and the restart continues from the checkpoint before. */
    GO_ON,
}

/**
 * What a program does that saves while the save before is still being written. [SaveOutcome.Skipped] tells of a save that it skips.
 * An option, the same on all ranks.
 */
public enum class WhenBusy {
    /** It waits until that save has ended. */
    WAIT,

    /** It goes on without this save. */
    SKIP,
}
