package dev.cairn.store

import dev.cairn.sion.store.BlockStore
import java.nio.file.Path

/**
 * The file `displaced`: the store in [directory] was taken from an owner that may continue one day, or given back by one whose other
 * ranks may still write records of a save that was given up. These can then no longer save, but still hold output files open. The file
 * stays until a program has put others in their place.
 */
internal class DisplacedOwner(private val files: BlockStore, private val directory: Path) {
    private val file = directory.resolve(SaveNames.DISPLACED)

    val exists: Boolean get() = files.exists(file)

    /** Durable when the note of the successor is. */
    fun remember() {
        if (!exists) files.create(file).close()
    }

    fun forget() {
        if (files.deleteIfThere(file)) files.forceDirectory(directory)
    }
}
