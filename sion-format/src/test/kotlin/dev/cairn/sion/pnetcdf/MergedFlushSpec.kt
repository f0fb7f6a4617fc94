package dev.cairn.sion.pnetcdf

import dev.cairn.house.Campaign
import dev.cairn.sion.netcdf.NetcdfFormat
import dev.cairn.sion.netcdf.NetcdfLayout
import dev.cairn.sion.netcdf.NetcdfReader
import dev.cairn.sion.netcdf.NetcdfSpec
import dev.cairn.sion.netcdf.NetcdfType
import dev.cairn.sion.netcdf.NetcdfWriter
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.fixture.bytesOf
import dev.cairn.sion.store.fixture.withRandom
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.sion.stripe.Hyperslab
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.nio.file.Path
import kotlin.random.Random

/** What PnetCDF takes where puts overlap, compared with a model of its merge that knows single cells only. */
class MergedFlushSpec :
    FunSpec({
        for (fixture in BurstFixture.all - BurstFixture.of("cancel-1.14")) {
            test("a replay of ${fixture.name} as PnetCDF gives the file that PnetCDF made") {
                val store = fixture.placed()
                val expected = fixture.bytesOf("expected.nc")
                store.put(FILE, expected)
                store.replayed(0).shouldBeEmpty()
                store.bytesOf(FILE).contentEquals(expected) shouldBe true
            }
        }

        test("the run that begins first in the file counts, though its put is the later one") {
            val store = storeOf(PLANE)
            store.log(1, 0) {
                it.put(PutBoxes.vara(longArrayOf(2, 3), longArrayOf(3, 1)), 97, 98, 99)
                it.put(PutBoxes.vara(longArrayOf(2, 0), longArrayOf(1, 4)), 60, 61, 62, 63)
            }
            store.replayed(0)
            store.cells("v").slice(listOf(2 * 4 + 3, 3 * 4 + 3, 4 * 4 + 3)) shouldBe listOf(63L, 98L, 99L)
        }

        test("boxes of one put that overlap count by the same rule, and by order otherwise") {
            val boxes = PutBoxes.varn(arrayOf(longArrayOf(0, 1), longArrayOf(0, 0)), Array(2) { longArrayOf(1, 3) })
            mapOf(
                null to listOf(4L, 5L, 6L, 3L),
                BurstReplay.OverlapOrder.LAST to listOf(4L, 5L, 6L, 3L),
                BurstReplay.OverlapOrder.FIRST to listOf(4L, 1L, 2L, 3L),
            ).forEach { (order, expected) ->
                val store = storeOf(PLANE)
                store.log(1, 0) { it.put(boxes, 1, 2, 3, 4, 5, 6) }
                if (order == null) store.replayed(0) else store.replayed { it.run(order) { } }
                withClue("$order") { store.cells("v").take(4) shouldBe expected }
                if (order != null) {
                    BurstLogSet.open(store, BurstLogName.listIn(store, BurstFixture.DIRECTORY)).use { set ->
                        val out = Path.of("/out")
                        store.create(out).use { VariableOverlay.of(set, 0).writeTo(it, order) { } }
                        val found = ByteBuffer.wrap(store.bytesOf(out)).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer()
                        List(4) { found[it].toLong() } shouldBe expected
                    }
                }
            }
        }

        test("flushes of a size follow each other, and the last one counts") {
            val store = storeOf(PLANE)
            store.log(1, 0) {
                repeat(3) { turn -> it.put(PutBoxes.vara(longArrayOf(0, 0), longArrayOf(1, 2)), turn, turn + 10) }
            }
            mapOf(0L to 0L, 24L to 0L, 23L to 2L, 16L to 2L, 15L to 2L, 1L to 2L).forEach { (flushSize, expected) ->
                store.replayed(flushSize)
                withClue("flush size $flushSize") { store.cells("v").take(2) shouldBe listOf(expected, expected + 10) }
            }
        }

        test("random puts give what a model of the merge says") {
            withRandom { random ->
                repeat(Campaign.SEEDS.limit(1_000)) { round ->
                    val store = storeOf(RANDOM)
                    val ranks = 1 + random.nextInt(2)
                    val puts = List(ranks) { List(1 + random.nextInt(5)) { randomPut(random) } }
                    puts.forEachIndexed { rank, own ->
                        store.log(
                            ranks,
                            rank,
                        ) { log -> own.forEach { log.put(it.boxes, *it.values, variable = it.variable) } }
                    }
                    val flushSize = if (random.nextBoolean()) 0L else 1L + random.nextInt(80)
                    store.replayed(flushSize)
                    withClue("round $round: flush size $flushSize, $puts") {
                        val expected = ModelOfMerge(puts, flushSize).cells()
                        RANDOM.variables().forEachIndexed { number, variable ->
                            val found = store.cells(variable.name())
                            found.indices.associateWith { found[it] }.filterValues { it != 0L } shouldBe
                                expected.filterKeys { it.first == number }.mapKeys { it.key.second }
                        }
                    }
                }
            }
        }
    })

