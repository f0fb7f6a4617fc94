package dev.cairn.item

/** The rights of a store's owner to its outputs, which lie outside of the store and are not fenced by it. */
internal interface OutputOwner {
    /** Whether an owner from which the store was taken may still have the file open. */
    val mayBeShared: Boolean

    /**
     * Fails when the store was taken over. A file that was opened before this succeeds is used by no successor: a successor that
     * comes later puts another file in its place, since it knows that it [may be shared][mayBeShared].
     */
    fun requireHeld()

    /** A program without checkpoints. */
    object NoStore : OutputOwner {
        override val mayBeShared get() = false

        override fun requireHeld() = Unit
    }
}
