package dev.cairn.cli

import dev.cairn.event.messageLine
import dev.cairn.item.DamagedGraph
import dev.cairn.item.GraphComparison
import dev.cairn.item.GraphContent
import dev.cairn.reading.StoredBytes.Streams
import kotlinx.serialization.Serializable

/** A class of which [a] objects are in one of two graphs, and [b] in the other. */
@Serializable
internal class DifferingCount(val name: String, val a: Long, val b: Long)

/** This comparison of the bytes of two streams, with the first difference of the objects in them, if they hold any. */
internal fun ComparedItem.withObjects(a: Streams, b: Streams): ComparedItem =
    try {
        val classes = differingCounts(a.storedClasses(), b.storedClasses())
        if (a.rankCount == b.rankCount) withFirstObject(a, b, classes) else with(first, note, classes)
    } catch (damage: DamagedGraph) {
        with(first, "its objects cannot be read: ${damage.messageLine()}")
    }

private fun ComparedItem.withFirstObject(a: Streams, b: Streams, classes: List<DifferingCount>): ComparedItem {
    for (rank in 0 until a.rankCount) {
        val one = a.contentOf(rank) ?: return with(first, note, classes)
        val other = b.contentOf(rank) ?: return with(first, note, classes)
        val difference = GraphComparison(one, other).firstDifference() ?: continue
        val place = if (a.rankCount == 1) difference.path else "${difference.path} of rank $rank"
        return with(place, "${difference.mine} in A, ${difference.its} in B", classes)
    }
    return ComparedItem(name, elementCount, differingCount = 0, note = "the same objects, in other places of the files")
}

private fun ComparedItem.with(first: String?, note: String?, classes: List<DifferingCount> = emptyList()) =
    ComparedItem(name, elementCount, differingCount, largestDifference, first, note, classes)

/** Null if the kind of the stream has no objects, or if they are too many for the memory. */
private fun Streams.contentOf(rank: Int): GraphContent? = objectsOf(rank)?.content()

private fun differingCounts(a: List<StoredClass>, b: List<StoredClass>): List<DifferingCount> {
    val (ofA, ofB) = listOf(a, b).map { classes -> classes.associate { it.name to it.count } }
    return (ofA.keys + ofB.keys)
        .map { DifferingCount(it, ofA[it] ?: 0, ofB[it] ?: 0) }
        .filter { it.a != it.b }
}
