package dev.cairn.options

/**
 * How many copies of a host's file of a save lie on other hosts, before the save is sealed. The save survives the loss of as many hosts.
 * Immutable; all ranks pass the same.
 */
public class LocalCopies private constructor(internal val count: Int, internal val isStrict: Boolean) {
    override fun equals(other: Any?): Boolean =
        other is LocalCopies && count == other.count && isStrict == other.isStrict

    override fun hashCode(): Int = "$this".hashCode()

    /** The text in a list of settings. */
    override fun toString(): String = if (isStrict) "$count" else "$AT_MOST$count"

    public companion object {
        private const val AT_MOST = "at-most-"

        /** No copies: a save is lost with any of its hosts. */
        @JvmStatic
        public fun none(): LocalCopies = LocalCopies(0, isStrict = true)

        /** Each file has [count] copies. A program does not start if its hosts are too few for that, or fail together. */
        @JvmStatic
        public fun exactly(count: Int): LocalCopies = LocalCopies(requireCount(count), isStrict = true)

        /** Each file has [count] copies, or fewer if the hosts are too few for that; then a line of the log gives the number. */
        @JvmStatic
        public fun atMost(count: Int): LocalCopies = LocalCopies(requireCount(count), isStrict = false)

        internal fun parse(text: String): LocalCopies {
            val number = text.removePrefix(AT_MOST)
            return LocalCopies(requireCount(number.toInt()), isStrict = number == text)
        }

        private fun requireCount(count: Int): Int {
            require(count >= 0) { "a number of copies is at least 0, not $count" }
            return count
        }
    }
}
