package dev.cairn.proof.state

import dev.cairn.SoloCheckpoints
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.event.CheckpointException.Mismatch
import dev.cairn.faces.FieldsInJava
import dev.cairn.proof.log.quietly
import dev.cairn.reading.StoredCheckpoints
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.serialization.Serializable
import java.io.StringWriter
import java.lang.ref.WeakReference
import java.nio.file.Path
import java.util.ArrayDeque
import java.util.BitSet
import java.util.Deque
import java.util.EnumSet
import java.util.Optional
import java.util.Random
import java.util.TreeMap
import java.util.concurrent.locks.ReentrantLock

/** All fields of an object are declared at once, and what would not come back is refused. */
class FieldsSpec :
    FunSpec({
        quietly()
        val directory = tempdir().toPath()

        test("the fields of an object in Java come back, with its collections, parts and generators") {
            val store = directory.resolve("java.cairn")
            val first = FieldsInJava()
            opened(store, first).use { saves ->
                for (step in 1L..3) {
                    first.advance()
                    saves.save(step)
                }
            }
            val second = FieldsInJava()
            opened(store, second).use { it.restore() shouldBe 3 }
            second.isLinked() shouldBe true
            second.inWords() shouldBe first.inWords()
            second.inWords() shouldBe first.inWords()
        }

        test("the fields of an object in Kotlin come back, private and lateinit ones too") {
            val store = directory.resolve("kotlin.cairn")
            val first = Tank().apply { prepare() }
            opened(store, first).use { saves ->
                first.advance()
                saves.save(1)
            }
            val second = Tank()
            opened(store, second).use { it.restore() shouldBe 1 }
            second.inWords() shouldBe first.inWords()
        }

        test("each piece is declared by its path, what is constant is not, and shared objects are declared once") {
            val store = directory.resolve("names.cairn")
            SoloCheckpoints.open(store) { fields("pair", Couple(Leaf(1), Leaf(1))) }.use { it.save(1) }
            namesIn(store) shouldContainExactly listOf("pair.left.hits", "pair.right.hits", "pair.sum")
            val leaf = Leaf(1)
            val shared = directory.resolve("shared.cairn")
            SoloCheckpoints.open(shared) { fields("pair", Couple(leaf, leaf)) }.use { it.save(1) }
            namesIn(shared) shouldContainExactly listOf("pair.left.hits", "pair.sum")
        }

        test("except leaves fields out by their paths, and a path that is none is refused") {
            val store = directory.resolve("except.cairn")
            val couples = Holding(mutableListOf(Couple(Leaf(1), Leaf(2)), Couple(Leaf(3), Leaf(4))))
            SoloCheckpoints.open(store) { fields("all", couples, "held.left", "held.sum") }.use { it.save(1) }
            namesIn(store) shouldContainExactly listOf("all.held[0].right.hits", "all.held[1].right.hits")
            refusal(directory, Leaf(1), "hit") shouldBe "'o' has no field 'hit' to leave out: correct that name."
        }

        test("what a declaration by hand has saved under the same names comes back, and the other way round") {
            val store = directory.resolve("by-hand.cairn")
            val leaf = Leaf(1)
            SoloCheckpoints.open(store) { value("leaf.hits", { 7 }, { }) }.use { it.save(1) }
            SoloCheckpoints.open(store) { fields("leaf", leaf) }.use { it.restore() shouldBe 1 }
            leaf.hits shouldBe 7
        }

        test("what cannot come back is refused at the declaration, with its path") {
            val kept = Couple(Leaf(1), Leaf(2))
            val array = doubleArrayOf(1.0)
            val random = Random(1)
            for ((held, message) in listOf(
                Holding(StringWriter()) to
                    "'o.held' is a java.io.StringWriter, of which no state is known: let it be transient",
                Holding(Thread.currentThread()) to "'o.held' is a java.lang.Thread",
                Holding(Holding(ReentrantLock())) to "'o.held.held' is a java.util.concurrent.locks.ReentrantLock",
                Holding(listOf(Leaf(1), Thread.currentThread())) to "'o.held[1]' is a java.lang.Thread",
                Holding(Random(1)) to "'o.held' is a java.util.Random in a final field",
                Holding(lazy { 1 }) to "'o.held' is a kotlin.SynchronizedLazyImpl",
                Holding(mutableMapOf("a" to Leaf(1))) to "'o.held' is no value that can be stored",
                Bits(object : BitSet() {}) to "in a field of java.util.BitSet, and a restart would make no such object",
                Wide(Narrow()) to "is a dev.cairn.proof.state.Narrow in a field of dev.cairn.proof.state.Broad",
                Broads(listOf(Broad(), Narrow())) to
                    "'o.kinds' holds a dev.cairn.proof.state.Narrow as a dev.cairn.proof.state.Broad",
                Tables(mutableListOf(TreeMap())) to "'o.maps' holds a java.util.TreeMap as a java.util.Map",
                Holding(HeadedList().apply { add(Leaf(1)) }) to
                    "'o.held' is a dev.cairn.proof.state.HeadedList, a collection that",
                Viewing(Cased(array), array) to "'o.line' holds the same double[] as 'o.box'",
                Lambda { 1 } to "'o.call' is ",
                Loose(1) to "'o.value' is ",
                Sorted(TreeMap()) to "'o.map' is a java.util.TreeMap in a field of java.util.Map",
                Lines(mutableListOf(array), array) to "'o.line' holds the same double[] as 'o.lines'",
                Draws(random, random) to "'o.other' holds the same java.util.Random as 'o.one'",
                Fixed(1, "a") to "'o', a dev.cairn.proof.state.Fixed, has no fields that change",
                Names(listOf("a", null)) to "'o.names' holds null as a java.lang.String, which cannot be stored",
                Boxed(Named(listOf("a", null))) to "'o.box' holds null as a java.lang.String, which cannot be stored",
                Moody(Mood.CALM, listOf()) to "'o.mood' holds the constant CALM, whose field 'length' can change",
                Moody(null, listOf(Mood.CALM)) to "'o.moods' holds the constant CALM, whose field 'length' can change",
                Holding(List(20_000) { Leaf(it) }) to
                    "the fields of 'o' lead to more than 10000 pieces: declare what they hold as a table, a stream, or",
                Chain.of(3_000) to
                    "the fields of 'o' lead along 'o.next.next.next.next.next.next.next.next.next.next.next.nex…' to " +
                    "a path of more than 4000 characters, as those of a chain of objects do: leave them out by their " +
                    "path, and declare what they hold as a table, a stream, or a value with a codec",
            )) {
                withClue(message) { refusal(directory, held) shouldContain message }
            }
            refusal(directory, kept.left, "hits") shouldContain "has no fields that change"
        }

        test("fields of one name, in a class and one above it, have paths of their own") {
            val store = directory.resolve("hidden.cairn")
            val first = Lower().apply { rise() }
            opened(store, first).use { it.save(1) }
            namesIn(store) shouldContainExactly listOf("o.Upper.level", "o.level")
            val second = Lower()
            opened(store, second).use { it.restore() shouldBe 1 }
            second.inWords() shouldBe first.inWords()
            refusal(directory, Lower(), "level", "Upper.level") shouldContain "has no fields that change"
        }

        test("sets of constants and queues are filled where they are, also in a field that is not final") {
            val store = directory.resolve("queues.cairn")
            opened(store, Queues().apply { add() }).use { it.save(1) }
            val restored = Queues()
            val queue = restored.queue
            opened(store, restored).use { it.restore() shouldBe 1 }
            restored.set shouldContainExactly setOf(Thread.State.NEW)
            restored.queue shouldContainExactly listOf("a", "b")
            (restored.queue === queue) shouldBe true
        }

        test("what arises after the declaration is refused at the save, and nothing is saved") {
            fun <T : Any> refused(start: T, message: String, change: (T) -> Unit) =
                Triple(start, message) { change(start) }
            val cases =
                listOf(
                    refused(leaves(), "'o.held' was 1 elements when its fields were declared, and is 2 elements now") {
                        it.held.add(Leaf(2))
                    },
                    refused(
                        leaves(),
                        "'o.held[0]' was a dev.cairn.proof.state.Leaf when its fields were declared, and is another object now",
                    ) {
                        it.held[0] = Leaf(1)
                    },
                    refused(
                        Stem(Leaf(1)),
                        "'o.leaf' was a dev.cairn.proof.state.Leaf when its fields were declared, and is another",
                    ) {
                        it.leaf =
                            Leaf(1)
                    },
                    refused(
                        Stem(Leaf(1)),
                        "'o.leaf' was a dev.cairn.proof.state.Leaf when its fields were declared, and is null now",
                    ) {
                        it.leaf =
                            null
                    },
                    refused(
                        Stem(null),
                        "'o.leaf' was null when its fields were declared, and is a dev.cairn.proof.state.Leaf now",
                    ) {
                        it.leaf =
                            Leaf(1)
                    },
                    refused(
                        TwoArrays(DoubleArray(2), DoubleArray(2)),
                        "'o.b' was a double[] of 2 when its fields were declared, and is a double[] of 3 now",
                    ) {
                        it.b = DoubleArray(3)
                    },
                    refused(
                        TwoArrays(DoubleArray(2), DoubleArray(2)),
                        "'o.b' was a double[] of 2 when its fields were declared, and is null now",
                    ) {
                        it.b = null
                    },
                    refused(TwoArrays(DoubleArray(2), DoubleArray(2)), "is the same as 'o.a' now") { it.b = it.a },
                    refused(
                        Queues(),
                        "'o.queue' was a java.util.ArrayDeque when its fields were declared, and is another object now",
                    ) {
                        it.queue = ArrayDeque()
                    },
                    refused(
                        Names(mutableListOf("a")),
                        "'o.names' holds null as a java.lang.String, which cannot be stored",
                    ) {
                        (it.names as MutableList<String?>).add(null)
                    },
                    refused(rows(), "has other lengths now") { it.held[0] = DoubleArray(3) },
                    refused(Sorted(LinkedHashMap()), "'o.map' is a java.util.TreeMap in a field of java.util.Map") {
                        it.map =
                            TreeMap()
                    },
                    refused(Lines(mutableListOf(), DoubleArray(1)), "'o.line' holds the same double[] as 'o.lines'") {
                        it.lines +=
                            it.line
                    },
                    refused(Draws(Random(1), Random(2)), "'o.other' holds the same java.util.Random as 'o.one'") {
                        it.other =
                            it.one
                    },
                )
            for ((index, case) in cases.withIndex()) {
                val (start, message, change) = case
                withClue(message) {
                    opened(directory.resolve("changed-$index.cairn"), start).use { saves ->
                        saves.save(1)
                        change()
                        shouldThrow<InvalidDeclaration> { saves.save(2) }.message shouldContain message
                    }
                }
            }
        }

        test("two objects that share a third one declare it once, and not what a restart would make twice") {
            val store = directory.resolve("two.cairn")
            val leaf = Leaf(1)
            SoloCheckpoints
                .open(store) {
                    fields("a", Couple(leaf, Leaf(2)))
                    fields("b", Couple(leaf, Leaf(3)))
                }.use { it.save(1) }
            namesIn(store) shouldContainExactly
                listOf("a.left.hits", "a.right.hits", "a.sum", "b.right.hits", "b.sum")
            val random = Random(1)
            shouldThrow<InvalidDeclaration> {
                SoloCheckpoints.open(directory.resolve("twice.cairn")) {
                    fields("a", Draws(random, Random(2)))
                    fields("b", Draws(random, Random(3)))
                }
            }.message shouldContain "'b.one' holds the same java.util.Random as 'a.one'"
        }

        test("static fields of a class are those of its name, and an object of Kotlin has them, too") {
            val store = directory.resolve("static.cairn")
            FieldsInJava()
            val starts = FieldsInJava.starts()
            SoloCheckpoints.open(store) { fields("java", FieldsInJava::class.java) }.use { it.save(1) }
            FieldsInJava()
            SoloCheckpoints.open(store) { fields("java", FieldsInJava::class.java) }.use { it.restore() }
            FieldsInJava.starts() shouldBe starts
            val clocks = directory.resolve("clock.cairn")
            Clock.ticks = 5
            SoloCheckpoints.open(clocks) { fields("clock", Clock) }.use { it.save(1) }
            Clock.ticks = 0
            SoloCheckpoints.open(clocks) { fields("clock", Clock) }.use { it.restore() }
            Clock.ticks shouldBe 5
        }

        test("a value that another one has replaced is not kept for the rest of the run") {
            val names = Names(mutableListOf("a"))
            opened(directory.resolve("freed.cairn"), names).use {
                val first = WeakReference(names.names)
                names.names = listOf()
                System.gc()
                first.get() shouldBe null
            }
        }

        test("an object that was replaced between the declaration and the restore is refused by the restore") {
            val store = directory.resolve("replaced.cairn")
            opened(store, Stem(Leaf(1))).use { it.save(1) }
            val tree = Stem(Leaf(1))
            val saves = opened(store, tree)
            tree.leaf = Leaf(1)
            shouldThrow<CheckpointException> { saves.restore() }.message shouldContain "is another object now"
            saves.checkpoints.close()
        }

        test("a restart that links its objects otherwise is refused, before it gets anything back") {
            val store = directory.resolve("links.cairn")
            opened(store, ring(0, 1, 2, 3)).use { it.save(1) }
            val other = ring(0, 2, 1, 3)
            opened(store, other).let { saves ->
                shouldThrow<Mismatch> { saves.restore() }.items shouldBe listOf("o")
                saves.checkpoints.close()
            }
            other.held.forEach { it.hits shouldBe 0 }
        }

        test("a final array of arrays of another size is refused by a restore") {
            val store = directory.resolve("sizes.cairn")
            opened(store, Holding(arrayOf(DoubleArray(2)))).use { it.save(1) }
            opened(store, Holding(arrayOf(DoubleArray(3)))).let { saves ->
                shouldThrow<Mismatch> { saves.restore() }.message shouldContain
                    "'o.held[0]' has 2 elements in the checkpoint, and 3 in the program"
                saves.checkpoints.close()
            }
        }
    })

