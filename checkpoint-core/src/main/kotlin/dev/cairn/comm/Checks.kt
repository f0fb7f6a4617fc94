package dev.cairn.comm

/** What is checked at every collective, ordered by cost. Arguments that one rank can judge alone are always checked. */
public enum class Checks {
    /** Nothing that costs a message. For production. */
    LOCAL,

    /** All ranks call the same collective, with the same root and activity. */
    CALLS,

    /** And their payloads have the same size where a collective demands it. For tests and simulation. */
    SIZES,
}
