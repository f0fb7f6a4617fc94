package dev.cairn.item

import dev.cairn.event.CheckpointException.InvalidDeclaration
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.io.ByteArrayInputStream
import java.io.Externalizable
import java.io.ObjectInput
import java.io.ObjectOutput
import java.io.ObjectOutputStream
import java.io.Serializable
import java.math.BigDecimal
import java.time.YearMonth
import java.util.Collections
import java.util.EnumSet
import java.util.EventObject
import java.util.LinkedList
import java.util.Timer
import java.util.TreeSet
import java.util.WeakHashMap
import java.util.concurrent.Executors
import java.util.concurrent.locks.ReentrantLock

private class Model {
    val listeners = ArrayList<Any?>(listOf(null, "a", "b"))
    val byName = LinkedHashMap<String, Any?>()
}

private class Mutable private constructor() {
    var count = 0

    companion object {
        @JvmField
        val ONLY = Mutable()
    }
}

private object Registry {
    val all = ArrayList<String>()
}

private enum class Counter {
    ONE,
    ;

    var count = 0
}

private class OwnList : ArrayList<String>()

/** All fields of a linked list are transient. */
private class Queue : LinkedList<String>()

private class Event(source: Any) : EventObject(source)

private enum class Team {
    RED {
        @Suppress("unused")
        var score = 0
    },
}

private enum class Guild {
    SMITHS,
    ;

    @Suppress("unused")
    val members = ArrayList<String>()
}

/** Whose content is set once. */
private enum class Rate(val times: (Int) -> Int) {
    DOUBLE({ 2 * it }),
    ;

    @Transient
    val table = intArrayOf(1, 2)
    val limit = 3L..7L
    val other: Rate? get() = null
}

/** Its state is in a field that is transient. */
private class OwnForm : Serializable {
    @Transient
    private val cells = IntArray(3)

    private fun writeObject(target: ObjectOutputStream) = target.writeInt(cells[0])
}

private class OwnFormWithZero(start: Long) : Externalizable {
    @Transient
    private var value = start

    override fun writeExternal(target: ObjectOutput) = target.writeLong(value)

    override fun readExternal(source: ObjectInput) {
        value = source.readLong()
    }

    companion object {
        @JvmField
        val ZERO = OwnFormWithZero(0)
    }
}

/** A table with a mark of places from which something was taken. */
private class Slots {
    val places = arrayOfNulls<Any>(3)

    fun free(place: Int) {
        places[place] = FREED
    }

    private companion object {
        val FREED = Any()
    }
}

/** The class within it is initialized when it is first asked for. */
private class Only {
    private object Holder {
        init {
            isAsked = true
        }

        @JvmField
        val ONLY = Only()
    }

    companion object {
        var isAsked = false

        fun get(): Any = Holder.ONLY
    }
}

/** What constants with nothing but their content hold may come back as others. */
private class Plan(val steps: List<String>, val limit: Limit, val rest: IntArray) {
    companion object {
        @JvmField
        val NO_STEPS: List<String> = java.util.List.of()

        @JvmField
        val LIMIT = Limit(3)

        @JvmField
        val NO_REST = IntArray(0)
    }
}

@JvmRecord
private data class Limit(val most: Int)

private class Ordered {
    val sorted = TreeSet(BY_LENGTH)

    private companion object {
        val BY_LENGTH = ByLength()
    }
}

private class ByLength : Comparator<String> {
    override fun compare(one: String, other: String) = one.length - other.length
}

private class Task : Thread()

private enum class Void

/** Has a class of its own of this name. */
private class PlugIns(private val name: String) : ClassLoader(Task::class.java.classLoader) {
    override fun loadClass(wanted: String, resolve: Boolean): Class<*> {
        if (wanted != name) return super.loadClass(wanted, resolve)
        val bytes = getResourceAsStream(name.replace('.', '/') + ".class")!!.use { it.readAllBytes() }
        return findLoadedClass(name) ?: defineClass(name, bytes, 0, bytes.size)
    }
}

/** A list in whose place another one is written. */
private class Replaced(private val other: () -> Any) :
    java.util.AbstractList<String>(),
    Serializable {
    override val size get() = 1

    override fun get(index: Int) = "a"

    private fun writeReplace(): Any = other()
}

