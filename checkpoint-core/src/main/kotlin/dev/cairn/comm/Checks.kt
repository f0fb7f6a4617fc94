package dev.cairn.comm

/** What is checked at every collective, ordered by cost. Arguments that one rank can judge alone are always checked. */
public enum class Checks {
    /**
     * Nothing that costs a message. For production. Where ranks are processes, each of them waits only for those from which
     * it takes something, so ranks that name different roots need not notice it: nor does any if each names itself.
     */
    LOCAL,

    /** All ranks call the same collective, with the same root and activity. */
    CALLS,

    /** And their payloads have the same size where a collective demands it. For tests and simulation. */
    SIZES,
}
