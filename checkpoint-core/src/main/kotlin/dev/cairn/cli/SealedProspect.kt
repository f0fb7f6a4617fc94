package dev.cairn.cli

import dev.cairn.reading.StoredSave

/** What becomes of the sealed save [number], as the end of a sentence on the hosts where its data lie. */
internal fun List<StoredSave>.prospectOf(number: Int): String {
    val newest = filterIsInstance<StoredSave.Good>().maxOfOrNull { it.number }
    return if (newest != null && newest > number) {
        "not needed, since save $newest is newer and committed"
    } else {
        "'cairn drain' there, or a restart that reaches them, commits it"
    }
}
