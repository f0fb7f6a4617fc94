package dev.cairn.heap.planted

import com.sun.management.HotSpotDiagnosticMXBean
import java.io.ByteArrayOutputStream
import java.io.StringWriter
import java.lang.management.ManagementFactory
import java.util.ArrayDeque
import java.util.BitSet
import java.util.EnumMap
import java.util.IdentityHashMap
import java.util.LinkedList
import java.util.Optional
import java.util.PriorityQueue
import java.util.Random
import java.util.TreeMap
import java.util.UUID
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.ConcurrentSkipListMap
import java.util.concurrent.Semaphore
import java.util.concurrent.atomic.AtomicLong
import java.util.function.DoubleUnaryOperator
import java.util.zip.CRC32
import kotlin.coroutines.Continuation
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.coroutines.intrinsics.COROUTINE_SUSPENDED
import kotlin.coroutines.intrinsics.suspendCoroutineUninterceptedOrReturn
import kotlin.coroutines.startCoroutine

// A program that dumps itself, once for each change that its arguments name, as if that part of its state had been forgotten.

internal enum class Season { SPRING, SUMMER }

internal class Tree(var height: Double, val rings: IntArray) {
    var neighbour: Tree? = null
}

internal data class Cell(val row: Int, val column: Int)

internal class Wood {
    val trees = List(100) { Tree(it * 1.5, IntArray(3) { ring -> ring }) }
    val cells = HashMap<Cell, Double>()
    val byName = LinkedHashMap<String, Tree>()
    val seasons = EnumMap<Season, Int>(Season::class.java)
    val sparks = BitSet()
    val queue = PriorityQueue<Int>()
    val waiting = ArrayDeque<String>()
    val chain = LinkedList<Int>()
    val sorted = TreeMap<String, Long>()
    val shared = ConcurrentHashMap<String, Int>()
    val skipping = ConcurrentSkipListMap<Int, String>()
    val marks = IdentityHashMap<Tree, String>()
    val names = HashSet<String>(if (isOther("order")) 4_096 else 16)
    val constants = setOf(Season.SPRING)
    val fixed = java.util.Set.of("a", "b", "c", "d")
    val random = Random(7)
    val ids = AtomicLong(100)
    val run = UUID(1, 2)
    val best: Optional<String> = Optional.of(if (isOther("optional")) "oak" else "beech")
    var season = Season.SUMMER
    val grid = Array(4) { DoubleArray(8) }
    val same = grid[1]
    var hidden: Any = "text"
    val grow = DoubleUnaryOperator { it * rate }
    var rate = 1.5
    var nan = Double.NaN
    var started = System.nanoTime()
    val notes = "first\nsecond".reader().buffered()
    val permits = Semaphore(3)
    val crc = CRC32()
    val written = ByteArrayOutputStream()
    val letters = StringWriter()

    @JvmField val unit: Class<*> = Double::class.java
    val lock =
        java.util.concurrent.locks
            .ReentrantLock()

    fun fill() {
        for (row in 0 until 10) for (column in 0 until 10) cells[Cell(row, column)] = row + column / 10.0
        trees.forEachIndexed { index, tree -> byName["tree $index"] = tree }
        trees.forEachIndexed { index, tree -> tree.neighbour = trees[(index + 1) % trees.size] }
        Season.entries.forEach { seasons[it] = it.ordinal }
        sparks.set(5, 7)
        queue += listOf(5, 3, 9, 1)
        waiting += listOf("a", "b")
        chain += listOf(1, 2, 3)
        repeat(200) { sorted["key $it"] = it.toLong() }
        repeat(200) { shared["key $it"] = it }
        repeat(200) { skipping[it] = "value $it" }
        marks[trees[0]] = "oldest"
        names += List(50) { "name $it" }
    }

