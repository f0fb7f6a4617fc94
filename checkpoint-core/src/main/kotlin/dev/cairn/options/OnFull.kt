package dev.cairn.options

/** What a program does whose save has no room on the disks of the hosts. An option, the same on all ranks. */
public enum class OnFull {
    /** It waits for the drain of the saves that lie there, and tries again; without any it goes on without this save. */
    WAIT,

    /** It goes on without this save. */
    SKIP,

    /** It waits for the drain of the saves that lie there, and the save goes to the shared store at once. */
    SHARED,
}
