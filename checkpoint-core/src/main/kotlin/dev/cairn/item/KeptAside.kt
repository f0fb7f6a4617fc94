package dev.cairn.item

import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import java.nio.ByteBuffer
import java.nio.file.Path

/**
 * Gives [file] the [name for a save][forSave], or a number if there is none, so that another file can take its place, unless a
 * [numbered file][holderOf] holds it. If a numbered one is the beginning of this file, this one takes its place. Returns what became of
 * it, for a sentence; nothing if the file does not exist or is empty, and then it stays.
 */
internal fun BlockStore.keepAside(file: Path, forSave: Path?): String {
    if (sizeOf(file) == 0L) return ""
    val holder = if (forSave == null) holderOf(file) else null
    val aside = forSave ?: beginningOf(file) ?: numberedName(file)
    if (holder == null) rename(file, aside) else delete(file)
    forceDirectory(file.parent ?: Path.of(""))
    return if (holder == null) "; the existing file is now $aside" else "; all of the existing file is in $holder"
}

/**
 * A durable numbered file that begins with all bytes of [file]: any save for which that file would be cut back can be served by the
 * numbered one, which no program deletes. A file that is kept for a save is deleted one day, perhaps by another store. Null if there is none.
 */
private fun BlockStore.holderOf(file: Path): Path? =
    keptAside(file).find { isBeginning(file, it) }?.also { holder ->
        open(holder, Access.READ_WRITE).use { it.force() }
    }

/** A numbered file that is no more than the beginning of [file], which is durable then, so that it can take that name; or null. */
private fun BlockStore.beginningOf(file: Path): Path? {
    val beginning = keptAside(file).find { sizeOf(it) > 0 && isBeginning(it, file) } ?: return null
    open(file, Access.READ_WRITE).use { it.force() }
    return beginning
}

/** Whether [whole] begins with all bytes of [file]. */
internal fun BlockStore.isBeginning(file: Path, whole: Path): Boolean = isSame(file, whole, sizeOf(file))

/** Whether [one] and [other] are two files, and no links to one, that begin with the same [length] bytes. */
internal fun BlockStore.isSame(one: Path, other: Path, length: Long): Boolean {
    val number = fileNumber(one)
    if (followed(one) == followed(other) || (number.isPresent && number == fileNumber(other))) return false
    return open(one, Access.READ).use { first ->
        open(other, Access.READ).use { minOf(first.size(), it.size()) >= length && first.hasBytesOf(it, length) }
    }
}

/** Whether both begin with the same [length] bytes, which they have. */
internal fun BlockFile.hasBytesOf(that: BlockFile, length: Long): Boolean {
    val (own, other) = List(2) { ByteBuffer.allocate(minOf(length, COPY_SIZE).toInt()) }
    return (0 until length step COPY_SIZE).all { position ->
        val count = minOf(length - position, COPY_SIZE).toInt()
        readFully(position, own.clear().limit(count))
        that.readFully(position, other.clear().limit(count))
        own.flip() == other.flip()
    }
}

/** The first free of `file.1`, `file.2`, … */
internal fun BlockStore.numberedName(file: Path): Path =
    generateSequence(1) { it + 1 }.map { file.resolveSibling("${file.fileName}.$it") }.first { !exists(it) }

/** The name under which [file] is kept for the save [number]. */
internal fun nameFor(file: Path, number: Int): Path = file.resolveSibling("${file.fileName}.save-$number")

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
 * leaves the old file or the new one; if the old one is put aside, perhaps neither in that place.
 */
internal fun BlockStore.replace(file: Path, aside: Path? = null, prepare: (prepared: Path) -> Unit) {
    // A link leads to the new file then; one that is put aside leads to the old one.
    val place = if (aside == null) followed(file) else file
    val prepared = place.resolveSibling("${place.fileName}.cairn-new")
    if (exists(prepared)) delete(prepared)
    prepare(prepared)
    val directory = place.parent ?: Path.of("")
    if (aside != null) {
        rename(file, aside)
        // Otherwise a power loss could leave only the second rename, and no name for the old file.
        forceDirectory(directory)
    }
    rename(prepared, place)
    forceDirectory(directory)
}

private fun BlockFile.copyTo(target: BlockFile, length: Long) {
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

/** Whether [path] is a name that [file] may get when it makes room. */
internal fun isKeptName(path: Path, file: Path): Boolean =
    path.parent == file.parent && nameWith(file, "(save-)?[0-9]+").matches("${path.fileName}")

/** The files whose names consist of that of [file], a dot, and an [ending]. */
private fun BlockStore.siblings(file: Path, ending: String): List<Path> {
    val parent = file.parent ?: Path.of("")
    if (!exists(parent)) return emptyList()
    val name = nameWith(file, ending)
    return list(parent).filter { name.matches("${it.fileName}") }
}

private fun nameWith(file: Path, ending: String) = Regex(Regex.escape("${file.fileName}.") + ending)

/** The size of [file] in bytes; 0 if it does not exist. */
internal fun BlockStore.sizeOf(file: Path): Long = if (exists(file)) open(file, Access.READ).use { it.size() } else 0