private val FILE = Path.of("/x.nc")

private val PLANE =
    NetcdfSpec
        .builder(NetcdfFormat.CDF_2)
        .dimension("y", 6)
        .dimension("x", 4)
        .variable("v", NetcdfType.INT, "y", "x")
        .build()

/** A fixed variable, two with records, and one without dimensions, in which many puts overlap. */
private val RANDOM =
    NetcdfSpec
        .builder(NetcdfFormat.CDF_2)
        .unlimited("t")
        .dimension("y", 3)
        .dimension("x", 4)
        .variable("fixed", NetcdfType.INT, "y", "x")
        .variable("plane", NetcdfType.INT, "t", "x")
        .variable("line", NetcdfType.INT, "t")
        .variable("single", NetcdfType.INT)
        .build()

/** The lengths of the dimensions in tests; of records, as many as random puts reach. */
private val SHAPES = listOf(listOf(3, 4), listOf(3, 4), listOf(3), listOf())

private class ModelPut(val variable: Int, val boxes: PutBoxes, val values: IntArray) {
    override fun toString() = "put to $variable: ${boxes.kind()} $boxes, ${values.toList()}"
}

private fun randomPut(random: Random): ModelPut {
    val variable = random.nextInt(SHAPES.size)
    val shape = SHAPES[variable]
    val start = List(3) { shape.map { random.nextInt(it) } }
    val stride = shape.map { 1 + random.nextInt(2) }
    val boxes =
        when (random.nextInt(3)) {
            0 -> {
                val counts = start.map { each -> each.zip(shape) { from, length -> 1 + random.nextInt(length - from) } }
                PutBoxes.varn(start.toLongs(), counts.toLongs())
            }

            1 -> {
                val count = start[0].indices.map { 1 + random.nextInt((shape[it] - 1 - start[0][it]) / stride[it] + 1) }
                PutBoxes.vars(start[0].toLongs(), count.toLongs(), stride.toLongs())
            }

            else -> {
                val count = start[0].zip(shape) { from, length -> 1 + random.nextInt(length - from) }
                PutBoxes.vara(start[0].toLongs(), count.toLongs())
            }
        }
    return ModelPut(variable, boxes, IntArray(boxes.cellCount().toInt()) { 1 + random.nextInt(1_000_000) })
}

private fun List<Int>.toLongs() = LongArray(size) { this[it].toLong() }

private fun List<List<Int>>.toLongs() = Array(size) { this[it].toLongs() }

/**
 * What merge_requests() of PnetCDF does with the puts of a process, told for single cells: each cell gets the value of the run with the
 * lowest first cell, then of the box with the lowest first cell, then of the earliest box. A box of records is one box for each.
 */
private class ModelOfMerge(private val puts: List<List<ModelPut>>, private val flushSize: Long) {
    /** The values by the number of the variable and that of the cell. */
    fun cells(): Map<Pair<Int, Int>, Long> {
        val cells = mutableMapOf<Pair<Int, Int>, Long>()
        val flushes = puts.map(::flushesOf)
        for (round in 0 until flushes.maxOf { it.size }) {
            for (own in flushes) own.getOrNull(round)?.let { cells += merged(it) }
        }
        return cells
    }