private suspend fun opened(store: Path, from: Any) = SoloCheckpoints.open(store) { fields("o", from) }

private suspend fun refusal(directory: Path, from: Any, vararg except: String) =
    shouldThrow<InvalidDeclaration> {
        SoloCheckpoints.open(directory.resolve("refused.cairn")) { fields("o", from, *except) }
    }.message.orEmpty()

private fun namesIn(store: Path) = StoredCheckpoints(store).openNewest().use { saved -> saved.items.map { it.name } }

internal class Leaf(val number: Int) {
    var hits = 0
}

internal class Couple(val left: Leaf, val right: Leaf) {
    private var sum = 0L
}

internal class Holding<T>(val held: T)

internal class Link {
    var hits = 0
    var next: Link? = null
}

/** Objects of which each leads to the next one in this order. */
private fun ring(vararg order: Int): Holding<List<Link>> {
    val links = List(order.size) { Link() }
    for (at in order.indices) links[order[at]].next = links[order[(at + 1) % order.size]]
    return Holding(links)
}

private fun leaves(): Holding<MutableList<Leaf>> = Holding(mutableListOf(Leaf(1)))

private fun rows(): Holding<Array<DoubleArray>> = Holding(arrayOf(DoubleArray(2)))

internal fun interface Call {
    fun call(): Int
}

