package dev.cairn.item

import dev.cairn.sion.store.BlockFile
import java.nio.file.Path

/** The side of an output that writes its file, on rank 0. */
internal interface OutputEnd {
    /** How many bytes at the beginning of the file change while it grows, and are in no digest of a mark. */
    val head: Long get() = 0

    fun ownedBy(owner: OutputOwner)

    /** A save of the program's step number [step] begins. */
    fun saveBegins(step: Long) = Unit

    /** Brings what is still in memory into the file, if rank 0 can do that alone. */
    fun flush()

    /** The mark of a save that is made now; fails if [file] has not as many bytes as this program has written. */
    fun mark(file: BlockFile): OutputMark

    /** What [file], which has the bytes of a mark at [length], says else of its length; null if it agrees. */
    fun otherLength(file: Path, length: Long): String? = null

    /**
     * [file], which is that of the output or a copy that will take its name, is about to have [length] bytes: what it says of its
     * length must be true before, and durable, since a crash may follow.
     */
    fun prepareCut(file: Path, length: Long) = Unit

    /** Another file is about to take the name of this one. */
    fun requireReplaceable() = Unit

    /** The run continues from a checkpoint, with a file that [cut] leaves with [length] bytes. Meanwhile Cairn appends nothing to it. */
    fun continueFrom(length: Long, cut: () -> Unit) = cut()

    /** The run begins without a checkpoint, with a new file. */
    fun beginAnew()

    /** The run has ended, and writes no more. */
    fun close() = Unit
}

/** The rights of a store's owner to its outputs, which lie outside of the store and are not fenced by it. */
internal interface OutputOwner {
    /** Whether an owner from which the store was taken may still have the file open. */
    val mayBeShared: Boolean

    /**
     * Fails if the store was taken over. No successor uses a file that was opened before this call succeeds: a later successor
     * replaces the file, since for it the file [may be shared][mayBeShared].
     */
    fun requireHeld()

    /** On rank 0: the marks of outputs in each save that is there, or may be there again; null for one whose marks cannot be read now. */
    fun saveMarks(): List<SaveMarks?>

    /**
     * On rank 0, durably, before [file] is renamed to [kept], since the save [number] may need it: the store may delete it after that save.
     * It does so only if the file is no more than what that save covers, and if no [end] changes its beginning.
     */
    fun keeps(file: Path, kept: Path, number: Int, end: OutputEnd?)

    /** On rank 0: whether [kept] is there, and no other program deletes it: it stays until no save of this store needs it. */
    fun hasKept(kept: Path): Boolean

    /** On rank 0, at the end of the program: other ranks may still write the file, so the next program replaces it. */
    fun leaveShared()

    /** A program without checkpoints. */
    object NoStore : OutputOwner {
        override val mayBeShared get() = false

        override fun requireHeld() = Unit

        override fun saveMarks() = emptyList<SaveMarks?>()

        override fun keeps(file: Path, kept: Path, number: Int, end: OutputEnd?) = Unit

        override fun hasKept(kept: Path) = false

        override fun leaveShared() = Unit
    }
}
