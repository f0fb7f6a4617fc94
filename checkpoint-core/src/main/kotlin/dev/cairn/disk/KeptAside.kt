package dev.cairn.disk

import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import java.nio.ByteBuffer
import java.nio.file.Path

/**
 * Gives [file] its [nameAside], so that another file can take its place. Returns that name; null if the file does not exist or
 * is empty, and then it stays.
 */
internal fun BlockStore.keepAside(
    file: Path,
    laterSave: Int?,
): Path? {
    if (sizeOf(file) == 0L) return null
    val aside = nameAside(file, laterSave)
    rename(file, aside)
    forceDirectory(file.parent ?: Path.of(""))
    return aside
}

/** The name under which [file] is kept for [laterSave], if that is free, and otherwise the first free of `file.1`, `file.2`, … */
internal fun BlockStore.nameAside(
    file: Path,
    laterSave: Int?,
): Path =
    laterSave?.let { nameFor(file, it) }?.takeUnless(::exists)
        ?: generateSequence(1) { it + 1 }.map { file.resolveSibling("${file.fileName}.$it") }.first { !exists(it) }

/** The name under which [file] is kept for the save [number]. */
internal fun nameFor(
    file: Path,
    number: Int,
): Path = file.resolveSibling("${file.fileName}.save-$number")

/**
 * Puts a copy of the first [length] bytes of [source] in the place of [file], which gets the name [aside], if there is one. A
 * program that holds the old file open continues with that file. [lastCheck] may still change the copy, or refuse, when it is ready.
 */
internal fun BlockStore.replaceByCopy(
    file: Path,
    length: Long,
    source: Path = file,
    aside: Path? = null,
    lastCheck: (copy: Path) -> Unit,
) = replace(file, aside) { prepared ->
    create(prepared).use { target ->
        open(source, Access.READ).use { it.copyTo(target, length) }
        target.force()
    }
    lastCheck(prepared)
}

/**
 * Puts what [prepare] makes, durably and under another name, in the place of [file], which gets the name [aside], if there is one. A crash
 * leaves the old file or the new one.
 */
internal fun BlockStore.replace(
    file: Path,
    aside: Path? = null,
    prepare: (prepared: Path) -> Unit,
) {
    val prepared = file.resolveSibling("${file.fileName}.cairn-new")
    if (exists(prepared)) delete(prepared)
    prepare(prepared)
    if (aside != null) rename(file, aside)
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
internal fun BlockStore.keptAside(file: Path): List<Path> = siblings(file, "[0-9]+")

/** The files that have made room for [file] when a save was restored although there were later ones. */
internal fun BlockStore.keptForSaves(file: Path): List<Path> = siblings(file, "save-[0-9]+")

/** The files whose names consist of that of [file], a dot, and an [ending]. */
private fun BlockStore.siblings(
    file: Path,
    ending: String,
): List<Path> {
    val parent = file.parent ?: Path.of("")
    if (!exists(parent)) return emptyList()
    val name = Regex(Regex.escape("${file.fileName}.") + ending)
    return list(parent).filter { name.matches("${it.fileName}") }
}

/** The size of [file] in bytes; 0 if it does not exist. */
internal fun BlockStore.sizeOf(file: Path): Long = if (exists(file)) open(file, Access.READ).use { it.size() } else 0