private fun refusalOf(root: Any, named: Set<String> = OWN_PACKAGE): String =
    shouldThrow<InvalidDeclaration> {
        bytesOfGraph(mapOf("Model" to root), named)
    }.message!!.also { it shouldContain "Nothing was saved." }

private fun refusalOfListener(listener: Any) = refusalOf(Model().apply { listeners += listener })

class RefusedGraphsSpec :
    FunSpec({
        test("a lambda, with its path and what to do") {
            refusalOfListener(Runnable { println() }) shouldBe
                "'Model.listeners[3]' is a lambda, which has no name that a restart knows: write a class with that " +
                "function, or let the field be transient, and set it again after a restore. Nothing was saved."
            refusalOfListener { 3 } shouldContain "'Model.listeners[3]' is a lambda"
            refusalOfListener(String::length) shouldContain "'Model.listeners[3]' is a lambda"
        }

        val resources =
            mapOf(
                "a thread (java.lang.Thread)" to Thread(),
                "a thread (dev.cairn.item.Task)" to Task(),
                "a timer" to Timer(true),
                "an executor" to Executors.newSingleThreadExecutor().apply { shutdown() },
                "an open file or stream (java.io.ByteArrayInputStream)" to ByteArrayInputStream(ByteArray(0)),
                "a stream" to listOf(1).stream(),
                "a class loader" to Model::class.java.classLoader,
                "a value of each thread" to ThreadLocal<Int>(),
            )
        for ((words, resource) in resources) {
            test("$words is refused") {
                refusalOfListener(resource) shouldContain "'Model.listeners[3]' is $words"
            }
        }

        test("a lock that is held") {
            refusalOfListener(ReentrantLock().apply { lock() }) shouldContain
                "'Model.listeners[3]' is a lock that is held: save when it is free."
        }

        test("classes of the JDK whose objects would not come back as they were") {
            val map = WeakHashMap<String, Int>()
            refusalOfListener(map) shouldContain "is a java.util.WeakHashMap, which a restart cannot make"
            refusalOfListener(arrayListOf(1, 2).subList(0, 1)) shouldContain "which a restart cannot make"
            refusalOfListener(OwnList()) shouldContain "is a dev.cairn.item.OwnList, and so a java.util.ArrayList: hold"
            refusalOfListener(hashMapOf("a" to 1).keys) shouldContain "which a restart cannot make"
        }

        test("a class whose serialized form is not its fields") {
            refusalOfListener(OwnForm()) shouldContain
                "is a dev.cairn.item.OwnForm, whose state is what its writeObject"
        }

        test("a class that extends one of the JDK, whose state is in transient fields") {
            refusalOfListener(Queue().apply { add("a") }) shouldContain
                "is a dev.cairn.item.Queue, and so a java.util.LinkedList: hold that in a field"
            refusalOfListener(Event("here")) shouldContain "is a dev.cairn.item.Event, and so a java.util.EventObject"
            val own =
                object : java.util.AbstractList<String>() {
                    override val size get() = 0

                    override fun get(index: Int) = ""
                }
            bytesOfGraph(mapOf("Model" to own))
        }

        test("a class with an own serialized form that has a constant of itself") {
            refusalOfListener(OwnFormWithZero(42)) shouldContain
                "is a dev.cairn.item.OwnFormWithZero, whose state is what its Externalizable makes of it"
        }

        test("an object that a static final field of its holder keeps, too") {
            refusalOfListener(Slots().apply { free(1) }) shouldBe
                "'Model.listeners[3].places[1]' is also what the static field dev.cairn.item.Slots.FREED holds, and " +
                "a restart would make two of it: name it by outside(\"FREED\", …). Nothing was saved."
        }

        test("but what has nothing but its content is saved, such as an empty list") {
            bytesOfGraph(mapOf("Model" to arrayListOf(Plan(Plan.NO_STEPS, Plan.LIMIT, Plan.NO_REST))))
        }

        test("and no class is initialized to look at its static fields") {
            bytesOfGraph(mapOf("Model" to arrayListOf(Only())))
            Only.isAsked shouldBe false
        }

        test("but a comparator in a static field, and a root of which the setter takes care, are saved") {
            bytesOfGraph(mapOf("Model" to Ordered().apply { sorted += "a" }))
            bytesOfGraph(mapOf("Model" to Only.get()))
        }

        test("a comparator that is a lambda") {
            refusalOfListener(TreeSet<String>(Comparator.comparingInt { it.length })) shouldContain
                "'Model.listeners[3].comparator' is "
        }

        test("constants that change") {
            refusalOfListener(Counter.ONE) shouldContain "is a constant, whose field 'count' can change"
            refusalOfListener(Team.RED) shouldContain "is a constant, whose field 'score' can change"
            refusalOfListener(Guild.SMITHS) shouldContain
                "is a constant, and what its field 'members' holds may change: move that field into another object, " +
                "or let it be transient if it never does."
            bytesOfGraph(mapOf("Model" to arrayListOf(Rate.DOUBLE)))
            refusalOfListener(Mutable.ONLY) shouldContain "is the constant dev.cairn.item.Mutable.ONLY, whose content"
            refusalOfListener(Registry) shouldContain "is the constant dev.cairn.item.Registry.INSTANCE, whose content"
        }

        test("a class outside of the packages of the graph") {
            refusalOf(Model(), setOf("com.example")) shouldContain
                "'Model' is of dev.cairn.item.Model, which is in no package of the graph: name the package dev.cairn.item"
            refusalOf(arrayOf<Model>(), setOf("com.example")) shouldContain "is in no package of the graph"
        }

        test("the path goes through keys and values of maps") {
            val model = Model().apply { byName["x"] = arrayOf(null, Thread()) }
            refusalOf(model) shouldContain "'Model.byName[x][1]' is a thread"
        }

        test("a Set.of with keys whose hash needs their fields") {
            val key =
                object {
                    val name = "x"

                    override fun hashCode() = name.hashCode()
                }
            refusalOfListener(java.util.Set.of(key)) shouldContain "is made by Set.of or Map.of"
        }

        test("a class of a class loader that a restart does not ask") {
            val name = Model::class.java.name
            val plugIn =
                PlugIns(
                    name,
                ).loadClass(name).getDeclaredConstructor().apply { isAccessible = true }.newInstance()
            refusalOfListener(plugIn) shouldContain
                "'Model.listeners[3]' is of another dev.cairn.item.Model than a restart makes: load it by"
        }

        test("a set of an enum without constants") {
            refusalOfListener(EnumSet.noneOf(Void::class.java)) shouldContain
                "'Model.listeners[3]' is a set of an enum without constants"
        }

        test("a wrapper that hides what it is around") {
            val hiding =
                listOf<Any>(
                    Collections.unmodifiableSet(EnumSet.of(Team.RED)),
                    Collections.unmodifiableMap(java.util.Map.of("a", 1)),
                    Collections.unmodifiableSet(java.util.Set.of("a")),
                    Collections.unmodifiableList(Replaced { arrayListOf("b") }),
                )
            for (wrapper in hiding) {
                refusalOfListener(wrapper) shouldContain "'Model.listeners[3]' hides what it is around, as an EnumSet"
            }
            refusalOfListener(Collections.unmodifiableList(Replaced { error("broken") })) shouldContain
                "'Model.listeners[3]' is around what cannot be asked for: it threw"
            refusalOfListener(Collections.unmodifiableList(arrayListOf(Thread()))) shouldContain "[0]' is a thread"
        }

        test("a number or a date that is not what its text says") {
            val number = BigDecimal.ONE.scaleByPowerOfTen(Int.MAX_VALUE)
            refusalOfListener(number.multiply(BigDecimal("123"))) shouldContain "'Model.listeners[3]' is a "
            refusalOfListener(YearMonth.of(12345, 3)) shouldContain
                "'Model.listeners[3]' is a java.time.YearMonth that cannot be read back from its text"
        }

        test("a text that UTF-8 cannot encode") {
            refusalOfListener("\ud800") shouldContain "'Model.listeners[3]' is a text with half of a pair of surrogates"
        }

        test("a long path is cut in the middle") {
            val root = arrayOfNulls<Any>(1)
            var last = root
            repeat(1000) { last = arrayOfNulls<Any>(1).also { last[0] = it } }
            last[0] = Thread()
            refusalOf(root) shouldContain "'Model[0][0][0][0][0][0][0][0][0]…(982 more)…[0]"
        }
    })
