package dev.cairn.options

/**
 * Which saves that are sealed on the disks of the hosts are drained into the shared store, and committed there.
 * Immutable; all ranks pass the same.
 */
public sealed class DrainRule {
    internal data object Newest : DrainRule()

    /** Every [n]-th. */
    internal data class Every(val n: Int) : DrainRule()

    internal data object None : DrainRule()

    /** The text in a list of settings. */
    final override fun toString(): String =
        when (this) {
            is Newest -> NEWEST
            is Every -> if (n == 1) EVERY else "$n"
            is None -> NONE
        }

    public companion object {
        private const val NEWEST = "newest"
        private const val EVERY = "every"
        private const val NONE = "none"

        /** The newest one, each time a drain has ended: a save that comes faster supersedes the one that waits. */
        @JvmStatic
        public fun newest(): DrainRule = Newest

        /** All of them. A program that saves faster than that waits. */
        @JvmStatic
        public fun every(): DrainRule = Every(1)

        /** The [n]-th, and each [n]-th after it. */
        @JvmStatic
        public fun every(n: Int): DrainRule {
            require(n >= 1) { "every n-th save is drained for an n of at least 1, not $n" }
            return Every(n)
        }

        /** None while the program runs: only saves that it waits for are committed, such as the last one of a loop. */
        @JvmStatic
        public fun none(): DrainRule = None

        internal fun parse(text: String): DrainRule =
            when (text) {
                NEWEST -> Newest
                EVERY -> every()
                NONE -> None
                else -> every(text.toInt().also { require(it >= 2) })
            }
    }
}
