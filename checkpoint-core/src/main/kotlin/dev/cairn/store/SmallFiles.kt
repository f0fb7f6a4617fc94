package dev.cairn.store

import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import java.nio.ByteBuffer
import java.nio.file.NoSuchFileException
import java.nio.file.Path

// Files of a few kilobytes that are written and read as a whole.

/** Creates [file], which must not exist, with [bytes]. They are durable on return; the name is not yet. */
internal fun BlockStore.writeNew(file: Path, bytes: ByteArray) =
    create(file).use {
        it.write(0, ByteBuffer.wrap(bytes))
        it.force()
    }

/**
 * Replaces the content of [file] by [bytes] atomically: readers, also after a crash, find the old content or the new
 * one. It is prepared under the name [prepared]; [lastCheck] may still refuse when all is ready but the name.
 */
internal fun BlockStore.replace(file: Path, prepared: Path, bytes: ByteArray, lastCheck: () -> Unit = {}) {
    deleteIfThere(prepared)
    writeNew(prepared, bytes)
    renameDurably(prepared, file, lastCheck)
}

/** As [replace], with a file that is [prepared] already; it gets its content and its name. */
internal fun BlockStore.fillAndRename(file: Path, prepared: Path, bytes: ByteArray, lastCheck: () -> Unit) {
    open(prepared, Access.READ_WRITE).use {
        it.write(0, ByteBuffer.wrap(bytes))
        it.force()
    }
    renameDurably(prepared, file, lastCheck)
}

private fun BlockStore.renameDurably(prepared: Path, file: Path, lastCheck: () -> Unit) {
    lastCheck()
    rename(prepared, file)
    forceDirectory(file.parent)
}

/** The bytes of [file], or null if it has more than [mostBytes], which is checked before anything is allocated. */
internal fun BlockStore.readWhole(file: Path, mostBytes: Int): ByteArray? =
    open(file, Access.READ).use { opened ->
        val size = opened.size()
        if (size > mostBytes) return null
        ByteArray(size.toInt()).also { opened.readFully(0, ByteBuffer.wrap(it)) }
    }

/** Deletes [file] if it exists; others may delete it at the same time. */
internal fun BlockStore.deleteIfThere(file: Path): Boolean =
    try {
        delete(file)
        true
    } catch (_: NoSuchFileException) {
        false
    }

/** The error in a text, without the part of the text that parsers often repeat. */
internal fun IllegalArgumentException.firstLine(): String = message.toString().lineSequence().first()