    fun change() {
        if (isOther("field")) season = Season.SPRING
        if (isOther("element")) grid[2][3] = 1.0
        if (isOther("elements")) trees.forEach { it.height += 1 }
        if (isOther("map")) cells[Cell(3, 4)] = -1.0
        if (isOther("key")) sorted.remove("key 77")
        if (isOther("set")) names += "another"
        if (isOther("size")) chain += 4
        if (isOther("random")) random.nextInt()
        if (isOther("counter")) ids.incrementAndGet()
        if (isOther("bits")) sparks.set(100)
        if (isOther("concurrent")) shared["key 5"] = 0
        if (isOther("skip")) skipping[5] = "other"
        if (isOther("enum")) seasons[Season.SUMMER] = 9
        notes.read()
        if (isOther("read ahead")) notes.readLine()
        if (isOther("permits")) permits.acquire()
        crc.update(if (isOther("checksum")) 1 else 2)
        written.write(if (isOther("written")) 'n'.code else 'y'.code)
        letters.write(if (isOther("letters")) "no" else "yes")
        if (isOther("deque")) waiting.addFirst("c")
        if (isOther("type")) hidden = 5
        if (isOther("captured")) rate = 2.0
        if (isOther("chain")) {
            trees[99]
                .neighbour
                ?.neighbour
                ?.rings
                ?.set(1, 8)
        }
        if (isOther("null")) trees[7].neighbour = null
    }
}

/** A chain that no recursion could follow. */
internal class Link(val value: Int, val next: Link?)

internal object World {
    @JvmField var wood: Wood? = null

    @JvmField var count = 3

    @JvmField var links: Link? = null

    @JvmField var large = IntArray(0)

    @JvmField var twins: Twins? = null

    @JvmField var waiting: Continuation<Unit>? = null

    @JvmField var perThread: ThreadLocal<Random> = ThreadLocal.withInitial { Random(3) }

    @JvmField var worker: Worker? = null
}

/** [twin] is the array that a caller has, or a copy of it. */
internal class Twins(val one: DoubleArray, val twin: DoubleArray)

/** Of a thread, only what the program has added is compared. */
internal class Worker(
    @JvmField val load: Int,
) : Thread()

private suspend fun grow(): Double {
    var height = if (isOther("suspended")) 2.0 else 1.0
    val done = IntArray(3) { it }
    for (year in 1..3) {
        if (year == 2) {
            suspendCoroutineUninterceptedOrReturn {
                World.waiting = it
                COROUTINE_SUSPENDED
            }
        }
        height += done[0]
    }
    return height
}

internal fun isOther(what: String) = Task.change == what

internal fun play() {
    World.wood = Wood().apply { fill() }.apply { change() }
    World.count = if (isOther("static")) 4 else 3
    World.perThread = ThreadLocal.withInitial { Random(3) }
    World.perThread.get().apply { if (isOther("thread")) nextInt() }
    World.worker = Worker(if (isOther("worker")) 2 else 1)
    World.twins = newTwins()
    World.links = null
    World.large = IntArray(0)
    if (Task.change.startsWith("large")) {
        for (index in 0 until 200_000) {
            World.links =
                Link(if (index == 0 && isOther("large links")) -1 else index, World.links)
        }
        World.large = IntArray(1_000_000) { it }
        if (isOther("large array")) World.large[999_999] = 0
    }
    suspend { grow() }.startCoroutine(Continuation(EmptyCoroutineContext) { })
    suspend { live() }.startCoroutine(Continuation(EmptyCoroutineContext) { it.getOrThrow() })
}

/** No frame that is there when the heap is dumped has held the array: it would be reached from there, too. */
private fun newTwins() = DoubleArray(5).let { Twins(it, if (isOther("shared")) it.copyOf() else it) }

/** It could wait, so the compiler has added variables, but it does not. */
private suspend fun live() {
    val years = longArrayOf(1, if (isOther("local")) 3 else 2)
    val diary = StringBuilder(if (isOther("text")) "wet" else "dry")
    passOn()
    Task.dump()
    passOn()
    check(years[0] == 1L && diary.length == 3)
}

/** Where it is called, a function could wait. */
private suspend fun passOn() = suspendCoroutineUninterceptedOrReturn<Unit> { }

/** What each run is told to do, so that it is not compared. */
internal object Task {
    private var directory = ""

    @JvmField var change = ""

    /** A directory, and what is to be changed in each dump. */
    @JvmStatic
    fun main(args: Array<String>) {
        directory = args.first()
        for (change in args.drop(1)) {
            this.change = change
            play()
        }
    }

    fun dump() =
        ManagementFactory
            .getPlatformMXBean(
                HotSpotDiagnosticMXBean::class.java,
            ).dumpHeap("$directory/$change.hprof", true)
}
