package dev.cairn.event

/** How the process of a [dev.cairn.simulation] ends. */
public enum class ExitCode(
    /** What the shell sees. */
    public val number: Int,
) {
    /** All steps were done. */
    FINISHED(0),

    /** Nothing was run: the command line asked which options there are, and was told. */
    EXPLAINED(0),

    /** The arguments or the checkpoint do not fit the program, or its ranks declare different settings or state. */
    REFUSED(64),

    /** There are checkpoints, and none of them is good. */
    DAMAGED(65),

    /** The checkpoints, or an output, cannot be read now; no damage was found. */
    UNREADABLE(66),

    /**
     * The program came to its end, but its last save came to nothing, or an output could not be completed: what was done since
     * the last checkpoint is lost, and a restart does it again. Or there was no room on the disk to begin.
     */
    UNSAVED(74),

    /** The state was saved, and steps are left: start again to go on. */
    UNFINISHED(75),
}
