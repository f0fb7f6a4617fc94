package dev.cairn.output

import dev.cairn.concentrate.Concentrators
import dev.cairn.grid.Box
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.house.Campaign
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.RunFailedException
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.DiskSettings
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.PARENT
import dev.cairn.store.withParent
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldBeIn
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.coroutines.runBlocking
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.nio.file.Path
import java.util.UUID
import kotlin.concurrent.thread
import kotlin.random.Random
import kotlin.time.Duration

class ArrayFilesSpec :
    FunSpec({
        test("any ranks write arrays of all types, and any others read them") {
            val random = Random(Campaign.seed)
            println("ArrayFilesSpec: seed ${Campaign.seed}")
            repeat(Campaign.SEEDS.limit(300)) { round ->
                withClue("round $round") {
                    val files = SimulatedDisk().withParent().host("node0")
                    val hostCount = random.nextInt(1, 5)
                    val writers = RankPlan(random.nextInt(1, 9), hosts = { "node${it % hostCount}" })
                    ranks(writers) { writeFields(files, drawn(round)) }
                    ranks(random.nextInt(1, 9)) { readAndCompare(files, drawn(round + 1)) }
                }
            }
        }

        test("arrays without cells are written and read, also where stripes lie near their ranks") {
            for (concentrators in listOf(Concentrators.total(1), Concentrators.total(1).near())) {
                val files = SimulatedDisk().withParent().host("node0")
                val none = Box.of(longArrayOf(0, 0), longArrayOf(0, 8))
                ranks(2) {
                    writeArrays(FILE, concentrators, store = files) {
                        array("empty", Shape.of(0, 8), none, DoubleArray(0))
                    }
                    readArrays(FILE, concentrators, store = files) {
                        array("empty", Shape.of(0, 8), none, DoubleArray(0))
                    }
                }
            }
        }

        test("other programs find little-endian numbers, in row-major order, where the table says") {
            val files = SimulatedDisk().withParent().host("node0")
            ranks(3) { writeFields(files) }
            files.open(FILE, Access.READ).use { file ->
                val table = ArrayTable.decode(ArrayFileEnd.readTable(file))
                table.arrays.map { "${it.name} ${it.type} ${it.shape} ${it.offset}" } shouldContainExactly
                    listOf(
                        "temperature double [30, 20] 0",
                        "count int [7, 5, 3] 8192",
                        "flag boolean [11] 12288",
                        "mass float [101] 16384",
                    )
                val cell = ByteBuffer.allocate(8).order(LITTLE_ENDIAN)
                file.readFully(8L * (4 * 20 + 13), cell)
                cell.getDouble(0) shouldBe 4 * 20 + 13 + 0.5
            }
        }

        test("member short or damaged: every changed byte and every cut is found, whoever reads") {
            val whole = bytesOf(3)
            val random = Random(Campaign.seed)
            val places = whole.indices.shuffled(random).take(Campaign.DAMAGED_BYTES.limit(2000))
            println("ArrayFilesSpec: seed ${Campaign.seed}, ${places.size} of ${whole.size} bytes")
            for (place in places) {
                withClue("byte $place") {
                    val damaged = whole.copyOf().also { it[place] = (it[place] + 1 + random.nextInt(255)).toByte() }
                    shouldThrow<RunFailedException> { ranks(2) { readAndCompare(fileOf(damaged)) } }
                    shouldThrow<RunFailedException> { ranks(2) { readAndCompare(fileOf(whole.copyOf(place))) } }
                }
            }
        }

        test("a rank that reads only a part, and nothing of other arrays, has its bytes compared too") {
            val damaged = bytesOf(3).also { it[8 * 45] = 1 }
            val failure =
                shouldThrow<RunFailedException> {
                    ranks(2) {
                        readArrays(FILE, store = fileOf(damaged)) {
                            val box = Box.of(longArrayOf(2, 5 + rank.toLong()), longArrayOf(1, 1))
                            array("temperature", Shape.of(30, 20), box, DoubleArray(1))
                        }
                    }
                }
            failure.message shouldContain "/run/fields.arrays is damaged: the 16788 bytes from byte 0 on should have"
        }

        test("cells without an owner, or with two, are refused before a file is made") {
            refusal {
                array(
                    "u",
                    Shape.of(10),
                    Box.of(longArrayOf(it.rank * 4L), longArrayOf(4)),
                    IntArray(4),
                )
            } shouldContain
                "array 'u' has 10 cells, but the boxes of all ranks have 8. Let each cell have one owner"
            refusal { array("u", Shape.of(10), Shape.of(10).box(), IntArray(10)) } shouldContain
                "array 'u' has 10 cells, but the boxes of all ranks have 20. Let each cell have one owner"
        }

        test("overlapping writers: as many boxes as cells, some of which overlap, are refused while they are written") {
            refusal {
                array(
                    "u",
                    Shape.of(10),
                    Box.of(longArrayOf(it.rank * 2L), longArrayOf(5)),
                    IntArray(5),
                )
            } shouldContain
                "cell [2] of array 'u', and perhaps others, would be written by both ranks 0 and 1. Let each have one writer"
        }

        test("overlapping writers: a gap that is as large as the overlap is refused, whichever of both is met first") {
            // The gap is in the first stripe, the overlap in the second.
            val shape = Shape.of(3_000_000)
            val starts = longArrayOf(1, 750_001, 1_500_001, 2_250_000)
            val files = SimulatedDisk().withParent().host("node0")
            val failure =
                shouldThrow<RunFailedException> {
                    ranks(4) {
                        writeArrays(FILE, store = files) {
                            array(
                                "u",
                                shape,
                                Box.of(longArrayOf(starts[rank]), longArrayOf(750_000)),
                                DoubleArray(750_000),
                            )
                        }
                    }
                }
            failure.message shouldContain "the cell before byte 8 of"
            failure.message shouldContain "has no owner, so another one has two. Let each have one owner"
        }

        test("ranks that declare other arrays are refused") {
            refusal { array(if (it.rank == 0) "u" else "v", Shape.of(2), it.row(2), IntArray(1)) } shouldContain
                "it writes $FILE with the arrays 'v', int, 2, but rank 0 writes $FILE with the arrays 'u', int, 2. " +
                "Let all ranks do the same with one file, and declare its arrays in one order"
        }

        test("ranks of several processes that name other files, or of which one reads what others write, are refused") {
            val files = SimulatedDisk().withParent().host("node0")
            val other = FILE.resolveSibling("other.arrays")

            suspend fun refusalOf(call: suspend Communicator.(OwnedArrays.() -> Unit) -> Unit) =
                shouldThrow<RunFailedException> {
                    ranks(2) {
                        // Calls of one process that differ are refused before; those of several processes have one name here.
                        val apart =
                            object : Communicator by this {
                                override fun during(activity: String, limit: Duration) =
                                    this@ranks.during("call", limit)
                            }
                        apart.call { array("u", Shape.of(2), row(2), IntArray(1)) }
                    }
                }.message
            refusalOf { writeArrays(if (rank == 0) FILE else other, store = files, declare = it) } shouldContain
                "it writes $other with the arrays 'u', int, 2, but rank 0 writes $FILE with"
            refusalOf {
                if (rank ==
                    0
                ) {
                    writeArrays(FILE, store = files, declare = it)
                } else {
                    readArrays(FILE, store = files, declare = it)
                }
            } shouldContain "it reads $FILE with the arrays 'u', int, 2, but rank 0 writes $FILE with"
        }

        test("a directory, and a path without a name, are refused before anything is written") {
            val files = SimulatedDisk().withParent().host("node0")

            suspend fun refusalOf(path: Path) =
                shouldThrow<RunFailedException> {
                    ranks(2) { writeArrays(path, store = files) { array("u", Shape.of(2), row(2), IntArray(1)) } }
                }.message
            refusalOf(PARENT) shouldContain "$PARENT is a directory. Name a file"
            refusalOf(PARENT.root) shouldContain "/ names no file"
            files.list(PARENT).shouldBeEmpty()
        }

        test("wrong declarations are refused with what is wrong") {
            refusal { array("u", Shape.of(2), it.row(2), IntArray(2)) } shouldContain
                "array 'u': the box [0..1) has 1 cell, but the int[] has 2. Pass one cell for each of the box"
            refusal { array("u", Shape.of(2), Box.of(longArrayOf(1), longArrayOf(2)), IntArray(2)) } shouldContain
                "array 'u': the box [1..3) is not within the shape 2. Pass a box inside it"
            refusal { ranks -> repeat(2) { array("u", Shape.of(2), ranks.row(2), IntArray(1)) } } shouldContain
                "an array has the name 'u': give each one a name of its own"
            refusal { array("half \uD83D", Shape.of(2), it.row(2), IntArray(1)) } shouldContain
                "the name of an array has half a character of two at 5: give it one that can be written in UTF-8"
            refusal { array("u", Shape.of(2), it.row(2), "text") } shouldContain "not in java.lang.String"
        }

        test("a reader that declares what the file has not is told what it has") {
            val files = SimulatedDisk().withParent().host("node0")
            ranks(2) { writeFields(files) }

            suspend fun readingRefusal(declare: OwnedArrays.(Communicator) -> Unit) =
                shouldThrow<RunFailedException> {
                    ranks(
                        2,
                    ) { readArrays(FILE, store = files) { declare(this@ranks) } }
                }.message!!

            readingRefusal { array("speed", Shape.of(2), it.row(2), IntArray(1)) } shouldContain
                "/run/fields.arrays has no array 'speed'; it has 'temperature', 'count', 'flag', 'mass'. Declare one of these"
            readingRefusal { array("flag", Shape.of(11), Shape.of(11).box(), ByteArray(11)) } shouldContain
                "the array declared is 'flag', byte, 11, but the file has 'flag', boolean, 11. Declare it as it is in the file"
        }

        test("rank 0 chooses the concentrators for all ranks, and alone tells if there are no such ranks") {
            val files = SimulatedDisk().withParent().host("node0")
            ranks(3) { writeFields(files, if (rank == 0) Concentrators.ranks(2, 1) else Concentrators.ranks(7)) }
            ranks(3) { readAndCompare(files, if (rank == 0) Concentrators.everyNth(2) else Concentrators.ranks(7)) }
            shouldThrow<RunFailedException> {
                ranks(
                    3,
                ) { writeFields(files, Concentrators.ranks(7)) }
            }.message shouldContain
                "the largest rank is 2"
        }

        test("what a killed program left half-written is deleted by the next one that writes the file") {
            val files = SimulatedDisk().withParent().host("node0")
            val other = PartFile.nameOf(PARENT.resolve("fields.arrays.2"), "${UUID.randomUUID()}")
            val abandoned = PartFile.nameOf(FILE, "${UUID.randomUUID()}")
            listOf(other, abandoned).forEach { part ->
                files.create(part).use { it.write(0, ByteBuffer.allocate(100_000)) }
            }
            ranks(2) { writeFields(files) }
            ranks(3) { readAndCompare(files) }
            files.list(PARENT) shouldContainExactlyInAnyOrder listOf(FILE, other)
        }

        for (reach in DiskSettings.LockReach.entries) {
            test("two programs write the same file at once: it is that of one of them, whole; locks reach $reach") {
                val found = mutableSetOf<Int>()
                for (operation in generateSequence(1) { it + 1 }) {
                    val disk = SimulatedDisk(DiskSettings.DEFAULT.withLockReach(reach)).withParent()
                    val rival = Rival(operation) { writeNumbers(disk, factor = 2) { disk.host("rival") } }
                    val first = runCatching { writeNumbers(disk, factor = 3) { rival.before(disk.host(it)) } }
                    if (!rival.hasRun) break
                    withClue("a second program runs before operation $operation of the first: $first") {
                        val factor = factorOn(disk.host("node0"))
                        factor shouldBeIn if (first.isSuccess) listOf(2, 3) else listOf(2)
                        if (reach == DiskSettings.LockReach.ALL_HOSTS) first.isSuccess shouldBe true
                        found += factor
                    }
                }
                found shouldBe setOf(2, 3)
            }
        }

        test("very many ranks send a concentrator the bytes of several stripes at once, and a few read the same") {
            val files = SimulatedDisk().withParent().host("node0")
            val shape = Shape.of(20, 2048 * 128)

            fun Communicator.columns() = Decomposition.grid(shape, 1, size).boxes(rank).single()

            fun Box.numbers() = LongArray(cellCount().toInt()) { shape.index(*cell(it.toLong())) }
            ranks(RankPlan(2048, hosts = { "node$it" })) {
                columns().let { box ->
                    writeArrays(FILE, Concentrators.total(1), files) { array("n", shape, box, box.numbers()) }
                }
            }
            ranks(3) {
                val box = columns()
                val numbers = LongArray(box.cellCount().toInt())
                readArrays(FILE, store = files) { array("n", shape, box, numbers) }
                check(numbers.contentEquals(box.numbers())) { "rank $rank has read other numbers" }
            }
        }

        test("a file without arrays is a file") {
            val files = SimulatedDisk().withParent().host("node0")
            ranks(2) { writeArrays(FILE, store = files) {} }
            ranks(2) { readArrays(FILE, store = files) {} }
        }

        test("killed before commit: whenever the power fails, the older file is there, or the newer one") {
            val found = mutableSetOf<Int>()
            var states = 0
            for (operation in 1..operationsOfWriting()) {
                val disk = savedDisk()
                disk.crashAt(disk.operationCount() + operation)
                shouldThrow<RunFailedException> { rewrite(disk) }
                for (outcome in disk.crashOutcomes()) {
                    val left = disk.afterCrash(outcome).host("node0")
                    found += withClue("power failure at operation $operation, $outcome") { factorOn(left) }
                    states++
                }
            }
            println("ArrayFilesSpec: $states states after power failures")
            found shouldBe setOf(1, 2)
        }
    })

