package dev.cairn.run

import dev.cairn.failure.requireDeclared
import dev.cairn.item.FileItem
import dev.cairn.store.SaveNames
import dev.cairn.store.name
import dev.cairn.store.saveFileOf
import dev.cairn.store.stopFileOf
import java.nio.file.Path

/** Refuses [events] and [outputs] with the names of files of the [store], which would be replaced or deleted, or of each other. */
internal fun requireApart(
    store: Path,
    events: Path?,
    outputs: List<FileItem>,
) {
    val named =
        listOfNotNull(events?.let { "events" to it }) +
            outputs.map { "the output '${it.name}'" to it.file } +
            outputs.mapNotNull { output -> output.stage?.let { "the stage of the output '${output.name}'" to it } }
    val requests = listOf(saveFileOf(store), stopFileOf(store)).map { it.absolute() }
    for ((what, path) in named) {
        requireDeclared(!path.isOfStore(store) && path.absolute() !in requests) {
            "$what is $path, which is for Cairn's own files of the checkpoints in $store: name another one"
        }
    }
    val same = outputs.find { it.absoluteFile == events?.absolute() }
    requireDeclared(same == null) {
        "events and the output '${same?.name}' are the same file, $events: name another one for one of them"
    }
}

private fun Path.isOfStore(store: Path): Boolean {
    val (own, whole) = absolute() to store.absolute()
    if (!own.startsWith(whole)) return false
    val first = whole.relativize(own).getName(0).name
    return own == whole || SaveNames.isOfStore(first) || SaveNames.numberOf(first) != null
}

private fun Path.absolute(): Path = toAbsolutePath().normalize()
