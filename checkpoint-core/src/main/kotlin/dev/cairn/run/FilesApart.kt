package dev.cairn.run

import dev.cairn.event.requireDeclared
import dev.cairn.item.FileItem
import dev.cairn.item.isKeptName
import dev.cairn.item.lockFileOf
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.SaveNames
import dev.cairn.store.name
import dev.cairn.store.saveFileOf
import dev.cairn.store.stopFileOf
import java.nio.file.Path

/**
 * On rank 0: refuses [events] and [outputs] that are files of the [store], which Cairn would replace or delete, and two names of one
 * file. Links are followed.
 */
internal fun BlockStore.requireApart(store: Path, events: Path?, outputs: List<FileItem>) {
    val written =
        listOfNotNull(events?.let { "events" to it }) + outputs.map { "the output '${it.name}'" to it.file }
    val stages =
        outputs.mapNotNull { output -> output.stage?.let { "the stage of the output '${output.name}'" to it } }
    val directory = realPath(store)
    val requests = listOf(saveFileOf(store), stopFileOf(store)).map(::realPath)
    for ((what, path) in written + stages) {
        val place = realPath(path)
        requireDeclared(!place.isOfStore(directory) && place !in requests) {
            "$what is $path, which is for Cairn's own files of the checkpoints in $store: name another one"
        }
    }
    val places = written.groupBy { (_, path) -> realPath(path) }
    val same = places.values.find { it.size > 1 }
    requireDeclared(same == null) {
        "${same?.joinToString(" and ") { it.first }} are the same file, ${same?.first()?.second}: name another one " +
            "for one of them"
    }
    for ((first, second) in outputs.flatMap { one -> outputs.map { one to it } }) {
        requireDeclared(!isKeptName(realPath(second.file), realPath(first.file))) {
            "the output '${second.name}' is ${second.file}, a name under which Cairn keeps the output " +
                "'${first.name}': name another one"
        }
    }
    for (output in outputs) {
        val other = places[lockFileOf(realPath(output.file))]?.first()
        requireDeclared(other == null) {
            "${other?.first} is ${other?.second}, which is the lock file of the output '${output.name}': name another one"
        }
    }
}

private fun Path.isOfStore(directory: Path): Boolean {
    if (!startsWith(directory)) return false
    val first = directory.relativize(this).getName(0).name
    return this == directory || SaveNames.isOfStore(first) || SaveNames.numberOf(first) != null
}