private val FILE = PARENT.resolve("fields.arrays")

private fun drawn(round: Int) =
    when (round % 3) {
        0 -> Concentrators.perHost(1)
        1 -> Concentrators.total(3).near()
        else -> Concentrators.everyNth(2)
    }

private val SHAPES =
    mapOf(
        "temperature" to Shape.of(30, 20),
        "count" to Shape.of(7, 5, 3),
        "flag" to Shape.of(11),
        "mass" to Shape.of(101),
    )

private fun Communicator.boxOf(name: String): Box {
    val shape = SHAPES.getValue(name)
    val boxes = Decomposition.blocks(shape, size).boxes(rank)
    return boxes.singleOrNull() ?: Box.of(LongArray(shape.dimensions()), LongArray(shape.dimensions()))
}

private fun Communicator.row(count: Int): Box {
    val share = count / size
    return Box.of(longArrayOf(rank.toLong() * share), longArrayOf(share.toLong()))
}

/** The arrays of one rank, with the values that they have in a file, or with others. */
private class Fields(ranks: Communicator, private val isFilled: Boolean) {
    private val boxes = SHAPES.keys.associateWith { ranks.boxOf(it) }
    private val temperature =
        DoubleArray(count("temperature")) { if (isFilled) number("temperature", it) + 0.5 else 0.0 }
    private val count = IntArray(count("count")) { if (isFilled) number("count", it).toInt() * 3 else 0 }
    private val flag = BooleanArray(count("flag")) { isFilled && number("flag", it) % 3 == 0L }
    private val mass = FloatArray(count("mass")) { if (isFilled) 1 / (1f + number("mass", it)) else 0f }

