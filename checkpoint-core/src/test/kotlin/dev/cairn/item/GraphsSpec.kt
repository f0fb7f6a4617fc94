package dev.cairn.item

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeSameInstanceAs
import java.math.BigDecimal
import java.math.BigInteger
import java.nio.file.Path
import java.time.DayOfWeek
import java.time.Duration
import java.time.Instant
import java.time.LocalDate
import java.time.ZoneId
import java.time.ZoneOffset
import java.time.ZonedDateTime
import java.util.AbstractMap.SimpleEntry
import java.util.BitSet
import java.util.Collections
import java.util.Date
import java.util.EnumMap
import java.util.EnumSet
import java.util.IdentityHashMap
import java.util.LinkedList
import java.util.Locale
import java.util.Optional
import java.util.PriorityQueue
import java.util.Random
import java.util.Stack
import java.util.TreeMap
import java.util.TreeSet
import java.util.UUID
import java.util.Vector
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.ConcurrentSkipListMap
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.atomic.AtomicLong
import java.util.concurrent.atomic.AtomicReference
import java.util.concurrent.locks.ReentrantLock
import java.util.ArrayDeque as JavaDeque

private class Node(val name: String) {
    var next: Node? = null
    var other: Any? = null
}

private enum class Mood(val weight: Int) {
    CALM(1),
    WILD(2) {
        override fun toString() = "very wild"
    },
}

private object Silence

private class Terrain private constructor(val cost: Int) {
    companion object {
        @JvmField
        val GRASS = Terrain(1)

        @JvmField
        val ROCK = Terrain(5)
    }
}

@JvmRecord
private data class Place(val x: Int, val y: Double, val owner: Any?)

private open class Animal(private val age: Int, protected val rate: Double) {
    @Transient
    var cache: String? = "computed"
    val seenAge get() = age
}

private class Dog(age: Int, private val age2: Short, val flags: BooleanArray) : Animal(age, 0.5) {
    private val rate2: Float = 1.25f
    val all get() = listOf(seenAge, rate, age2, rate2)
}

private class Hidden private constructor(val secret: Long) {
    companion object {
        fun make() = Hidden(42)
    }
}

private class City(val name: String) {
    inner class House(val number: Int) {
        val city get() = this@City
    }
}

/** Its hash reads a field that points back to the table that it is a key of. */
private class Key(val id: Int) {
    var within: Owner? = null

    override fun hashCode() = checkNotNull(within).name.hashCode() + id

    override fun equals(other: Any?) = other is Key && other.id == id && other.within?.name == within?.name
}

private class Owner(val name: String) {
    val table = HashMap<Key, String>()
    val keys = HashSet<Key>()
}

private class ByName : Comparator<Node> {
    override fun compare(one: Node, other: Node) = one.name.compareTo(other.name)
}

private class Many(val fields: List<Any?>)

