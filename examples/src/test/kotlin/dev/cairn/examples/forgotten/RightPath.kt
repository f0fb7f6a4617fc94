package dev.cairn.examples.forgotten

import dev.cairn.testing.ForgottenState.Finding

/**
 * Where a piece of state lies, as `omissions.tsv` says it in [words]. A finding names it if it is about this very variable, field or
 * file, or if the way to what differs goes through it: a graph is named by the field or the variable that holds it, a thread-local
 * variable in any thread. A finding about what only follows from the omission names nothing.
 */
internal class RightPath(private val words: String) {
    fun isOf(finding: Finding): Boolean =
        words.replace("[]", "").split(" or ").any { isNamed(it.substringBefore(", of each rank"), finding) }

    private fun isNamed(place: String, finding: Finding): Boolean =
        when {
            place.startsWith(LOCAL) -> isOfVariable(place.removePrefix(LOCAL).split(" in "), finding)
            place.startsWith(OF_THREAD) -> finding.place == place.removePrefix(OF_THREAD).substringBefore(" of ")
            place.contains(OF_FILE) -> finding.place == place.replace(OF_FILE, "position in ")
            else -> finding.place == place || isOnTheWay(place, finding.path)
        }

    /** The way from a suspended function begins with the function and, if it has ranks, its rank. */
    private fun isOfVariable(nameAndMethod: List<String>, finding: Finding): Boolean {
        val (name, method) = nameAndMethod
        val variable = "local variable $name of $method"
        val suspended = Regex("""\(?${Regex.escape(method)}( of rank \d+\))?\.$name\b.*""")
        return finding.place == variable || finding.path.startsWith("($variable)") || suspended.matches(finding.path)
    }

    private fun isOnTheWay(place: String, path: String): Boolean {
        val wanted = fieldsIn(place)
        return fieldsIn(path.replace(ELEMENT, "").replace(ROOT, "")).windowed(wanted.size).any { it == wanted }
    }

    /** Without the classes. */
    private fun fieldsIn(path: String) = path.split('.').filter { it.isNotEmpty() && !it.first().isUpperCase() }

    private companion object {
        const val LOCAL = "local "
        const val OF_THREAD = "thread local "
        val OF_FILE = Regex("^(position|length) of ")
        val ELEMENT = Regex("""\[[^\]]*\]|\{[^}]*\}""")
        val ROOT = Regex("""^\([^)]*\)""")
    }
}
