package dev.cairn.item

/** The rights of a store's owner to its outputs, which lie outside of the store and are not fenced by it. */
internal interface OutputOwner {
    /** Whether an owner from which the store was taken may still have the file open. */
    val mayBeShared: Boolean

    /**
     * Fails if the store was taken over. No successor uses a file that was opened before this call succeeds: a later successor
     * replaces the file, since for it the file [may be shared][mayBeShared].
     */
    fun requireHeld()

    /** On rank 0, at the end of the program: other ranks may still write the file, so the next program replaces it. */
    fun leaveShared()

    /** A program without checkpoints. */
    object NoStore : OutputOwner {
        override val mayBeShared get() = false

        override fun requireHeld() = Unit

        override fun leaveShared() = Unit
    }
}
