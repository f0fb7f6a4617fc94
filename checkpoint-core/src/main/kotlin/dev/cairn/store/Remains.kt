package dev.cairn.store

/**
 * The readable remains of a save that is not good: its [manifest], and the [copy] of it in its data. Each is null
 * unless it is whole and belongs to this save: a manifest that was moved here from another save is not used.
 */
internal class Remains(
    private val manifest: Manifest?,
    private val copy: Manifest?,
) {
    /** The lineage of the save; null if neither contains it, or if they contradict each other. */
    val lineage: Lineage? get() = listOfNotNull(manifest, copy).map { it.lineage }.distinct().singleOrNull()

    /**
     * Whether the data hold a manifest that `cairn recover` could restore, since the present one is missing or differs.
     */
    val isRecoverable: Boolean get() = copy != null && copy.copy(hints = manifest?.hints ?: copy.hints) != manifest
}
