package dev.cairn.reading

import dev.cairn.ReadBytes
import dev.cairn.checkpoint.arraySize
import dev.cairn.cli.DUST
import dev.cairn.cli.HEAT
import dev.cairn.cli.HeatCheckpoints
import dev.cairn.cli.SHAPE
import dev.cairn.cli.cell
import dev.cairn.cli.saveDust
import dev.cairn.event.CheckpointException
import dev.cairn.grid.Box
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.house.Campaign
import dev.cairn.proof.log.quietly
import dev.cairn.proof.state.DustState
import dev.cairn.proof.state.Sample
import dev.cairn.proof.state.TypedState
import dev.cairn.ranks.ranks
import dev.cairn.state.Codecs
import dev.cairn.state.ElementType
import dev.cairn.store.Manifest
import dev.cairn.store.ManifestItem
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.comparables.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.nio.file.Path
import java.util.Objects
import kotlin.random.Random

/** Items of every kind, read without the program that saved them. */
class StoredItemsSpec :
    FunSpec({
        quietly()

        test("any box of a field is read in row-major order, independently of the ranks that stored it") {
            val decompositions =
                listOf<(Int) -> Decomposition>({ Decomposition.rows(SHAPE, it) }, { Decomposition.blocks(SHAPE, it) })
            val heat =
                HeatCheckpoints().apply {
                    for (blocks in decompositions) save(6, 1, blocks = blocks)
                }
            val seed = Campaign.seed
            val random = Random(seed)
            for (number in 1..2) {
                StoredCheckpoints(HEAT, heat.files).open(number).use { checkpoint ->
                    val u = checkpoint.field("u")
                    u.read<DoubleArray>() shouldBe DoubleArray(37 * 23) { cell(it.toLong()) }
                    repeat(100) {
                        val box = random.boxIn(SHAPE)
                        withClue("seed $seed, $box") { u.read<DoubleArray>(box) shouldBe expected(box) }
                    }
                }
            }
        }

        test("a field of any type becomes an array of that type, and of no other") {
            val heat = HeatCheckpoints()
            ranks(4) {
                with(TypedState(Sample.BOXES[rank], fill = Sample::cells)) { open(HEAT, heat.files) }.use { it.save(1) }
            }
            StoredCheckpoints(HEAT, heat.files).openNewest().use { checkpoint ->
                for (sample in Sample.entries) {
                    val field = checkpoint.field(sample.name.lowercase())
                    val all = sample.cells(Sample.SHAPE.box(), Sample.SHAPE)
                    withClue(sample) { Objects.deepEquals(field.read(all.javaClass), all) shouldBe true }
                }
                shouldThrow<IllegalArgumentException> {
                    checkpoint
                        .field(
                            "floats",
                        ).read<DoubleArray>()
                }.message shouldBe
                    "'floats' holds cells of the type float: read it as float[]"
                shouldThrow<IllegalArgumentException> { checkpoint.field("floats").read(String::class.java) }
                    .message shouldContain "'floats' holds cells of the type float: read it as float[]"
            }
        }

        test("a box that is not in the field, or more than an array holds, is refused in words") {
            val heat = HeatCheckpoints().apply { save(2, 1) }
            StoredCheckpoints(HEAT, heat.files).openNewest().use {
                val u = it.field("u")
                shouldThrow<IllegalArgumentException> { u.read<DoubleArray>(Shape.of(2, 2).at(36, 0)) }.message shouldBe
                    "'u' has the shape 37x23, in which [36..38)x[0..2) does not lie"
                shouldThrow<IllegalArgumentException> { u.read<DoubleArray>(Shape.of(2).box()) }
            }
            shouldThrow<IllegalArgumentException> { arraySize(1L shl 31, "the box") }.message shouldBe
                "the box has 2147483648 elements, but an array holds at most 2147483639: read parts"
        }

        test("a box costs the frames in which it lies") {
            val heat = HeatCheckpoints()
            val shape = Shape.of(4000, 500)
            heat.save(2, 1, HEAT, fileCount = 1) { rank, size ->
                field("u", shape, ElementType.DOUBLE) {
                    for (box in Decomposition.rows(shape, size).boxes(rank)) {
                        block(box, DoubleArray(box.cellCount().toInt()) { box.start(0) * 500.0 + it })
                    }
                }
            }
            val files = ReadBytes(heat.files)
            StoredCheckpoints(HEAT, files).openNewest().use {
                files.byteCount.set(0)
                it.field("u").read<DoubleArray>(Shape.of(1, 500).at(3000, 0)) shouldBe
                    DoubleArray(500) { i -> 1500000.0 + i }
            }
            files.byteCount.get() shouldBeLessThan (3L shl 20)
        }

        test("no byte of a damaged frame is handed out") {
            val heat = HeatCheckpoints().apply { save(3, 1) }
            heat.damage(1, cell(5))
            StoredCheckpoints(HEAT, heat.files).openNewest().use {
                shouldThrow<CheckpointException.Damaged> { it.field("u").read<DoubleArray>() }
                shouldThrow<CheckpointException.Damaged> {
                    it
                        .field(
                            "u",
                        ).read<DoubleArray>(Shape.of(1, 1).at(0, 0))
                }
                it.field("u").read<DoubleArray>(Shape.of(1, 23).at(36, 0)) shouldBe expected(Shape.of(1, 23).at(36, 0))
            }
        }

        test("cells that no rank has stored are never handed out as zeros") {
            val heat = HeatCheckpoints(change = changing { it.copy(layout = emptyMap()) })
            heat.save(2, 1, HEAT, fileCount = 1) { rank, _ ->
                field("u", SHAPE, ElementType.DOUBLE) {
                    sparse()
                    val box = Shape.of(10, 23).at(rank * 20L, 0)
                    block(box, DoubleArray(230))
                }
            }
            StoredCheckpoints(HEAT, heat.files).openNewest().use {
                shouldThrow<CheckpointException.InvalidDeclaration> { it.field("u").read<DoubleArray>() }
                shouldThrow<CheckpointException.InvalidDeclaration> {
                    it
                        .field(
                            "u",
                        ).read<DoubleArray>(Shape.of(1, 1).box())
                }
            }
            heat.cairn("extract", "heat.cairn", "u", "u.npy").exitCode shouldBe 1
        }

        test("a sparse field is read where it was stored, and nowhere else") {
            val heat = HeatCheckpoints()
            heat.save(2, 1, HEAT, fileCount = 1) { rank, _ ->
                field("u", SHAPE, ElementType.INT) {
                    sparse()
                    val box = Shape.of(10, 23).at(rank * 20L, 0)
                    block(box, IntArray(230) { (SHAPE.index(*box.cell(it.toLong()))).toInt() })
                }
            }
            StoredCheckpoints(HEAT, heat.files).openNewest().use {
                val u = it.field("u")
                u.boxes() shouldBe List(2) { rank -> Shape.of(10, 23).at(rank * 20L, 0) }
                u.read<IntArray>(Shape.of(1, 3).at(21, 4)) shouldBe IntArray(3) { cell -> 21 * 23 + 4 + cell }
                shouldThrow<IllegalArgumentException> { u.read<IntArray>() }.message shouldBe
                    "'u' is sparse, and no rank stored [10..20)x[0..23): read one of the stored boxes"
            }
            heat.cairn("extract", "heat.cairn", "u", "u.npy", "--slice", "20:22,:2").exitCode shouldBe 0
            heat.read(Path.of("u.npy")).order(LITTLE_ENDIAN).run { List(4) { getInt(128 + 4 * it) } } shouldBe
                listOf(460, 461, 483, 484)
            heat.cairn("extract", "heat.cairn", "u", "none.npy", "--slice", "9:11,:").complaint shouldBe
                "cairn: 'u' is sparse, and 23 of the 46 cells were stored by no rank, such as [10..11)x[0..23). " +
                "Give a value for them with --missing, such as --missing 0."
        }

        test("an item that is read as a whole is compared with its digest and its counts") {
            val dust = HeatCheckpoints(change = changing { it.copy(digest = "0".repeat(32)) }).apply { saveDust(3, 1) }
            dust.readEverything { shouldThrow<CheckpointException.Damaged>(it) }
            dust.cairn("extract", "dust.cairn", "dust", "dust.npy").exitCode shouldBe 1
            dust.change = changing { it.copy(elementCount = it.elementCount + 1) }
            dust.saveDust(3, 1)
            shouldThrow<CheckpointException.Damaged> { StoredCheckpoints(DUST, dust.files).open(2) }
        }

        test("columns and rows of a table come whole or in ranges, those of rank 0 first") {
            for (rankCount in listOf(1, 2, 3, 17)) {
                val dust = HeatCheckpoints().apply { saveDust(rankCount, 1) }
                val ids = (0 until rankCount).flatMap { DustState.idsOf(it, rankCount) }
                StoredCheckpoints(DUST, dust.files).openNewest().use { checkpoint ->
                    val table = checkpoint.table("dust")
                    table.rowCount shouldBe ids.size
                    table.columns.map { "$it" } shouldBe listOf("id: long", "x: double", "kind: byte")
                    table.column("id").read<LongArray>().toList() shouldBe ids
                    for (first in 0..ids.size) {
                        for (count in 0..ids.size - first) {
                            val range = first until first + count
                            table.column("x").read<DoubleArray>(first.toLong(), count).toList() shouldBe
                                ids.slice(range).map { DustState.xOf(it, 1) }
                            val rows = mutableListOf<Pair<Long, Byte>>()
                            table.forEachRow(first.toLong(), count.toLong()) {
                                rows +=
                                    it.getLong("id") to it.getByte("kind")
                            }
                            rows shouldBe ids.slice(range).map { it to DustState.kindOf(it, 1) }
                        }
                    }
                    var sum = 0L
                    table.forEachRow { sum += it.getLong("id") }
                    sum shouldBe ids.sum()
                    shouldThrow<IllegalArgumentException> { table.column("y") }.message shouldBe
                        "the table 'dust' has no column 'y'. Its columns are id: long, x: double, kind: byte."
                    shouldThrow<IllegalArgumentException> { table.column("x").read<DoubleArray>(9, 3) }.message shouldBe
                        "the table 'dust' has 11 rows, not 3 from row 9 on"
                    shouldThrow<IllegalArgumentException> { table.column("x").read<FloatArray>() }.message shouldBe
                        "'dust.x' holds cells of the type double: read it as double[]"
                }
            }
        }

        test("rows of many frames come in any range") {
            val count = 300_000
            val dust = HeatCheckpoints()
            dust.save(2, 1, DUST, fileCount = 1) { rank, _ ->
                table("t") {
                    column("id", { LongArray(count) { it + rank * count.toLong() } }, {})
                    column("low", { ByteArray(count) { it.toByte() } }, {})
                    positionFree()
                }
            }
            StoredCheckpoints(DUST, dust.files).openNewest().use {
                val (first, rowCount) = 131_000L to 350_000
                it.table("t").column("id").read<LongArray>(first, rowCount) shouldBe
                    LongArray(rowCount) { i -> first + i }
                var next = first
                it.table("t").forEachRow(first, rowCount.toLong()) { row ->
                    check(row.getLong("id") == next && row.getByte("low") == (next % count).toByte())
                    next++
                }
                next shouldBe first + rowCount
            }
        }

        test("values, streams, seeds and outputs come as what they are") {
            val dust = HeatCheckpoints().apply { saveDust(3, 1) }
            StoredCheckpoints(DUST, dust.files).openNewest().use { checkpoint ->
                checkpoint.rankValues("mass").decodeAll<Long>() shouldBe List(3) { DustState.massOf(it, 1) }
                checkpoint.rankValues("marks").decode<List<Long>>(2) shouldBe DustState.marksOf(2, 1)
                checkpoint.rankValues("note").decode(1, Codecs.TEXT) shouldBe DustState.noteOf(1, 1)
                checkpoint.rankValues("note").bytes(0).decodeToString() shouldBe DustState.noteOf(0, 1)
                checkpoint.streams("log").open(2).use { it.readAllBytes() } shouldBe DustState.logOf(2, 1)
                checkpoint.streams("log").byteCount(2) shouldBe 7
                checkpoint.seed("noise") shouldBe DustState.seedAt(1)
                checkpoint.outputLength("energies") shouldBe "step 1\n".length
                shouldThrow<IllegalArgumentException> {
                    checkpoint
                        .rankValues(
                            "note",
                        ).decode(1, Codecs.LONG)
                }.message shouldBe
                    "'note' is stored as text, not as long: decode it with a codec of that format"
                shouldThrow<IllegalArgumentException> { checkpoint.streams("log").open(3) }.message shouldBe
                    "each of 3 ranks has its own 'log': there is no rank 3"
            }
            val heat = HeatCheckpoints().apply { save(2, 4) }
            StoredCheckpoints(HEAT, heat.files).openNewest().use {
                it.value("time").decode<Double>() shouldBe 2.0
                it.value("time").format shouldBe "cbor"
                it.value("time").bytes().size shouldBe 9
            }
        }
    })

private fun Random.boxIn(shape: Shape): Box {
    val starts = LongArray(shape.dimensions()) { nextLong(shape.extent(it)) }
    return Box.of(starts, LongArray(starts.size) { nextLong(shape.extent(it) - starts[it] + 1) })
}

private fun expected(box: Box) = DoubleArray(box.cellCount().toInt()) { cell(SHAPE.index(*box.cell(it.toLong()))) }

/** Changes what the manifest says of each item. */
private fun changing(change: (ManifestItem) -> ManifestItem): (Manifest) -> Manifest =
    { saved -> saved.copy(items = saved.items.map(change)) }

/** Reads each kind of item as a whole. */
private fun HeatCheckpoints.readEverything(attempt: (() -> Unit) -> Unit) =
    StoredCheckpoints(DUST, files).openNewest().use { checkpoint ->
        attempt { checkpoint.table("dust").forEachRow { } }
        attempt { checkpoint.rankValues("mass").decodeAll<Long>() }
        attempt { checkpoint.seed("noise") }
        attempt { checkpoint.outputLength("energies") }
    }
