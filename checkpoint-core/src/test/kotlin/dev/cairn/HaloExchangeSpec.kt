package dev.cairn

import dev.cairn.event.CallsDifferException
import dev.cairn.event.RankFailedException
import dev.cairn.grid.Box
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Halo
import dev.cairn.grid.Shape
import dev.cairn.grid.shape
import dev.cairn.grid.tiling
import dev.cairn.java.BlockingRanks
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.RunFailedException
import dev.cairn.ranks.bytesOf
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.fixture.withRandom
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.coroutines.runBlocking
import kotlin.random.Random

/** The halo of a block holds what its owners have. A cell is its global number, and [UNTOUCHED] before it is fetched. */
class HaloExchangeSpec :
    FunSpec({
        test("halos are those of the definition, for any decomposition, widths and periodic dimensions") {
            withRandom { random ->
                repeat(200) {
                    val shape = random.shape(120, random.nextInt(1, 4))
                    val decomposition = random.decomposition(shape)
                    val halo = random.halo(shape.dimensions())
                    withClue("$shape, ${decomposition.boxes()}, halo $halo") {
                        runBlocking { ranks(decomposition.rankCount()) { exchangeOnce(decomposition, halo) } }
                    }
                }
            }
        }

        test("halos of any boxes are those of the definition, several blocks of a rank among them") {
            withRandom { random ->
                repeat(200) {
                    val shape = random.shape(120, random.nextInt(1, 4))
                    val boxes = random.tiling(shape, random.nextInt(1, 7))
                    val halo = random.halo(shape.dimensions())
                    withClue("$shape, $boxes, halo $halo") {
                        runBlocking { ranks(boxes.size) { exchangeField(shape, boxes[rank], halo) } }
                    }
                }
            }
        }

        test(
            "several arrays of different types are exchanged at once, again and again, and apart from the program's messages",
        ) {
            val shape = Shape.of(6, 5)
            ranks(4) {
                val halos = haloExchange(Decomposition.grid(shape, 2, 2), 1)
                val cellCount = halos.within.cellCount().toInt()
                val (doubles, bytes) = DoubleArray(cellCount) to ByteArray(cellCount)
                val flags = BooleanArray(cellCount)
                for (round in 1..3) {
                    send((rank + 1) % size, PROGRAM_TAG, bytesOf(round.toLong()))
                    halos.forOwnCells { at, number ->
                        doubles[at] = number * round + 0.5
                        bytes[at] = (number + round).toByte()
                        flags[at] = number % 2 == 0L
                    }
                    halos.exchange(doubles, bytes, flags)
                    halos.forInnerCells(shape) { at, number ->
                        doubles[at] shouldBe number * round + 0.5
                        bytes[at] shouldBe (number + round).toByte()
                        flags[at] shouldBe (number % 2 == 0L)
                    }
                    receive((rank + size - 1) % size, PROGRAM_TAG).getLong(0) shouldBe round.toLong()
                }
            }
        }

        test("it is the same for threads that block") {
            val shape = Shape.of(7)
            BlockingRanks.run(3) { ranks ->
                val halos = ranks.haloExchange(Decomposition.rows(shape, 3), Halo.of(2).periodic())
                val cells = LongArray(halos.within.cellCount().toInt()) { halos.within.start(0) + it }
                ranks.exchange(halos, cells)
                cells.toList() shouldBe List(cells.size) { Math.floorMod(halos.within.start(0) + it, 7L) }
            }
        }

        test("an array of another size or kind, and a decomposition for other ranks, are refused in words") {
            ranks(2) {
                val halos = haloExchange(Decomposition.rows(Shape.of(6), 2), 1)
                shouldThrow<IllegalArgumentException> { halos.exchange(LongArray(3)) }.message shouldBe
                    "rank $rank exchanges the halo of a long[] of 3 cells, but with its halo the block " +
                    "${halos.box} has the 5 cells of ${halos.within}"
                shouldThrow<IllegalArgumentException> { halos.exchange(listOf(1)) }.message shouldContain
                    "a field has cells of a primitive type, in arrays such as double[], not in java.util"
                shouldThrow<IllegalArgumentException> {
                    haloExchange(Decomposition.rows(Shape.of(6), 3), 1)
                }.message shouldBe "the decomposition is one for 3 ranks, but world has 2"
            }
        }

        test("ranks that exchange arrays of different types are told, also if these have as many bytes") {
            val pairs =
                mapOf(
                    (LongArray(5) to IntArray(5)) to ("long[]" to "int[]"),
                    (IntArray(5) to FloatArray(5)) to ("int[]" to "float[]"),
                    (BooleanArray(5) to ByteArray(5)) to ("boolean[]" to "byte[]"),
                )
            for ((arrays, names) in pairs) {
                differs(names.first, names.second) { halos ->
                    halos.exchange(if (rank == 0) arrays.first else arrays.second)
                }
            }
            differs("int[], int[]", "double[]") { halos ->
                if (rank == 0) halos.exchange(IntArray(5), IntArray(5)) else halos.exchange(DoubleArray(5))
            }
            differs("int[], float[]", "float[], int[]") { halos ->
                val (ints, floats) = IntArray(5) to FloatArray(5)
                if (rank == 0) halos.exchange(ints, floats) else halos.exchange(floats, ints)
            }
            differs("no array", "int[]") { halos -> if (rank == 0) halos.exchange() else halos.exchange(IntArray(5)) }
        }

        test("ranks that exchange fields of different types are told") {
            shouldThrow<RunFailedException> {
                ranks(2) {
                    val boxes = Decomposition.rows(Shape.of(6), 2).boxes(rank)
                    val shape = Shape.of(6)
                    if (rank == 0) {
                        fieldOf(this, IntArray::class.java, shape, boxes, Halo.of(1)) { IntArray(5) }.exchangeHalo()
                    } else {
                        fieldOf(this, FloatArray::class.java, shape, boxes, Halo.of(1)) { FloatArray(5) }.exchangeHalo()
                    }
                }
            }.message shouldContain "exchanges the halos of "
        }

        test("ranks that exchange by different decompositions or halos are told, also if they exchange as many cells") {
            val rows = Decomposition.rows(Shape.of(6), 2)
            val pairs =
                listOf(
                    (rows to Halo.of(1)) to (rows to Halo.of(2)),
                    (rows to Halo.of(1)) to (rows to Halo.of(1).periodic()),
                    (rows to Halo.of(1)) to (Decomposition.cuts(Shape.of(6), longArrayOf(2)) to Halo.of(1)),
                    (rows to Halo.of(1)) to (Decomposition.rows(Shape.of(8), 2) to Halo.of(1)),
                )
            for ((ofRank0, ofRank1) in pairs) {
                ranks(2) {
                    val (decomposition, halo) = if (rank == 0) ofRank0 else ofRank1
                    val halos = haloExchange(decomposition, halo)
                    shouldThrow<RankFailedException> {
                        halos.exchange(LongArray(halos.within.cellCount().toInt()))
                    }.message shouldContain
                        "rank 1 fills the halos of ${ofRank1.first} with the halo ${ofRank1.second}, but rank 0 " +
                        "those of 6 in 2 equal parts with the halo 1: all ranks must exchange with the same " +
                        "decomposition"
                }
            }
        }

        test("65,536 ranks find their neighbours without asking all others") {
            val count = 65_536
            ranks(count) {
                val field = DoubleField(this, Decomposition.rows(Shape.of(count.toLong()), count), Halo.of(1)) { -1.0 }
                field[rank.toLong()] = rank.toDouble()
                field.exchangeHalo()
                val upper = if (rank == count - 1) -1.0 else rank + 1.0
                check(field.data.contentEquals(doubleArrayOf(rank - 1.0, rank.toDouble(), upper))) { "rank $rank" }
            }
        }
    })

