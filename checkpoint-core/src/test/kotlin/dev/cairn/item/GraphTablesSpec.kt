package dev.cairn.item

import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.event.CheckpointException.Mismatch
import io.kotest.assertions.nondeterministic.eventually
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.io.ByteArrayOutputStream
import java.lang.ref.WeakReference
import java.util.Collections
import java.util.Date
import java.util.IdentityHashMap
import java.util.Optional
import java.util.PriorityQueue
import java.util.TreeMap
import java.util.TreeSet
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.ConcurrentSkipListSet
import kotlin.time.Duration.Companion.minutes

private enum class Beast {
    WOLF,
    SHEEP,
}

@JvmRecord
private data class BeastKey(val beast: Beast, val number: Int)

@JvmRecord
private data class AnyKey(val held: Any)

private class ByWeight : Comparator<String> {
    @Transient
    private val weights = mapOf("a" to 1)

    override fun compare(one: String, other: String) = weights.getValue(one) - weights.getValue(other)
}

/** No variable of the caller holds it. */
private fun askedTable(): WeakReference<Any> {
    val table = hashMapOf("a" to Labelled("b"))
    bytesOfGraph(mapOf("Model" to arrayListOf(table, Collections.unmodifiableList(listOf(table)))))
    return WeakReference(table)
}

private sealed interface Sort

private class Plain : Sort {
    override fun hashCode() = 1

    override fun equals(other: Any?) = other is Plain
}

@JvmRecord
private data class SortKey(val sort: Sort)

private class Labelled(var name: String) : Comparable<Labelled> {
    override fun hashCode() = 1

    override fun equals(other: Any?) = other is Labelled && other.name == name

    override fun compareTo(other: Labelled) = name.compareTo(other.name)
}

private class ByTurn : Comparator<String> {
    override fun compare(one: String, other: String) = sign * one.compareTo(other)

    companion object {
        var sign = 1
    }
}

private class Breaking {
    var isBroken = false

    override fun hashCode(): Int = if (isBroken) error("broken") else 1

    override fun equals(other: Any?) = other is Breaking
}

/** Its hash is the number of what waits. */
private class Desk {
    val waiting = PriorityQueue<String>()

    override fun hashCode() = waiting.size

    override fun equals(other: Any?) = other is Desk && other.waiting.toList() == waiting.toList()
}

private fun warningsOf(root: Any): List<String> =
    GraphWalk("graph", mapOf("Model" to root), formsOf(OWN_PACKAGE)).warnings()

private fun refusalOf(root: Any): String =
    shouldThrow<InvalidDeclaration> { bytesOfGraph(mapOf("Model" to root)) }.message.toString()

/** Lists that hold each the one before twice, so that [depth] of them have 2^[depth] elements. */
private fun doubled(depth: Int): List<Any> {
    var last = ArrayList<Any>()
    repeat(depth) { last = arrayListOf(last, last) }
    return last
}

