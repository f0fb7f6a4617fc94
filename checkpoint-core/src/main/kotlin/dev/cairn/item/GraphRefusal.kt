package dev.cairn.item

/** Why an object cannot be stored, as the end of a sentence that begins with its path, and what to do. */
internal class GraphRefusal(val why: String, val remedy: String = TRANSIENT) :
    RuntimeException(why, null, false, false)

internal const val TRANSIENT = "let the field be transient, and make it anew after a restore"
