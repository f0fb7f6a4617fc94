package dev.cairn.store

import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.Operation
import java.nio.file.Path

/**
 * A program that `kill -9` ends before operation number [last] of all its doors together. What it has written stays in
 * the memory of its hosts.
 */
internal class MortalProcess(
    private val last: Int,
) {
    private class Killed : RuntimeException()

    private val files = mutableListOf<BlockFile>()
    private var operations = 0

    /** The door of one of its hosts. */
    fun door(target: BlockStore): BlockStore = Door(target)

    inline fun isKilledIn(life: () -> Unit): Boolean {
        val end = runCatching(life)
        if (operations < last) end.getOrThrow()
        // The operating system closes the files of the dead, and so gives back their locks.
        files.forEach { runCatching(it::close) }
        return end.isFailure
    }

    private inner class Door(
        target: BlockStore,
    ) : ForwardingStore(target) {
        override fun onOperation(operation: Operation) {
            if (++operations >= last) throw Killed()
        }

        override fun open(
            file: Path,
            access: Access,
        ): BlockFile = super.open(file, access).also(files::add)

        override fun create(file: Path): BlockFile = super.create(file).also(files::add)
    }
}