    private fun count(name: String) = boxes.getValue(name).cellCount().toInt()

    private fun number(name: String, index: Int): Long =
        SHAPES.getValue(name).index(*boxes.getValue(name).cell(index.toLong()))

    fun declare(arrays: OwnedArrays) =
        boxes.keys.zip(listOf(temperature, count, flag, mass)).forEach { (name, values) ->
            arrays.array(name, SHAPES.getValue(name), boxes.getValue(name), values)
        }

    fun content() = listOf(temperature.asList(), count.asList(), flag.asList(), mass.asList())
}

private suspend fun Communicator.writeFields(
    files: BlockStore,
    concentrators: Concentrators = Concentrators.perHost(1),
) = writeArrays(FILE, concentrators, files) { Fields(this@writeFields, isFilled = true).declare(this) }

private suspend fun Communicator.readAndCompare(
    files: BlockStore,
    concentrators: Concentrators = Concentrators.total(2),
) {
    val fields = Fields(this, isFilled = false)
    readArrays(FILE, concentrators, files) { fields.declare(this) }
    check(fields.content() == Fields(this, isFilled = true).content()) { "rank $rank of $size has read other values" }
}

private suspend fun bytesOf(rankCount: Int): ByteArray {
    val files = SimulatedDisk().withParent().host("node0")
    ranks(rankCount) { writeFields(files) }
    return files.open(FILE, Access.READ).use { file ->
        ByteArray(file.size().toInt()).also { file.readFully(0, ByteBuffer.wrap(it)) }
    }
}

