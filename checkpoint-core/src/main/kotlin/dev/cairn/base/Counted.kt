package dev.cairn.base

/** `1 rank`, `2 ranks`. */
internal fun counted(
    count: Number,
    noun: String,
    plural: String = noun + "s",
): String = if (count.toLong() == 1L) "1 $noun" else "$count $plural"
