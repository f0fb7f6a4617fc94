package dev.cairn.heap

/** What a collection holds, without the way in which it holds it: ids of elements, or of keys and values in turn. */
internal class Content(val family: Family, val order: Order, private val read: HeapDump.(Int) -> LongArray) {
    enum class Family { LIST, SET, MAP }

    enum class Order {
        /** The program put its elements there. */
        OF_PROGRAM,

        /** Of hashes and capacities, or of a heap. */
        OF_HASH,

        /** It follows from the elements, or is drawn anew in each virtual machine. */
        WITHOUT_MEANING,
    }

    fun of(dump: HeapDump, instance: Int): LongArray = dump.read(instance)

    companion object {
        private val LISTS: Map<String, HeapDump.(Int) -> LongArray> =
            mapOf(
                "java.util.ArrayList" holds { array(it, "elementData", "size") },
                "java.util.Vector" holds { array(it, "elementData", "elementCount") },
                "java.util.Arrays\$ArrayList" holds { array(it, "a") },
                "java.util.ImmutableCollections\$ListN" holds { array(it, "elements") },
                "java.util.ImmutableCollections\$List12" holds { given(it, "e0", "e1") },
                "java.util.Collections\$SingletonList" holds { fields(it, "element") },
                "java.util.concurrent.CopyOnWriteArrayList" holds { array(it, "array") },
                "java.util.LinkedList" holds { chain(follow(it, "first"), "next", "item") },
                "java.util.ArrayDeque" holds
                    { ring(it, "elements", "head") { length, head -> past(length, head, bits(it, "tail").toInt()) } },
                "java.util.concurrent.ArrayBlockingQueue" holds
                    { ring(it, "items", "takeIndex") { _, _ -> bits(it, "count").toInt() } },
                "java.util.concurrent.LinkedBlockingQueue" holds { items(follow(it, "head")) },
                "java.util.concurrent.LinkedBlockingDeque" holds { items(follow(it, "first")) },
                "java.util.concurrent.ConcurrentLinkedQueue" holds { items(follow(it, "head")) },
                "java.util.concurrent.ConcurrentLinkedDeque" holds { items(follow(it, "head")) },
                "kotlin.collections.ArrayDeque" holds
                    { ring(it, "elementData", "head") { _, _ -> bits(it, "size").toInt() } },
                "kotlin.collections.builders.ListBuilder" holds { array(it, "backing", "length") },
            )

        private val MAPS: Map<String, HeapDump.(Int) -> LongArray> =
            mapOf(
                "java.util.HashMap" holds { buckets(it, "next", "key", "value") },
                "java.util.Hashtable" holds { buckets(it, "next", "key", "value") },
                "java.util.Properties" holds { content(follow(it, "map")) },
                "java.util.concurrent.ConcurrentHashMap" holds { buckets(it, "next", "key", "val") },
                "java.util.LinkedHashMap" holds { chain(follow(it, "head"), "after", "key", "value") },
                "java.util.TreeMap" holds { tree(follow(it, "root")) },
                "java.util.concurrent.ConcurrentSkipListMap" holds { skipList(it) },
                "java.util.IdentityHashMap" holds { pairs(it, "table") },
                "java.util.EnumMap" holds { enumMap(it) },
                "java.util.ImmutableCollections\$MapN" holds { pairs(it, "table") },
                "java.util.ImmutableCollections\$Map1" holds { fields(it, "k0", "v0") },
                "java.util.Collections\$SingletonMap" holds { fields(it, "k", "v") },
            )

        private val SETS: Map<String, HeapDump.(Int) -> LongArray> =
            mapOf(
                "java.util.HashSet" holds { keys(content(follow(it, "map"))) },
                "java.util.TreeSet" holds { keys(content(follow(it, "m"))) },
                "java.util.concurrent.ConcurrentSkipListSet" holds { keys(content(follow(it, "m"))) },
                "java.util.concurrent.ConcurrentHashMap\$KeySetView" holds { keys(content(follow(it, "map"))) },
                "java.util.concurrent.CopyOnWriteArraySet" holds { content(follow(it, "al")) },
                "java.util.Collections\$SetFromMap" holds { keys(content(follow(it, "m"))) },
                "java.util.Collections\$SingletonSet" holds { fields(it, "element") },
                "java.util.RegularEnumSet" holds { enumSet(it, longArrayOf(bits(it, "elements"))) },
                "java.util.JumboEnumSet" holds { enumSet(it, longs(follow(it, "elements"))) },
                "java.util.ImmutableCollections\$SetN" holds
                    { array(it, "elements").filter { id -> id != 0L }.toLongArray() },
                "java.util.PriorityQueue" holds { array(it, "queue", "size") },
                "java.util.concurrent.PriorityBlockingQueue" holds { array(it, "queue", "size") },
                "java.util.ImmutableCollections\$Set12" holds { given(it, "e0", "e1") },
            )

        private val OF_PROGRAM =
            setOf("java.util.LinkedHashMap", "java.util.LinkedHashSet", "java.util.concurrent.CopyOnWriteArraySet")
        private val OF_HASH =
            setOf("java.util.HashMap", "java.util.Hashtable", "java.util.HashSet", "java.util.IdentityHashMap") +
                setOf("java.util.concurrent.ConcurrentHashMap", "java.util.concurrent.ConcurrentHashMap\$KeySetView") +
                setOf("java.util.Collections\$SetFromMap", "java.util.Properties") +
                setOf("java.util.PriorityQueue", "java.util.concurrent.PriorityBlockingQueue")

        /** What instances of the class [name] of the JDK or of Kotlin hold; null if it is no collection. */
        fun ofClass(name: String): Content? {
            val order =
                if (name in
                    OF_PROGRAM
                ) {
                    Order.OF_PROGRAM
                } else if (name in OF_HASH) {
                    Order.OF_HASH
                } else {
                    Order.WITHOUT_MEANING
                }
            LISTS[name]?.let { return Content(Family.LIST, Order.OF_PROGRAM, it) }
            MAPS[name]?.let { return Content(Family.MAP, order, it) }
            val set = SETS[if (name == "java.util.LinkedHashSet") "java.util.HashSet" else name]
            return set?.let { Content(Family.SET, order, it) }
        }

        /** What a collection inside of another one holds. */
        private fun HeapDump.content(inner: Int): LongArray {
            if (inner == HeapDump.NONE) return LongArray(0)
            return classOf(inner).lineage.firstNotNullOfOrNull { ofClass(it.name) }?.of(this, inner) ?: LongArray(0)
        }
    }
}

