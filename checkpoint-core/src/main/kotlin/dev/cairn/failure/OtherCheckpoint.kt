package dev.cairn.failure

/** The end of a message about a damaged checkpoint. */
internal const val USE_ANOTHER = ": use another checkpoint."

/** The same after other advice. */
internal const val OR_USE_ANOTHER = ", or use another checkpoint."

/** This text where there is no other checkpoint. */
internal fun String.withoutAnother(): String = replace(OR_USE_ANOTHER, ".").replace(USE_ANOTHER, ".")