internal class Lambda(private var call: Call)

@Serializable
internal open class Broad {
    var width = 1
}

internal class Narrow : Broad()

internal class Wide(var broad: Broad)

internal class Broads(var kinds: List<Broad>)

internal class Tables(var maps: List<Map<String, Int>>)

internal class HeadedList : ArrayList<Leaf>() {
    var head = 0
}

@Serializable
internal class Cased(val cells: DoubleArray)

internal class Viewing(var box: Cased, val line: DoubleArray)

internal class Bits(var bits: BitSet)

internal class Loose(private var value: Any)

internal class Sorted(var map: Map<String, Int>)

internal class Names(var names: List<String?>)

@JvmRecord
internal data class Named(val names: List<String?>)

internal class Boxed(var box: Named)

internal enum class Mood {
    CALM,
    ;

    var length = 0
}

internal class Moody(var mood: Mood?, var moods: List<Mood>) {
    private var count = 0
}

internal open class Upper {
    private var level = 1

    open fun rise() {
        level += 2
    }

    open fun inWords() = "$level"
}

internal class Lower : Upper() {
    private var level = 10

    override fun rise() {
        super.rise()
        level += 20
    }

    override fun inWords() = "${super.inWords()} $level"
}

internal class Queues {
    val set: EnumSet<Thread.State> = EnumSet.noneOf(Thread.State::class.java)
    var queue: Deque<String> = ArrayDeque()
    var last: Optional<String> = Optional.empty()

