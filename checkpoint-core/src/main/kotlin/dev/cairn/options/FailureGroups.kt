package dev.cairn.options

import java.util.function.UnaryOperator

/**
 * Which hosts fail together, by their names: those of one rack, for instance. Copies of a host's file lie in other groups.
 * Immutable; all ranks pass the same.
 */
public sealed class FailureGroups {
    internal data object Hosts : FailureGroups()

    internal data class Matching(val pattern: String) : FailureGroups() {
        val regex: Regex = Regex(pattern)
    }

    internal data class ByName(val group: UnaryOperator<String>) : FailureGroups()

    internal fun groupOf(host: String): String =
        when (this) {
            is Hosts -> host
            is Matching -> regex.find(host)?.value ?: host
            is ByName -> group.apply(host)
        }

    /** The text in a list of settings. */
    final override fun toString(): String =
        when (this) {
            is Hosts -> HOSTS
            is Matching -> pattern
            is ByName -> "function"
        }

    public companion object {
        private const val HOSTS = "hosts"

        /** Each host fails alone. */
        @JvmStatic
        public fun hosts(): FailureGroups = Hosts

        /**
         * Hosts fail together if the first match of the regular expression [pattern] in their names is the same, such as `rack[0-9]+`. A
         * host whose name it does not match fails alone.
         *
         * @throws java.util.regex.PatternSyntaxException if it is none
         */
        @JvmStatic
        public fun matching(pattern: String): FailureGroups = Matching(pattern)

        /** Hosts fail together if [group] gives the same name for them. It is called on rank 0. */
        @JvmStatic
        public fun byName(group: UnaryOperator<String>): FailureGroups = ByName(group)

        internal fun parse(text: String): FailureGroups = if (text == HOSTS) Hosts else Matching(text)
    }
}