private infix fun String.holds(read: HeapDump.(Int) -> LongArray): Pair<String, HeapDump.(Int) -> LongArray> =
    this to read

private fun keys(entries: LongArray) = LongArray(entries.size / 2) { entries[it * 2] }

private fun HeapDump.fields(instance: Int, vararg names: String) = LongArray(names.size) { bits(instance, names[it]) }

/** As [fields], without the object that stands for none. */
private fun HeapDump.given(instance: Int, first: String, second: String): LongArray {
    val number = follow(instance, second)
    val isEmpty =
        bits(instance, second) == 0L || (number != HeapDump.NONE && classOf(number).name == "java.lang.Object")
    return if (isEmpty) fields(instance, first) else fields(instance, first, second)
}

private fun HeapDump.array(instance: Int, name: String, size: String? = null): LongArray {
    val array = follow(instance, name)
    if (array == HeapDump.NONE) return LongArray(0)
    return if (size == null) references(array) else references(array, bits(instance, size).toInt())
}

private fun HeapDump.ring(instance: Int, name: String, first: String, count: (Int, Int) -> Int): LongArray {
    val all = array(instance, name)
    val head = bits(instance, first).toInt()
    return if (all.isEmpty()) {
        all
    } else {
        LongArray(count(all.size, head).coerceIn(0, all.size)) {
            all[(head + it).mod(all.size)]
        }
    }
}

