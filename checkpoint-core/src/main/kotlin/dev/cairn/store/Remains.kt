package dev.cairn.store

/**
 * What is left to tell of a save that is not good: its [manifest], and the [copy] of it in its data. Each is null unless it is
 * whole and that of this very save: a manifest that was moved here from another save says nothing about this one.
 */
internal class Remains(
    private val manifest: Manifest?,
    private val copy: Manifest?,
) {
    /** Where the save stands; null if neither tells it, or if they contradict each other. */
    val lineage: Lineage? get() = listOfNotNull(manifest, copy).map { it.lineage }.distinct().singleOrNull()

    /** Whether `cairn recover` would find a manifest in the data that is not there, or is another one. */
    val isRecoverable: Boolean get() = copy != null && copy.copy(hints = manifest?.hints ?: copy.hints) != manifest
}
