package dev.cairn.disk

import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import java.nio.ByteBuffer
import java.nio.file.Path

/**
 * Gives [file] the first free one of the names `file.1`, `file.2`, and so on, so that another file can take its place. Returns
 * that name; null if the file does not exist or is empty, and then it stays.
 */
internal fun BlockStore.keepAside(file: Path): Path? {
    if (sizeOf(file) == 0L) return null
    val aside = generateSequence(1) { it + 1 }.map { file.resolveSibling("${file.fileName}.$it") }.first { !exists(it) }
    rename(file, aside)
    forceDirectory(file.parent ?: Path.of(""))
    return aside
}

/**
 * Puts a copy of the first [length] bytes of [file] in its place. A program that holds the old file open continues with
 * a file that no longer has a name. [lastCheck] may still refuse when the copy is ready.
 */
internal fun BlockStore.replaceByCopy(
    file: Path,
    length: Long,
    lastCheck: () -> Unit,
) {
    val prepared = file.resolveSibling("${file.fileName}.cairn-new")
    if (exists(prepared)) delete(prepared)
    create(prepared).use { target ->
        open(file, Access.READ).use { it.copyTo(target, length) }
        target.force()
    }
    lastCheck()
    rename(prepared, file)
    forceDirectory(file.parent ?: Path.of(""))
}

private fun BlockFile.copyTo(
    target: BlockFile,
    length: Long,
) {
    val buffer = ByteBuffer.allocate(minOf(length, COPY_SIZE).toInt())
    var position = 0L
    while (position < length) {
        buffer.clear().limit(minOf(length - position, COPY_SIZE).toInt())
        readFully(position, buffer)
        target.write(position, buffer.flip())
        position += buffer.limit()
    }
}

private const val COPY_SIZE = 1L shl 20

/** The files that have made room for [file], or for others of its name before. */
internal fun BlockStore.keptAside(file: Path): List<Path> {
    val parent = file.parent ?: Path.of("")
    if (!exists(parent)) return emptyList()
    val name = Regex(Regex.escape("${file.fileName}") + "\\.[0-9]+")
    return list(parent).filter { name.matches("${it.fileName}") }
}

/** The size of [file] in bytes; 0 if it does not exist. */
internal fun BlockStore.sizeOf(file: Path): Long = if (exists(file)) open(file, Access.READ).use { it.size() } else 0
