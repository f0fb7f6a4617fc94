package dev.cairn.comm

/** The checks at every collective, ordered by cost. Arguments that one rank can judge alone are always checked. All ranks pass the same. */
public enum class Checks {
    /**
     * No check that costs a message. For production. Between processes, each rank waits only for those from which it
     * receives, so ranks that name different roots may not notice it, and none does if each names itself.
     */
    LOCAL,

    /** All ranks call the same collective, with the same root and activity. */
    CALLS,

    /** And their payloads have the same size where a collective demands it. For tests and simulation. */
    SIZES,
}