    fun add() {
        set += Thread.State.NEW
        queue += listOf("a", "b")
    }
}

internal class Lines(var lines: MutableList<DoubleArray>, val line: DoubleArray)

internal class Draws(var one: Random, var other: Random)

internal class Fixed(val number: Int, val text: String)

internal class Chain(var next: Chain?) {
    private var hits = 0

    companion object {
        fun of(length: Int) = (1..length).fold(null as Chain?) { next, _ -> Chain(next) }!!
    }
}

internal class Stem(var leaf: Leaf?) {
    private var height = 1
}

internal class TwoArrays(var a: DoubleArray?, var b: DoubleArray?)

/** A state with what Kotlin has. */
internal object Clock {
    var ticks = 0
}

internal class Tank {
    private var level = 1.0
    private lateinit var label: String
    private var log: List<String> = listOf()
    private val counts = mutableMapOf<String, Int>()
    private val random = kotlin.random.Random(4)
    private val valves = List(3) { Valve() }
    private val clock = Clock
    var isOpen: Boolean? = null
        private set

    fun prepare() {
        label = "none"
    }

    fun advance() {
        level += random.nextDouble()
        label = "full"
        log = log + "a" + "b"
        counts["a"] = 3
        valves[1].turns--
        isOpen = true
        clock.ticks++
    }

    fun inWords() = "$level $label $log $counts ${random.nextInt()} ${valves.map { it.turns }} $isOpen ${clock.ticks}"

    private class Valve {
        var turns = 0
    }
}
