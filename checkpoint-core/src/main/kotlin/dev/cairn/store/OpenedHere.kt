package dev.cairn.store

import java.util.concurrent.ConcurrentHashMap

/**
 * The stores and outputs that this process has open, by the identities of their owners, with the lines of the program that opened them: a
 * program that opens one a second time would be told to wait for itself.
 */
internal object OpenedHere {
    private val lines = ConcurrentHashMap<String, String>()

    fun add(identity: String, line: String) {
        lines[identity] = line
    }

    fun remove(identity: String) {
        lines.remove(identity)
    }

    /** The line that opened what the owner of this [identity] has; null if that is not this process. */
    fun lineOf(identity: String): String? = lines[identity]
}

/** The line of the program that calls Cairn now, as "Heat.kt:12"; "another thread" if none of its calls is on this thread's stack. */
internal fun callingLine(): String =
    StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE).walk { frames ->
        frames
            .filter { !isLibrary(it.declaringClass) && it.lineNumber > 0 }
            .findFirst()
            .map { "${it.fileName}:${it.lineNumber}" }
            .orElse("another thread")
    }

private fun isLibrary(type: Class<*>): Boolean =
    PREFIXES.any(type.name::startsWith) ||
        type.protectionDomain.codeSource?.location ==
        OpenedHere::class.java.protectionDomain.codeSource
            ?.location

private val PREFIXES = listOf("java.", "jdk.", "sun.", "kotlin.", "kotlinx.")