/** Two ranks whose [exchange] is one of arrays of these types are refused, with both names in the sentence. */
private suspend fun differs(ofRank0: String, ofRank1: String, exchange: suspend Communicator.(HaloExchange) -> Unit) {
    val messages =
        ranks(2) {
            val halos = haloExchange(Decomposition.rows(Shape.of(6), 2), 1)
            shouldThrow<CallsDifferException> { exchange(halos) }.message
        }
    messages shouldBe
        listOf(
            "rank 1 exchanges the halos of $ofRank1, but rank 0 those of $ofRank0: all ranks must exchange arrays " +
                "of the same types, in the same order",
            "rank 0 exchanges the halos of $ofRank0, but rank 1 those of $ofRank1: all ranks must exchange arrays " +
                "of the same types, in the same order",
        )
}

private const val UNTOUCHED = -1L
private const val PROGRAM_TAG = 17

private suspend fun Communicator.exchangeOnce(decomposition: Decomposition, halo: Halo) {
    val halos = haloExchange(decomposition, halo)
    val cells = LongArray(halos.within.cellCount().toInt()) { UNTOUCHED }
    halos.forOwnCells { at, _ -> cells[at] = decomposition.shape().index(*halos.within.cell(at.toLong())) }
    halos.exchange(cells)
    cells.toList() shouldBe expected(decomposition.shape(), halo, halos.within)
}

