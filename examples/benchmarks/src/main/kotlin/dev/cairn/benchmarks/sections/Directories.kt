package dev.cairn.benchmarks.sections

import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries

/** Deletes this directory with its content. */
internal fun Path.deleteAll() = check(toFile().deleteRecursively()) { "$this cannot be deleted" }

/** Deletes what is in this directory. */
internal fun Path.clear() = listDirectoryEntries().forEach { it.deleteAll() }
