package dev.cairn.store

import java.nio.file.Path

/** The file beside [directory] that requests a save from its owner. */
internal fun saveFileOf(directory: Path): Path = fileBeside(directory, "save")

/** The file beside [directory] that requests a save and the end from its owner. */
internal fun stopFileOf(directory: Path): Path = fileBeside(directory, "stop")

/** Names such as `.` and `a/..` do not contain the directory's name. */
private fun fileBeside(
    directory: Path,
    ending: String,
): Path {
    val normal = directory.normalize()
    val named = if (normal.name in setOf("", "..")) normal.toAbsolutePath().normalize() else normal
    return named.resolveSibling("${named.name}.$ending")
}