class GraphsSpec :
    FunSpec({
        test("cycles and shared objects are the same ones") {
            val first = Node("a").apply { next = Node("b").also { it.next = this } }
            first.other = first.next
            val copy = copyOf(first)
            copy.next!!.next shouldBeSameInstanceAs copy
            copy.other shouldBeSameInstanceAs copy.next
            copy.name shouldBe "a"
        }

        test("arrays of arrays, with the same one twice and themselves") {
            val line = doubleArrayOf(1.5, Double.NaN, -0.0)
            val array = arrayOf<Any?>(arrayOf(line, line), intArrayOf(1, 2), arrayOf(arrayOf("x"), emptyArray()), null)
            array[3] = array
            val copy = copyOf(array)
            val (one, other) = copy[0] as Array<*>
            one shouldBeSameInstanceAs other
            (one as DoubleArray).map { it.toRawBits() } shouldBe line.map { it.toRawBits() }
            copy[3] shouldBeSameInstanceAs copy
            copy[2]!!.javaClass shouldBe array[2]!!.javaClass
        }

        test("constants, objects and classes are the program's own") {
            val all =
                listOf(Mood.CALM, Mood.WILD, Silence, Terrain.GRASS, Terrain.ROCK, Node::class.java, Int::class.java) +
                    listOf(Array<Node>::class.java, TimeUnit.DAYS, DayOfWeek.MONDAY, emptyList<Int>(), emptySet<Int>())
            val copy = copyOf(ArrayList(all))
            copy.zip(all).forEach { (one, other) -> one shouldBeSameInstanceAs other }
        }

        test("a record within a cycle") {
            val node = Node("a")
            node.other = Place(3, 0.25, node)
            val copy = copyOf(node)
            val place = copy.other as Place
            place.owner shouldBeSameInstanceAs copy
            place.x to place.y shouldBe (3 to 0.25)
        }

        test("records and unchanging collections that need each other") {
            var held: Any? = null
            repeat(1000) { held = if (it % 2 == 0) Place(it, 0.0, held) else java.util.List.of(held, it) }
            val node = Node("a").apply { other = held }
            copyOf(node).other.toString() shouldBe held.toString()
        }

        test("private, inherited and final fields, and none that is transient") {
            val copy = copyOf(Dog(7, -3, booleanArrayOf(true, false)))
            copy.all shouldBe listOf(7, 0.5, (-3).toShort(), 1.25f)
            copy.flags.toList() shouldBe listOf(true, false)
            copy.cache shouldBe null
            copyOf(Hidden.make()).secret shouldBe 42
        }

        test("an inner class and its outer object") {
            val city = City("Ulm")
            val (one, other) = copyOf(arrayListOf(city.House(1), city.House(2)))
            one.city shouldBeSameInstanceAs other.city
            other.city.name shouldBe "Ulm"
        }

        test("keys whose hash reads a field that points back") {
            val owner = Owner("Ann")
            for (id in 1..20) {
                val key = Key(id).apply { within = owner }
                owner.table[key] = "value $id"
                owner.keys += key
            }
            val copy = copyOf(owner)
            for (key in copy.keys) copy.table[key] shouldBe "value ${key.id}"
            copy.keys.size shouldBe 20
            copy.keys.first().within shouldBeSameInstanceAs copy
        }

        test("sets of sets, of which the outer one comes first or last") {
            val inner = HashSet(listOf("a", "b"))
            val middle = HashSet<Any>(listOf(inner, HashSet(listOf("c")), HashSet<String>()))
            val outer = HashSet<Any>(listOf(middle, 1))
            for (order in listOf(listOf(outer, middle, inner), listOf(inner, middle, outer))) {
                val copy = copyOf(ArrayList(order))
                copy shouldBe order
                val (first, second, third) = if (order[0] === outer) copy else copy.reversed()
                (second in (first as Set<*>)) shouldBe true
                (third in (second as Set<*>)) shouldBe true
            }
        }

        test("a hash table has the order that it had, though it has shrunk") {
            val map = HashMap<String, Int>()
            for (index in 0 until 5000) map["key $index"] = index
            map.values.retainAll { it % 500 == 0 }
            val set = HashSet(map.keys).apply { repeat(5000) { add("more $it") } }
            set.removeIf { it.startsWith("more") }
            val (copiedMap, copiedSet) = copyOf(arrayListOf(map, set))
            for (next in 0..300) {
                map["new $next"] = next
                set += "new $next"
                @Suppress("UNCHECKED_CAST")
                (copiedMap as HashMap<String, Int>)["new $next"] = next
                @Suppress("UNCHECKED_CAST")
                (copiedSet as HashSet<String>) += "new $next"
                withClue(next) { (copiedMap as Map<*, *>).toList() shouldContainExactly map.toList() }
                withClue(next) { (copiedSet as Set<*>).toList() shouldContainExactly set.toList() }
            }
        }

        test("a chain of a million objects comes back in a thread with a small stack") {
            val first = Node("0")
            var last = first
            for (number in 1 until 1_000_000) last = Node("x").also { last.next = it }
            var length = 0
            var failure: Throwable? = null
            val thread =
                Thread(null, {
                    runCatching {
                        val bytes = bytesOfGraph(mapOf("Model" to first))
                        var node = readGraph(bytes).roots["Model"] as Node?
                        while (node != null) node = node.next.also { length++ }
                    }.onFailure { failure = it }
                }, "small", 1 shl 17)
            thread.start()
            thread.join()
            failure shouldBe null
            length shouldBe 1_000_000
        }

        test("several roots, one of them null, share their objects") {
            val shared = Node("shared")
            val roots = mapOf("a" to Node("a").apply { next = shared }, "b" to null, "c" to shared)
            val copy = readGraph(bytesOfGraph(roots)).roots
            (copy["a"] as Node).next shouldBeSameInstanceAs copy["c"]
            copy.keys.toList() shouldBe listOf("a", "b", "c")
            copy["b"] shouldBe null
        }

        test("values of the JDK") {
            val values =
                listOf<Any?>(true, 1.toByte(), 2.toShort(), 'x', 3, -4L, 1.5f, -0.0, "text ü 𝄞", null) +
                    listOf(
                        BigInteger.TWO.pow(100),
                        BigDecimal("1.500"),
                        UUID(1, 2),
                        Instant.EPOCH,
                        Duration.ofMillis(5),
                    ) +
                    listOf(LocalDate.of(2020, 2, 29), ZoneId.of("Europe/Paris"), ZoneOffset.ofHours(2), Date(77)) +
                    listOf(ZonedDateTime.of(2020, 1, 1, 0, 0, 0, 5, ZoneId.of("Asia/Tokyo")), Locale.GERMANY) +
                    listOf(
                        Path.of("a/b"),
                        BitSet().apply { set(70) },
                        Optional.of("x"),
                        Optional.empty<Any>(),
                        1 to "b",
                    ) +
                    listOf(SimpleEntry("k", 2), java.util.Map.entry("k", 3), 1..5, Any())
            val copy = copyOf(ArrayList(values))
            copy.dropLast(1) shouldBe values.dropLast(1)
            copy.last()!!.javaClass shouldBe Any::class.java
        }

        test("objects that change: generators, atomics, locks that are free") {
            val random = Random(5).apply { nextGaussian() }
            val all =
                arrayListOf(
                    random,
                    AtomicInteger(4),
                    AtomicLong(5),
                    AtomicReference(Node("x")),
                    ReentrantLock(true),
                    random,
                    StringBuilder("abc"),
                )
            val copy = copyOf(all)
            (copy[0] as Random).let { it.nextGaussian() to it.nextInt() } shouldBe
                (random.nextGaussian() to random.nextInt())
            copy[5] shouldBeSameInstanceAs copy[0]
            "${copy[1]} ${copy[2]}" shouldBe "4 5"
            ((copy[3] as AtomicReference<*>).get() as Node).name shouldBe "x"
            (copy[4] as ReentrantLock).isFair shouldBe true
            "${copy[6]}" shouldBe "abc"
        }

        test("lists, queues, sets and maps of the JDK and of Kotlin") {
            val some = listOf("c", "a", "b")
            val entries = some.associateWith { it.length }
            val all =
                listOf<Any>(ArrayList(some), LinkedList(some), Vector(some), Stack<String>().apply { addAll(some) }) +
                    listOf(CopyOnWriteArrayList(some), LinkedHashSet(some), TreeSet(some), HashSet(some)) +
                    listOf(TreeMap(entries), LinkedHashMap(entries), ConcurrentHashMap(entries), HashMap(entries)) +
                    listOf(ConcurrentSkipListMap(entries), some, listOf("one"), setOf("one"), mapOf("a" to 1)) +
                    listOf(java.util.List.of(1, 2, 3), java.util.Set.of("a"), java.util.Map.of("a", 1, "b", 2)) +
                    listOf(
                        EnumSet.noneOf(Mood::class.java),
                        EnumSet.of(Mood.WILD),
                        EnumMap<Mood, Int>(Mood::class.java),
                    ) +
                    listOf(EnumMap(mapOf(Mood.WILD to 3)), Collections.unmodifiableList(ArrayList(some))) +
                    listOf(Collections.synchronizedMap(HashMap(entries)), Collections.emptyMap<Int, Int>()) +
                    listOf(
                        Collections.newSetFromMap(HashMap<String, Boolean>()).apply { addAll(some) },
                        ArrayDeque(some),
                    ) +
                    listOf(ConcurrentHashMap.newKeySet<String>().apply { addAll(some) })
            val copy = copyOf(ArrayList(all))
            for ((one, other) in copy.zip(all)) {
                withClue(other.javaClass) {
                    one shouldBe other
                    one.javaClass shouldBe other.javaClass
                    "$one" shouldBe "$other"
                }
            }
        }

        test("each wrapper of Collections") {
            val set = TreeSet(listOf("b", "a"))
            val map = TreeMap(mapOf("b" to 1, "a" to 2))
            val list = LinkedList(listOf("x"))
            val all =
                listOf(set, map, list, Collections.unmodifiableCollection(set), Collections.unmodifiableList(list)) +
                    listOf(Collections.unmodifiableSet(set), Collections.unmodifiableSortedSet(set)) +
                    listOf(Collections.unmodifiableNavigableSet(set), Collections.unmodifiableMap(map)) +
                    listOf(Collections.unmodifiableSortedMap(map), Collections.unmodifiableNavigableMap(map)) +
                    listOf(Collections.synchronizedCollection(set), Collections.synchronizedList(list)) +
                    listOf(Collections.synchronizedSet(set), Collections.synchronizedMap(map))
            val copy = copyOf(ArrayList(all))
            copy.map { it.javaClass } shouldBe all.map { it.javaClass }
            copy.map { "$it" } shouldBe all.map { "$it" }
            @Suppress("UNCHECKED_CAST")
            (copy[0] as TreeSet<String>) += "c"
            "${copy[3]} ${copy[6]} ${copy[13]}" shouldBe "[a, b, c] [a, b, c] [a, b, c]"
        }

        test("collections that have no equals") {
            val queue = PriorityQueue(ByName()).apply { listOf("d", "b", "c", "a").forEach { add(Node(it)) } }
            val deque = JavaDeque(listOf(3, 1, 2))
            val waiting = ConcurrentLinkedQueue(listOf(3, 1, 2))
            val identities = IdentityHashMap<Node, String>().apply { queue.forEach { put(it, it.name) } }
            val copy = copyOf(arrayListOf(queue, deque, waiting, identities))
            val nodes = (copy[0] as PriorityQueue<*>).map { it as Node }
            nodes.map { it.name } shouldBe queue.map { it.name }
            for (node in nodes) (copy[3] as Map<*, *>)[node] shouldBe node.name
            (copy[1] as JavaDeque<*>).toList() shouldBe listOf(3, 1, 2)
            (copy[2] as ConcurrentLinkedQueue<*>).toList() shouldBe listOf(3, 1, 2)
        }

        test("sorted collections keep their comparator, and trees the order that they had") {
            val orders: List<Comparator<String>> =
                listOf(
                    Comparator.naturalOrder(),
                    Comparator.reverseOrder(),
                    Collections.reverseOrder(String.CASE_INSENSITIVE_ORDER),
                    String.CASE_INSENSITIVE_ORDER,
                    reverseOrder(),
                )
            for (order in orders) {
                val set = TreeSet(order).apply { addAll(listOf("b", "C", "a")) }
                val copy = copyOf(set)
                copy.toList() shouldBe set.toList()
                copy.apply { add("d") }.toList() shouldBe set.apply { add("d") }.toList()
            }
            val byName = TreeMap<Node, Int>(ByName()).apply { listOf("b", "a").forEach { put(Node(it), it.length) } }
            val copy = copyOf(byName)
            copy.keys.map { it.name } shouldBe listOf("a", "b")
            copy.comparator().javaClass shouldBe ByName::class.java
        }

        test("a LinkedHashMap keeps its access order") {
            val map = LinkedHashMap<String, Int>(16, 0.75f, true).apply { listOf("a", "b", "c").forEach { put(it, 1) } }
            map["a"]
            val copy = copyOf(map)
            copy.keys.toList() shouldBe listOf("b", "c", "a")
            copy["b"]
            copy.keys.toList() shouldBe listOf("c", "a", "b")
        }

        test("a list that a stream has made still takes the question for null") {
            val lists =
                (0..3).map { size ->
                    java.util.stream.Stream
                        .of(*Array(size) { "x" })
                        .toList()
                }
            val copy = copyOf(ArrayList(lists + listOf(java.util.List.of("x", "y", "z"))))
            copy.take(4).map { null in it } shouldBe listOf(false, false, false, false)
            shouldThrow<NullPointerException> { null in copy.last() }
        }

        test("a wrapper around a list of List.of") {
            val lists = listOf(java.util.List.of<Any>(), java.util.List.of("x"), java.util.List.of("x", "y", "z"))
            val all = lists.flatMap { listOf(Collections.unmodifiableList(it), Collections.synchronizedList(it)) }
            val copy = copyOf(ArrayList(all))
            copy shouldBe all
            copy.map { it.javaClass } shouldBe all.map { it.javaClass }
        }

        test("wrappers are around the same collection, and a list around the same array") {
            val inner = arrayListOf("a")
            val array = arrayOf("x", "y")
            val copy = copyOf(Many(listOf(inner, Collections.unmodifiableList(inner), array, array.asList())))
            @Suppress("UNCHECKED_CAST")
            (copy.fields[0] as MutableList<String>) += "b"
            (copy.fields[1] as List<*>) shouldBe listOf("a", "b")
            @Suppress("UNCHECKED_CAST")
            (copy.fields[2] as Array<String>)[0] = "z"
            (copy.fields[3] as List<*>) shouldBe listOf("z", "y")
        }

        test("a table whose keys have no hash of their own is warned about, with its path") {
            val node = Node("a").apply { other = HashSet(listOf(Node("b"), Node("c"))) }
            val walk = GraphWalk("graph", mapOf("Model" to node), formsOf(OWN_PACKAGE))
            walk.warnings().single() shouldContain
                "'Model.other' is a java.util.HashSet with keys that have no hashCode"
        }

        test("the order of many keys with the same hash is warned about") {
            val map = HashMap<Pair<Int, Int>, Int>()
            for (x in 0 until 40) for (y in 0 until 40) map[x * 31 to -x * 31 * 31 + y % 2] = y
            for (index in 0 until 40) map[index to -31 * index] = index
            val roots = mapOf<String, Any?>("Model" to map)
            val walk = GraphWalk("graph", roots, formsOf(OWN_PACKAGE))
            val restored = readGraph(bytesOfGraph(roots))
            val comparison = GraphComparison(walk.content, restored.content)
            comparison.firstDifference() shouldBe null
            comparison.reordered.keys.single() shouldBe "java.util.HashMap"
        }

        test("an anonymous class is warned about") {
            val order =
                object : Comparator<String> {
                    override fun compare(one: String, other: String) = 0
                }
            val walk = GraphWalk("graph", mapOf("Model" to arrayListOf(order)), formsOf(OWN_PACKAGE))
            walk.warnings().single() shouldContain "'Model[0]' is of the anonymous class dev.cairn.item.GraphsSpec"
        }

        test("the first difference of two graphs has its path") {
            fun model(name: String) = Node("a").apply { next = Node("b").apply { other = arrayListOf(1, name) } }
            val forms = formsOf(OWN_PACKAGE)
            val sides =
                listOf("x", "y").map {
                    GraphWalk("graph", mapOf<String, Any?>("Model" to model(it)), forms).content
                }
            differenceOf(sides[0], sides[1]) shouldBe "'Model.next.other[1]' is x, and was read as y"
            differenceOf(sides[0], sides[0]) shouldBe null
        }

        test("an object that another item has is refused") {
            val shared = Node("shared")
            val roots = mapOf("Model" to Node("a").apply { next = shared })
            shouldThrow<RuntimeException> {
                GraphWalk("graph", roots, formsOf(OWN_PACKAGE)) { if (it === shared) "ladder.node" else null }
            }.message shouldBe
                "'Model.next' is also 'ladder.node', and a restart would make two of it: let one ask the other for " +
                "it. Nothing was saved."
        }
    })
