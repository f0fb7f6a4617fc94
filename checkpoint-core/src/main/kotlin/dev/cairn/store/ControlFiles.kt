package dev.cairn.store

import java.nio.file.Path

/** The file beside [directory] that people make to request a save from its owner. */
internal fun saveFileOf(directory: Path): Path = fileBeside(directory, "save")

/** The file beside [directory] that people make to request a save and the end from its owner. */
internal fun stopFileOf(directory: Path): Path = fileBeside(directory, "stop")

/** The file in [directory] that requests a save: a program finds it by whatever path the other one has come. */
internal fun saveFileIn(directory: Path): Path = directory.resolve(SaveNames.REQUESTS).resolve("save")

/** The file in [directory] that requests a save and the end. */
internal fun stopFileIn(directory: Path): Path = directory.resolve(SaveNames.REQUESTS).resolve("stop")

/** Names such as `.` and `a/..` do not contain the directory's name. */
private fun fileBeside(directory: Path, ending: String): Path {
    val normal = directory.normalize()
    val named = if (normal.name in setOf("", "..")) normal.toAbsolutePath().normalize() else normal
    return named.resolveSibling("${named.name}.$ending")
}