private suspend fun Communicator.exchangeField(shape: Shape, boxes: List<Box>, halo: Halo) {
    val field =
        fieldOf(this, LongArray::class.java, shape, boxes, halo) { LongArray(it.cellCount().toInt()) { UNTOUCHED } }
    for (block in field.blocks) {
        for (at in block.cells.indices) {
            val cell = block.within.cell(at.toLong())
            if (block.box.contains(*cell)) block.cells[at] = shape.index(*cell)
        }
    }
    field.exchangeHalo()
    for (block in field.blocks) block.cells.toList() shouldBe expected(shape, halo, block.within)
}

/** The definition: a cell of the halo is that cell of the array, of which all periodic dimensions are rings. */
private fun expected(shape: Shape, halo: Halo, within: Box): List<Long> {
    val whole = shape.box()
    return List(within.cellCount().toInt()) { at ->
        val cell = within.cell(at.toLong())
        for (d in cell.indices) if (halo.isPeriodic(d)) cell[d] = Math.floorMod(cell[d], shape.extent(d))
        if (whole.contains(*cell)) shape.index(*cell) else UNTOUCHED
    }
}

private inline fun HaloExchange.forOwnCells(use: (at: Int, number: Long) -> Unit) {
    for (at in 0 until within.cellCount().toInt()) {
        val cell = within.cell(at.toLong())
        if (box.contains(*cell)) use(at, cell.reduce { number, index -> number * 5 + index })
    }
}

private inline fun HaloExchange.forInnerCells(shape: Shape, use: (at: Int, number: Long) -> Unit) {
    for (at in 0 until within.cellCount().toInt()) {
        val cell = within.cell(at.toLong())
        if (shape.box().contains(*cell)) use(at, cell.reduce { number, index -> number * 5 + index })
    }
}

private fun Random.halo(dimensions: Int): Halo {
    val halo = if (nextInt(4) == 0) Halo.of(nextInt(3)) else Halo.of(*IntArray(dimensions) { nextInt(4) })
    return halo.periodicIn(*(0 until dimensions).filter { nextBoolean() }.toIntArray())
}

/** Of any sizes, empty blocks among them. */
private fun Random.decomposition(shape: Shape): Decomposition =
    when (nextInt(3)) {
        0 -> Decomposition.blocks(shape, nextInt(1, 8))
        1 -> Decomposition.grid(shape, *IntArray(shape.dimensions()) { nextInt(1, 4) })
        else -> Decomposition.cuts(shape, *Array(shape.dimensions()) { cuts(shape.extent(it)) })
    }

private fun Random.cuts(extent: Long) = LongArray(nextInt(3)) { nextLong(extent + 1) }.sortedArray()