private fun past(length: Int, head: Int, tail: Int) = (tail - head).mod(length)

private fun HeapDump.chain(first: Int, next: String, vararg parts: String): LongArray =
    Ids().also { follow(first, next, parts, it) }.toArray()

/** Adds the fields [parts] of the nodes from [first] on. A damaged chain may be a circle. */
private fun HeapDump.follow(first: Int, next: String, parts: Array<out String>, into: Ids) {
    var node = first
    var left = count
    while (node != HeapDump.NONE && left-- > 0) {
        for (part in parts) into += bits(node, part)
        node = follow(node, next)
    }
}

/** Nodes without an item are no elements. */
private fun HeapDump.items(first: Int): LongArray = chain(first, "next", "item").filter { it != 0L }.toLongArray()

/** Bins are lists; those that are trees are lists, too. */
private fun HeapDump.buckets(instance: Int, next: String, key: String, value: String): LongArray {
    val entries = Ids()
    val parts = arrayOf(key, value)
    for (id in array(instance, "table")) {
        val bin = numberOf(id)
        if (bin == HeapDump.NONE) continue
        val first =
            if (classOf(bin).field(key) == null ||
                classOf(bin).name.endsWith("TreeBin")
            ) {
                follow(bin, "first")
            } else {
                bin
            }
        follow(first, next, parts, entries)
    }
    return entries.toArray()
}

private fun HeapDump.tree(root: Int): LongArray {
    val entries = Ids()
    val above = ArrayDeque<Int>()
    var node = root
    while (node != HeapDump.NONE || above.isNotEmpty()) {
        while (node != HeapDump.NONE && above.size <= MOST_DEPTH) {
            above += node
            node = follow(node, "left")
        }
        node = above.removeLast()
        entries += bits(node, "key")
        entries += bits(node, "value")
        node = follow(node, "right")
        if (entries.size > 2L * count) break
    }
    return entries.toArray()
}

private fun HeapDump.skipList(instance: Int): LongArray {
    var index = follow(instance, "head")
    if (index == HeapDump.NONE) return LongArray(0)
    while (follow(index, "down") != HeapDump.NONE) index = follow(index, "down")
    val all = chain(follow(index, "node"), "next", "key", "val")
    return keys(all)
        .indices
        .filter { all[it * 2] != 0L && all[it * 2 + 1] != 0L }
        .flatMap {
            listOf(
                all[it * 2],
                all[
                    it *
                        2 +
                        1,
                ],
            )
        }.toLongArray()
}

private fun HeapDump.pairs(instance: Int, table: String): LongArray {
    val all = array(instance, table)
    return (0 until all.size - 1 step 2).filter { all[it] != 0L }.flatMap { listOf(all[it], all[it + 1]) }.toLongArray()
}

/** A value that is null is there as an object of the map's own. */
private fun HeapDump.enumMap(instance: Int): LongArray {
    val (keys, values) = array(instance, "keyUniverse") to array(instance, "vals")
    val kept = keys.indices.filter { values.getOrElse(it) { 0 } != 0L }
    return kept.flatMap { listOf(keys[it], values[it]) }.toLongArray()
}

private fun HeapDump.enumSet(instance: Int, words: LongArray): LongArray {
    val universe = array(instance, "universe")
    return universe
        .filterIndexed {
            index,
            _,
            ->
            words.getOrElse(index / 64) { 0 } ushr index % 64 and 1 == 1L
        }.toLongArray()
}

/** No tree that balances itself is deeper. */
private const val MOST_DEPTH = 128

/** Ids in their order. */
private class Ids {
    private var ids = LongArray(16)
    var size = 0
        private set

    operator fun plusAssign(id: Long) {
        if (size == ids.size) ids = ids.copyOf(size * 2)
        ids[size++] = id
    }

    fun toArray(): LongArray = ids.copyOf(size)
}
