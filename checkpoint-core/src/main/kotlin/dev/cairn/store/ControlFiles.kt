package dev.cairn.store

import java.nio.file.Path

/** The file beside [directory] by which its owner is asked for a save. */
internal fun saveFileOf(directory: Path): Path = fileBeside(directory, "save")

/** The file beside [directory] by which its owner is asked to save and end. */
internal fun stopFileOf(directory: Path): Path = fileBeside(directory, "stop")

/** Names such as `.` and `a/..` do not say what the directory is called. */
private fun fileBeside(
    directory: Path,
    ending: String,
): Path {
    val normal = directory.normalize()
    val named = if (normal.name in setOf("", "..")) normal.toAbsolutePath().normalize() else normal
    return named.resolveSibling("${named.name}.$ending")
}
