package dev.cairn.item

import java.nio.ByteBuffer
import java.util.Arrays
import java.util.BitSet

/** What is at the [path] in one of two graphs, and in the other one, in words. */
internal class GraphDifference(val path: String, val mine: String, val its: String)

/**
 * Walks through two graphs in lockstep from their roots, so that the first difference is one with a shortest path. What stands in hash
 * tables is compared last, by keys, since equal tables may have another order.
 */
internal class GraphComparison(private val one: GraphContent, private val other: GraphContent) {
    /** For each number, that of the object which corresponds to it. */
    private val partners = IntArray(one.count + 1)
    private val isTaken = BitSet(other.count + 1)
    private val paths = GraphPaths(one)
    private val ahead = ArrayDeque<Int>()
    private val tables = ArrayDeque<Int>()

    /** The first hash table of each class that has another order; complete if there is no difference. */
    val reordered = LinkedHashMap<String, Int>()

    fun pathTo(number: Int): String = paths.to(number)

    /** The number of the object that corresponds to the one with this number; 0 if that is a value or a constant. */
    fun partnerOf(number: Int): Int = partners[number]

    /** Null if there is none. */
    fun firstDifference(): GraphDifference? {
        if (one.roots.size != other.roots.size) throw DamagedGraph("it has ${other.roots.size} roots")
        for ((index, root) in one.roots.withIndex()) {
            meet(root.number, other.roots[index].number, 0, index)?.let { return it }
        }
        while (true) {
            val next = ahead.removeFirstOrNull() ?: tables.removeFirstOrNull() ?: return null
            difference(next, partners[next])?.let { return it }
        }
    }

    /** [mine] and [its] stand in the same place. */
    private fun meet(mine: Int, its: Int, holder: Int, step: Int): GraphDifference? {
        val isSame =
            when {
                mine == 0 || its == 0 -> mine == its
                partners[mine] == its -> true
                one.typeOf(mine).run { kind != other.typeOf(its).kind || name != other.typeOf(its).name } -> false
                !one.isOwned(mine) -> one.bytesOf(mine).contentEquals(other.bytesOf(its))
                partners[mine] != 0 || isTaken[its] -> false
                else -> pair(mine, its, holder, step)
            }
        return if (isSame) null else difference(paths.to(holder, step), mine, its)
    }

    private fun difference(path: String, mine: Int, its: Int): GraphDifference {
        val (was, now) = one.wordsOf(mine) to other.wordsOf(its)
        return GraphDifference(path, was, if (was == now) "another one" else now)
    }

    private fun pair(mine: Int, its: Int, holder: Int, step: Int): Boolean {
        partners[mine] = its
        isTaken.set(its)
        paths.enter(mine, holder, step)
        if (tableOf(mine) == null) ahead += mine else tables += mine
        return true
    }

    private fun tableOf(number: Int): ContainerForm? =
        graphContainers[one.typeOf(number).name]?.takeIf { it.isOrderedByHash }

    private fun difference(mine: Int, its: Int): GraphDifference? {
        val type = one.typeOf(mine)
        val length = one.lengthOf(mine)
        return when {
            type.fields != other.typeOf(its).fields -> at(mine, "", "with other fields")
            length != other.lengthOf(its) -> at(mine, "of the length $length", "of ${other.lengthOf(its)}")
            tableOf(mine) == null && one.factOf(mine) != other.factOf(its) -> at(mine, "", "of another order")
            type.kind == GraphKind.VALUE -> valuesDiffer(mine, its)
            type.kind == GraphKind.NUMBERS -> numbersDiffer(mine, its, length)
            else -> fieldsDiffer(mine, its, type) ?: partsDiffer(mine, its)
        }
    }

    private fun at(mine: Int, detail: String, its: String) =
        GraphDifference(paths.to(mine), "${one.wordsOf(mine)} $detail".trim(), "one $its")

    private fun valuesDiffer(mine: Int, its: Int): GraphDifference? =
        if (one.bytesOf(mine).contentEquals(other.bytesOf(its))) null else difference(paths.to(mine), mine, its)

    private fun numbersDiffer(mine: Int, its: Int, length: Int): GraphDifference? {
        val element = checkNotNull(elementOfArray(one.typeOf(mine).name))
        for (from in 0 until length step MOST_ELEMENTS) {
            val count = minOf(MOST_ELEMENTS, length - from)
            val (before, after) = one.elementsOf(mine, from, count) to other.elementsOf(its, from, count)
            val index = Arrays.mismatch(before, after).let { if (it < 0) continue else it / element.size }
            val (was, now) =
                listOf(before, after).map { bitsIn(ByteBuffer.wrap(it), index * element.size, element.size) }
            val path = "${paths.to(mine)}[${from + index}]"
            return GraphDifference(path, "${element.boxed(was)}", "${element.boxed(now)}")
        }
        return null
    }

    private fun fieldsDiffer(mine: Int, its: Int, type: GraphType): GraphDifference? {
        for ((index, field) in type.fields.withIndex()) {
            val element = field.element ?: continue
            val (before, after) = one.bitsOf(mine, index) to other.bitsOf(its, index)
            if (before == after) continue
            val path = paths.to(mine) + type.fields.stepTo(field)
            return GraphDifference(path, "${element.boxed(before)}", "${element.boxed(after)}")
        }
        return null
    }

    private fun partsDiffer(mine: Int, its: Int): GraphDifference? {
        val parts = one.referencesOf(mine)
        val table = tableOf(mine)
        val others = other.referencesOf(its).let { if (table == null) it else inOrderOf(parts, it, table, mine) }
        for (index in parts.indices) meet(parts[index], others[index], mine, index)?.let { return it }
        return null
    }

    /** What [others] have, in the order in which [parts] have the same keys: the same values, or objects that were met elsewhere. */
    private fun inOrderOf(parts: IntArray, others: IntArray, table: ContainerForm, number: Int): IntArray {
        val all = others.indices step table.stride
        val places = all.associateByTo(LinkedHashMap()) { keyOf(other, others[it], others[it]) }
        val found =
            Array(parts.size / table.stride) {
                val key = parts[it * table.stride]
                places.remove(keyOf(one, key, partners[key]))
            }
        // Others were met nowhere else, so that their order alone can tell.
        val left = found.indices.filter { found[it] == null }.sortedBy { parts[it * table.stride] }
        for ((index, place) in left.zip(places.values.sortedBy { others[it] })) found[index] = place
        val isReordered = found.withIndex().any { (index, place) -> place != index * table.stride }
        if (isReordered) reordered.putIfAbsent(table.name, number)
        return IntArray(parts.size) { others[checkNotNull(found[it / table.stride]) + it % table.stride] }
    }

    /** By what [content] says of a value, or by the [number] in the other graph. */
    private fun keyOf(content: GraphContent, key: Int, number: Int): Any =
        when {
            key == 0 -> Unit
            content.isOwned(key) -> number
            else -> content.typeOf(key).name to ByteBuffer.wrap(content.bytesOf(key))
        }

    private fun GraphContent.wordsOf(number: Int): String = textOf(number) ?: "a ${typeOf(number).name}"
}

/** Of an array that are compared at once. */
private const val MOST_ELEMENTS = 1 shl 13