private fun fileOf(bytes: ByteArray): BlockStore =
    SimulatedDisk().withParent().host("node0").also { store ->
        store.create(FILE).use { it.write(0, ByteBuffer.wrap(bytes)) }
    }

private suspend fun refusal(declare: OwnedArrays.(Communicator) -> Unit): String {
    val files = SimulatedDisk().withParent().host("node0")
    val failure =
        shouldThrow<RunFailedException> { ranks(2) { writeArrays(FILE, store = files) { declare(this@ranks) } } }
    files.exists(FILE) shouldBe false
    return failure.message!!
}

/** A program that runs as a whole before an operation of another one, the first of which is number 1. */
private class Rival(private val operation: Int, private val run: suspend () -> Unit) {
    private var count = 0
    val hasRun get() = count >= operation

    fun before(store: BlockStore): BlockStore =
        object : ForwardingStore(store) {
            override fun onOperation(operation: BlockStore.Operation) {
                if (++count == this@Rival.operation) onOtherThread()
            }
        }

    private fun onOtherThread() {
        var failure: Throwable? = null
        thread { failure = runCatching { runBlocking { run() } }.exceptionOrNull() }.join()
        failure?.let { throw AssertionError("the second program fails", it) }
    }
}

/** A disk on which an older file is durable. */
private suspend fun savedDisk(): SimulatedDisk =
    SimulatedDisk().withParent().also { disk ->
        writeNumbers(disk, factor = 1)
    }

private suspend fun rewrite(disk: SimulatedDisk) = writeNumbers(disk, factor = 2)

private suspend fun writeNumbers(
    disk: SimulatedDisk,
    factor: Int,
    storeOf: (host: String) -> BlockStore = disk::host,
) = ranks(RankPlan(4, Schedule.Deterministic(factor.toLong()), hosts = { "node${it / 2}" })) {
    writeArrays(FILE, Concentrators.perHost(1), storeOf(host)) {
        array("n", Shape.of(1000), row(1000), IntArray(250) { factor * (rank * 250 + it) })
    }
}

private suspend fun operationsOfWriting(): Long {
    val disk = savedDisk()
    val before = disk.operationCount()
    rewrite(disk)
    return disk.operationCount() - before
}

/** The factor with which all numbers were written. */
private suspend fun factorOn(files: BlockStore): Int {
    val numbers = IntArray(1000)
    ranks(1) { readArrays(FILE, store = files) { array("n", Shape.of(1000), Shape.of(1000).box(), numbers) } }
    val factor = numbers[1]
    check(numbers.indices.all { numbers[it] == factor * it }) { "numbers of several programs are mixed" }
    return factor
}
