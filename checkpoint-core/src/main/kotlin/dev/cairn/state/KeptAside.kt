package dev.cairn.state

import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
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

/** How many bytes [file] has; 0 if it does not exist. */
internal fun BlockStore.sizeOf(file: Path): Long = if (exists(file)) open(file, Access.READ).use { it.size() } else 0
