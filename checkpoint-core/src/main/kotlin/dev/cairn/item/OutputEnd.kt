package dev.cairn.item

import dev.cairn.sion.store.BlockFile

/** The side of an output that writes its file, on rank 0. */
internal interface OutputEnd {
    fun ownedBy(owner: OutputOwner)

    /** Writes what is still in memory, if rank 0 can do that alone. */
    fun flush()

    /** The mark of a save that is made now; fails if [file] has not as many bytes as this program has written. */
    fun mark(file: BlockFile): OutputMark

    /** The run continues from a checkpoint, with a file that was cut to [length] bytes. */
    fun continueFrom(length: Long)

    /** The run begins without a checkpoint, with a new file. */
    fun beginAnew()
}
