package dev.cairn.house

import java.nio.file.Path
import kotlin.io.path.isDirectory
import kotlin.io.path.listDirectoryEntries

/** Where modules of [house] may be: its folders, and those in them. */
internal fun moduleFolders(house: Path): List<Path> = folders(house).flatMap { listOf(it) + folders(it) }

private fun folders(parent: Path) = parent.listDirectoryEntries().filter { it.isDirectory() }.sorted()
