package dev.cairn.item

/** The side of an output that writes its file, on rank 0. */
internal interface OutputEnd {
    fun ownedBy(owner: OutputOwner)

    /** Writes what is still in memory, if rank 0 can do that alone. */
    fun flush()

    /** Fails if the [size] of the file is not the number of bytes that this program has written. */
    fun requireOwn(size: Long)

    /** The run continues from a checkpoint, with a file that was cut to [length] bytes. */
    fun continueFrom(length: Long)

    /** The run begins without a checkpoint, with a new file. */
    fun beginAnew()
}