class GraphTablesSpec :
    FunSpec({
        test("a key that is a sorted set, or that asks a queue, is found again") {
            val desks = (0..5).map { size -> Desk().apply { repeat(size) { waiting += "x$it" } } }
            val sets = (0..5).map { size -> ConcurrentSkipListSet((0..size).toList()) }
            val map = HashMap<Any, Int>()
            (desks + sets + listOf(listOf(sets[3]))).forEachIndexed { index, key -> map[key] = index }
            val copy = copyOf(map)
            copy.keys.map { copy[it] }.toSet() shouldBe map.values.toSet()
        }

        test("a key with a component of an interface is found again") {
            val key = SortKey(Plain())
            copyOf(hashMapOf(key to 1))[key] shouldBe 1
        }

        test("two keys that have become equal are refused") {
            val key = Labelled("a")
            val set = hashSetOf(key, Labelled("b"))
            key.name = "b"
            refusalOf(arrayListOf(set)) shouldContain
                "'Model[0]' has two keys that have become equal, a dev.cairn.item.Labelled: take it out before it changes"
        }

        test("a key that has changed is refused, in a set that keeps an order, too") {
            val key = arrayListOf("a")
            val set = linkedSetOf(key)
            key += "b"
            refusalOf(arrayListOf(set)) shouldContain
                "'Model[0]' has a key that has changed since it was put in, a java.util.ArrayList"
        }

        test("a date that has changed as a key is refused, and equal keys of a table of identities are not") {
            val date = Date(3)
            val set = hashSetOf(date)
            date.time = 4
            refusalOf(arrayListOf(set)) shouldContain "'Model[0]' has a key that has changed since it was put in"
            val all = IdentityHashMap<Labelled, Int>().apply { repeat(3) { put(Labelled("a"), it) } }
            copyOf(all).values.toSet() shouldBe setOf(0, 1, 2)
        }

        test("a queue whose elements have changed is refused") {
            val all = listOf("a", "b", "c").map(::Labelled)
            val queue = PriorityQueue(all)
            all[0].name = "z"
            refusalOf(arrayListOf(queue)) shouldContain
                "'Model[0]' has elements that have changed since they were put in"
        }

        test("a tree whose keys have changed is refused") {
            val all = listOf("a", "b", "c").map(::Labelled)
            val sorted = listOf<Any>(TreeSet(all), TreeMap(all.associateWith { 1 }), ConcurrentSkipListSet(all))
            all[0].name = "z"
            for (found in sorted) {
                refusalOf(arrayListOf(found)) shouldContain
                    "'Model[0]' has elements that have changed since they were put in"
            }
        }

        test("a comparator that orders otherwise than when it was saved is refused") {
            for (sorted in listOf(TreeSet(ByTurn()), ConcurrentSkipListSet(ByTurn()))) {
                sorted.addAll(listOf("a", "b", "c"))
                val bytes = bytesOfGraph(mapOf("Model" to sorted))
                ByTurn.sign = -1
                try {
                    shouldThrow<Mismatch> { readGraph(bytes) }.message shouldContain
                        "${sorted.javaClass.name} cannot be filled again: its elements are not in the order of its comparator"
                } finally {
                    ByTurn.sign = 1
                }
                copyOf(sorted).toList() shouldBe listOf("a", "b", "c")
            }
        }

        test("empty places of tables are kept up to a sum, and what is beyond is warned about") {
            val all = List(17) { HashMap<String, Int>(1 shl 20) }
            warningsOf(all.take(16)).shouldBeEmpty()
            warningsOf(all).single() shouldContain
                "'Model[16]' is the last of hash tables with 16777216 empty places. Its size is not kept"
            copyOf(ArrayList(all)) shouldBe all
        }

        test("a table of identities with texts or numbers as keys, which are others after a restart, is refused") {
            for (key in listOf("a", 1000, 2.5)) {
                refusalOf(arrayListOf(IdentityHashMap(mapOf(key to 1)))) shouldContain
                    "'Model[0]' finds ${key.javaClass.name}s by their identity"
            }
            copyOf(IdentityHashMap(mapOf(Beast.WOLF to 1)))[Beast.WOLF] shouldBe 1
        }

        test("what a hash or a comparator of the program throws is refused with the path of the table") {
            val key = Breaking()
            val table = hashSetOf(key)
            key.isBroken = true
            refusalOf(arrayListOf(table)) shouldContain
                "'Model[0]' cannot be saved: java.lang.IllegalStateException: broken: correct that, or let no other thread"
        }

        test("orders that change by the constants of an enum are warned about") {
            val keys =
                listOf(
                    BeastKey(Beast.WOLF, 1),
                    listOf(Beast.SHEEP),
                    Beast.WOLF to 3,
                    Labelled::class.java,
                    setOf(Beast.WOLF),
                    Optional.of(Beast.WOLF),
                    java.util.Map.entry("a", Beast.WOLF),
                    AnyKey(listOf(AnyKey(Optional.of(Beast.SHEEP)))),
                    mapOf("a" to AnyKey(Beast.WOLF)),
                )
            for (key in keys) {
                warningsOf(arrayListOf(hashSetOf(key))).single() shouldContain "'Model[0]' is a java.util.HashSet"
            }
            val good = listOf(hashSetOf("a"), hashSetOf(1 to 2), hashSetOf(AnyKey(Optional.of("a"))))
            warningsOf(arrayListOf(linkedSetOf(keys), good)).shouldBeEmpty()
        }

        test("a ConcurrentHashMap whose order is that of a former size is warned about") {
            val map = ConcurrentHashMap((0..999).associateWith { it })
            warningsOf(arrayListOf(map)).shouldBeEmpty()
            map.keys.removeIf { it !in setOf(2, 17, 33) }
            warningsOf(arrayListOf(ConcurrentHashMap(map), map)).single() shouldContain
                "'Model[1]' is a java.util.concurrent.ConcurrentHashMap that has grown otherwise than a new one, so " +
                "that its order changes at a restart"
        }

        test("a comparator with a transient field, by which a restart would fill a queue, is warned about") {
            for (queue in listOf<Any>(PriorityQueue(ByWeight()), TreeSet(ByWeight()))) {
                warningsOf(arrayListOf(queue)).single() shouldContain
                    "'Model[0]' has the comparator dev.cairn.item.ByWeight, whose field 'weights' is transient, and " +
                    "so empty when a restart fills it"
            }
        }

        test("nothing is kept of a table that was asked for its form") {
            val table = askedTable()
            eventually(1.minutes) {
                System.gc()
                table.get() shouldBe null
            }
        }

        test("sets and maps by Set.of and Map.of are warned about, and tables of identities") {
            val doubtful =
                listOf<Any>(java.util.Set.of("a", "b"), java.util.Set.of(1, 2, 3), java.util.Map.of("a", 1, "b", 2)) +
                    IdentityHashMap(mapOf(Labelled("a") to 1, Labelled("b") to 2))
            for (found in doubtful) {
                warningsOf(arrayListOf(found)).single() shouldContain
                    "'Model[0]' is a ${found.javaClass.name}, so that its order changes at a restart"
            }
            val good = arrayListOf(java.util.Set.of<Int>(), java.util.Set.of("a"), java.util.Map.of("a", 1))
            warningsOf(good).shouldBeEmpty()
        }

        test("a key that would take years to hash is refused by a save and by a restart") {
            for (table in listOf(HashSet<Any>(), LinkedHashSet())) {
                val key = ArrayList<Any>()
                table.add(key)
                key.add(doubled(60))
                refusalOf(arrayListOf(table)) shouldContain "'Model[0]' has a key with more than 16777216 elements"

                val walk = GraphWalk("graph", mapOf("Model" to table), formsOf(OWN_PACKAGE))
                val bytes = ByteArrayOutputStream().also { GraphWriting("graph", walk, it).run() }.toByteArray()
                shouldThrow<DamagedGraph> { readGraph(bytes) }.message shouldContain "has more than 16777216 elements"
            }
        }
    })
