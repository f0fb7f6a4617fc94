package dev.cairn.cli

import dev.cairn.event.CheckpointException
import dev.cairn.event.messageLine
import dev.cairn.item.DamagedGraph
import dev.cairn.reading.StoredBytes
import dev.cairn.reading.StoredCheckpoint
import kotlinx.serialization.Serializable

/**
 * The classes of the objects in a graph, those of all ranks together.
 *
 * @property flaw why they are not known; null if they are
 */
@Serializable
internal class StoredClasses(val item: String, val classes: List<StoredClass>, val flaw: String? = null) {
    fun lines(): List<String> =
        listOf("") + (flaw?.let { listOf("the classes of '$item' cannot be read: $it") } ?: columns(rows()))

    private fun rows() =
        listOf(listOf("objects in '$item'", "count", "bytes")) +
            classes.map { listOf(it.name, "${it.count}", "${it.byteCount}") }
}

/** @property fields each with its class and type */
@Serializable
internal class StoredClass(val name: String, val count: Long, val byteCount: Long, val fields: List<String>)

/** Those of each graph, of which no class of the program is loaded. */
internal fun StoredCheckpoint.storedClasses(): List<StoredClasses> =
    items.filterIsInstance<StoredBytes.Streams>().mapNotNull { item ->
        try {
            item.storedClasses().takeIf { it.isNotEmpty() }?.let { StoredClasses(item.name, it) }
        } catch (damage: CheckpointException) {
            StoredClasses(item.name, emptyList(), damage.messageLine())
        } catch (damage: DamagedGraph) {
            StoredClasses(item.name, emptyList(), damage.messageLine())
        }
    }

/** Those of all ranks together; empty if its kind has no objects. */
internal fun StoredBytes.Streams.storedClasses(): List<StoredClass> =
    (0 until rankCount).flatMap { objectsOf(it)?.classes.orEmpty() }.groupBy { it.name }.map { (name, same) ->
        val fields = same.first().fields.map { it.inWords }
        StoredClass(name, same.sumOf { it.count.toLong() }, same.sumOf { it.byteCount }, fields)
    }
