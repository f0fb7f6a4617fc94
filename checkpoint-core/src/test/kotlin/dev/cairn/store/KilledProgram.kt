package dev.cairn.store

import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.ForwardingStore
import java.nio.file.Path

/**
 * A program that `kill -9` ends before operation number [last] of all its stores together. Bytes that it has written stay in the
 * page caches of its hosts.
 */
internal class KilledProgram(private val last: Int) {
    private class Killed : RuntimeException()

    private val files = mutableListOf<BlockFile>()
    private var operations = 0

    /** The store of one of its hosts. */
    fun storeOn(target: BlockStore): BlockStore = KillingStore(target)

    inline fun isKilledIn(life: () -> Unit): Boolean {
        val end = runCatching(life)
        if (operations < last) end.getOrThrow()
        // The operating system closes the files of a dead process, and so releases its locks.
        files.forEach { runCatching(it::close) }
        return end.isFailure
    }

    private inner class KillingStore(target: BlockStore) : ForwardingStore(target) {
        override fun onOperation(operation: BlockStore.Operation) {
            if (++operations >= last) throw Killed()
        }

        override fun open(file: Path, access: Access): BlockFile = super.open(file, access).also(files::add)

        override fun create(file: Path): BlockFile = super.create(file).also(files::add)
    }
}