    private fun flushesOf(own: List<ModelPut>): List<List<ModelPut>> {
        val largest = own.maxOf { it.values.size * 4 }
        val room = maxOf(largest.toLong(), if (flushSize == 0L) Long.MAX_VALUE else flushSize)
        val flushes = mutableListOf(mutableListOf<ModelPut>())
        for (put in own) {
            if (flushes.last().sumOf { it.values.size * 4 } + put.values.size * 4 >
                room
            ) {
                flushes += mutableListOf<ModelPut>()
            }
            flushes.last() += put
        }
        return flushes
    }

    private class Claim(val run: Int, val box: Int, val time: Int, val value: Long)

    private fun merged(flush: List<ModelPut>): Map<Pair<Int, Int>, Long> {
        val claims = mutableMapOf<Pair<Int, Int>, MutableList<Claim>>()
        var time = 0
        for (put in flush) {
            val shape = SHAPES[put.variable]
            var next = 0
            for (box in 0 until put.boxes.boxCount()) {
                val indices = indicesOf(put.boxes, box, shape.size)
                val hasRecords = put.variable in 1..2
                for ((_, ofRequest) in indices.groupBy { if (hasRecords) it[0] else 0 }) {
                    val runs = if (isInRuns(put.boxes, box, shape)) ofRequest.groupBy { it.dropLast(1) } else null
                    for (index in ofRequest) {
                        val run = runs?.getValue(index.dropLast(1))?.first() ?: index
                        claims.getOrPut(put.variable to shape.cell(index)) { mutableListOf() } +=
                            Claim(shape.cell(run), shape.cell(ofRequest.first()), time, put.values[next++].toLong())
                    }
                    time++
                }
            }
        }
        return claims.mapValues { (_, each) -> each.minWith(compareBy({ it.run }, { it.box }, { it.time })).value }
    }

    /** A variable of records with no other dimension has runs of one cell. */
    private fun isInRuns(boxes: PutBoxes, box: Int, shape: List<Int>) =
        shape.isNotEmpty() && boxes.stride(box, shape.size - 1) == 1L

    private fun indicesOf(boxes: PutBoxes, box: Int, dimensions: Int): List<List<Int>> =
        (0 until dimensions).fold(listOf(listOf())) { before, dimension ->
            before.flatMap { index ->
                (0 until boxes.count(box, dimension)).map {
                    index +
                        (boxes.start(box, dimension) + it * boxes.stride(box, dimension)).toInt()
                }
            }
        }

    private fun List<Int>.cell(index: List<Int>) =
        foldIndexed(0) { dimension, cell, length ->
            cell * length +
                index[dimension]
        }
}

private fun storeOf(spec: NetcdfSpec): BlockStore {
    val store = SimulatedDisk().host("node")
    store.makeDirectory(BurstFixture.DIRECTORY)
    NetcdfWriter.create(store, FILE, NetcdfLayout.plan(spec)).use {
        it.raiseRecordCount(if (spec.unlimitedDimension().isPresent) 3 else 0)
    }
    return store
}

private fun BlockStore.log(ranks: Int, rank: Int, write: (BurstLogWriter) -> Unit) {
    val header = MetaHeader.ofNewLog(MetaHeader.Layout.C, ByteOrder.LITTLE_ENDIAN, ranks, rank, "/run/x", "n")
    BurstLogWriter.create(this, BurstLogName.of(Path.of("/bb/x_0_$rank.meta")).get(), header).use(write)
}

private fun BurstLogWriter.put(boxes: PutBoxes, vararg values: Int, variable: Int = 0) {
    val bytes = ByteBuffer.allocate(4 * values.size).order(ByteOrder.LITTLE_ENDIAN)
    values.forEach(bytes::putInt)
    put(variable, StagedPut.MemoryType.INT, boxes, bytes.flip())
}

private fun BlockStore.replayed(run: (BurstReplay) -> List<BurstReplay.RangeLoss>): List<BurstReplay.RangeLoss> =
    burstLogs().use { set -> BurstReplay.open(this, FILE, set).use(run) }

private fun BlockStore.replayed(flushSize: Long): List<BurstReplay.RangeLoss> =
    replayed {
        it.runAsPnetcdf(flushSize) { }
    }

private fun BlockStore.cells(variable: String): List<Long> =
    NetcdfReader.open(this, FILE).use {
        it.readLongs(variable, Hyperslab.WHOLE).toList()
    }
