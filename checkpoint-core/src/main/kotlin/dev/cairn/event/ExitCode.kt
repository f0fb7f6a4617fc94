package dev.cairn.event

/** The end of the process of a [dev.cairn.simulation]; the same on all ranks. */
public enum class ExitCode(
    /** The exit status of the process. */
    public val number: Int,
) {
    /** All steps were done. */
    FINISHED(0),

    /** The program was not run: the command line requested the list of options, which was printed. */
    EXPLAINED(0),

    /** The arguments or the checkpoint do not fit the program, or it declares its state wrongly or differently on its ranks. */
    REFUSED(64),

    /**
     * There are checkpoints, but no good one; or one turned out damaged after some of it had been restored; or the newest is on the
     * disks of hosts that cannot be reached.
     */
    DAMAGED(65),

    /** The checkpoints, or an output, cannot be read now; no damage was found. */
    UNREADABLE(66),

    /**
     * The program ended, but its last save failed, or an output could not be completed: the work since the last
     * checkpoint is lost, and a restart repeats it. Or there was no room on the disk at the start.
     */
    UNSAVED(74),

    /** The state was saved, and steps are left: start again to continue. */
    UNFINISHED(75),
}
