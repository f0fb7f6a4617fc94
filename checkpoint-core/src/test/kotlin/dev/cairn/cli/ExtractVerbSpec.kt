package dev.cairn.cli

import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.reading.FieldWindows
import dev.cairn.reading.StoredCheckpoint
import dev.cairn.reading.StoredCheckpoints
import dev.cairn.sion.store.BlockStore
import dev.cairn.state.ElementType
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.nio.file.Path

class ExtractVerbSpec :
    FunSpec({
        test("a field becomes a NumPy file in the order of its global numbers, for any distribution") {
            val heat =
                HeatCheckpoints().apply {
                    save(4, step = 6)
                    save(6, step = 7, blocks = { Decomposition.blocks(SHAPE, it) })
                }
            listOf("heat.cairn/1", "heat.cairn").forEachIndexed { index, place ->
                val file = Path.of("u$index.npy")
                val run = heat.cairn("extract", place, "u", "$file")

                run.exitCode shouldBe 0
                run.text shouldBe "$file: 6936 bytes of 'u' of heat.cairn/00000${index + 1}\n"
                val bytes = heat.read(file)
                ByteArray(128).also { bytes.get(it) }.toString(Charsets.ISO_8859_1) shouldBe
                    "\u0093NUMPY\u0001\u0000\u0076\u0000" +
                    "{'descr': '<f8', 'fortran_order': False, 'shape': (37, 23), }".padEnd(117) + "\n"
                bytes.asDoubles() shouldBe (0L until 37 * 23).map(::cell)
            }
        }

        test("the header is a multiple of 64 bytes for every type and shape") {
            for (type in ElementType.entries) {
                for (shape in listOf(Shape.of(0), Shape.of(7), Shape.of(1, 2, 3, 4, 5, 1_000_000_007))) {
                    val header = npyHeader(cellType(type), shape)
                    header.size % 64 shouldBe 0
                    ByteBuffer.wrap(header).order(LITTLE_ENDIAN).getShort(8) shouldBe (header.size - 10).toShort()
                    header.last() shouldBe '\n'.code.toByte()
                }
            }
        }

        test("windows of any size give every cell once, in order") {
            val heat = HeatCheckpoints().apply { save(6, step = 1, blocks = { Decomposition.blocks(SHAPE, it) }) }
            heat.files.field().use { checkpoint ->
                for (cells in listOf(1, 2, 22, 23, 24, 100, 850, 851, 5000)) {
                    val windows = FieldWindows(checkpoint.field("u"), windowSize = cells * Double.SIZE_BYTES)
                    (0 until windows.count).flatMap { windows.read(it).asDoubles() } shouldBe (0L until 851).map(::cell)
                }
            }
        }

        test("a slice is the part of the array that NumPy would take") {
            val heat = HeatCheckpoints().apply { save(6, step = 1, blocks = { Decomposition.blocks(SHAPE, it) }) }
            for ((number, slice) in listOf(
                "3:7,2:5" to (3L..6L to 2L..4L),
                ":2,20:" to (0L..1L to 20L..22L),
            ).withIndex()) {
                val (text, ranges) = slice
                val (rows, columns) = ranges
                heat.cairn("extract", "heat.cairn", "u", "u$number.npy", "--slice", text).exitCode shouldBe 0
                val bytes = heat.read(Path.of("u$number.npy"))
                bytes.array().decodeToString(10, 128) shouldContain
                    "'shape': (${rows.count()}, ${columns.count()}), }"
                bytes.position(128).asDoubles() shouldBe rows.flatMap { i -> columns.map { cell(i * 23 + it) } }
            }
            val complaints =
                mapOf(
                    "3:40,:" to "cairn: the slice 3:40,: does not lie in the shape 37x23.",
                    "5:3,:" to "cairn: the slice 5:3,: does not lie in the shape 37x23.",
                    "3:4" to "cairn: the slice 3:4 has 1 dimension, but the shape 37x23 has 2.",
                )
            for ((text, complaint) in complaints) {
                heat.cairn("extract", "heat.cairn", "u", "no.npy", "--slice", text).complaint shouldBe complaint
            }
            heat.cairn("extract", "heat.cairn", "u", "no.npy", "--slice", "-3:,:").run {
                exitCode shouldBe 2
                complaint shouldContain "'-3:,:' is not a slice: give START:END for each dimension, as in 10:20,:"
            }
            heat.cairn("extract", "heat.cairn", "time", "no", "--slice", "0:1").complaint shouldBe
                "cairn: 'time' is kept as bytes, and has no slices: leave --slice out."
            heat.files.exists(Path.of("no.npy")) shouldBe false
        }

        test("rows of a table come in slices, too") {
            val dust = HeatCheckpoints().apply { saveDust(3, step = 1) }
            dust.cairn("extract", "dust.cairn", "dust", "dust.npy").exitCode shouldBe 0
            dust.cairn("extract", "dust.cairn", "dust", "some.npy", "--slice", "3:9").exitCode shouldBe 0
            val (all, some) = dust.read(Path.of("dust.npy")) to dust.read(Path.of("some.npy"))
            some.position(128) shouldBe all.slice(128 + 3 * 17, 6 * 17)
        }

        test("constants come by their names, as texts do") {
            val hues = Hue.entries.toTypedArray()
            val longest = MANY.maxOf { it.name.length }
            val paint =
                HeatCheckpoints().apply {
                    save(2, step = 1, DUST, fileCount = 1) { _, _ ->
                        table("t") {
                            column("hue", { hues }, {})
                            column("id", { LongArray(hues.size) { it + 1L } }, {})
                            column("script", { Array(hues.size) { MANY[it] } }, {})
                            positionFree()
                        }
                    }
                }
            paint.cairn("extract", "dust.cairn", "t", "t.npy", "--slice", "1:5").exitCode shouldBe 0
            val bytes = paint.read(Path.of("t.npy")).order(LITTLE_ENDIAN)
            bytes.array().decodeToString(10, 128) shouldContain
                "[('hue', '|S7'), ('id', '<i8'), ('script', '|S$longest')]"
            val rows =
                bytes.position(128).let { rest ->
                    List(4) { Triple(rest.name(7), rest.getLong(), rest.name(longest)) }
                }
            val all = List(3) { Triple(hues[it].name, it + 1L, MANY[it].name) }
            rows shouldBe (all + all).slice(1..4)
        }

        test("values come as their bytes, those of a private item from the rank that is named") {
            val heat = HeatCheckpoints().apply { save(3, step = 5) }

            heat.cairn("extract", "heat.cairn", "time", "time.cbor").exitCode shouldBe 0
            heat.read(Path.of("time.cbor")).run { get() to getDouble() } shouldBe (0xfb.toByte() to 2.5)
            heat.cairn("extract", "heat.cairn", "seen", "seen.cbor", "--rank", "2").exitCode shouldBe 0
            heat.read(Path.of("seen.cbor")).array().decodeToString(1) shouldBe "rank 2"
            heat.cairn("extract", "heat.cairn", "seen", "other.cbor", "--rank", "3").run {
                exitCode shouldBe 3
                complaint shouldBe "cairn: each rank has its own 'seen': choose one with --rank, 0 to 2."
            }
        }

        test("an option that says nothing of an item is refused") {
            val heat = HeatCheckpoints().apply { save(3, step = 5) }
            heat.cairn("extract", "heat.cairn", "u", "u.npy", "--rank", "1").run {
                exitCode shouldBe 3
                complaint shouldBe
                    "cairn: 'u' is a field of all ranks together: leave --rank out."
            }
            heat.cairn("extract", "heat.cairn", "time", "t", "--rank", "0").run {
                exitCode shouldBe 3
                complaint shouldBe "cairn: 'time' is the same for all ranks: leave --rank out."
            }
            heat.cairn("extract", "heat.cairn", "time", "t", "--missing", "0").complaint shouldBe
                "cairn: 'time' is not a field: leave --missing out."
            heat.files.list(Path.of("")).filter { "npy" in "$it" || "$it" == "t" } shouldHaveSize 0
        }

        test("what cannot be extracted whole leaves no file, and what exists is not overwritten") {
            val heat = HeatCheckpoints().apply { save(3, step = 5) }
            heat.cairn("extract", "heat.cairn/1", "time", "there").exitCode shouldBe 0
            heat.cairn("extract", "heat.cairn/1", "u", "there").complaint shouldBe
                "cairn: there exists, and is not overwritten. Delete it or choose another name."
            heat.cairn("extract", "heat.cairn/1", "v", "v").complaint shouldBe
                "cairn: heat.cairn/000001 holds no item 'v', but u, time, seen."
            heat.damage(1, cell(500))
            heat.cairn("extract", "heat.cairn/1", "u", "u.npy").exitCode shouldBe 1
            heat.files.list(Path.of("")).filter { "npy" in "$it" || "$it" == "v" } shouldHaveSize 0
        }
    })

private enum class Hue { RED, CRIMSON, BLUE }

/** So many that they are stored in two bytes. */
private val MANY = Character.UnicodeScript.values().sortedByDescending { it.ordinal }

private fun ByteBuffer.name(size: Int) = ByteArray(size).also { get(it) }.decodeToString().trimEnd('\u0000')

private fun BlockStore.field(): StoredCheckpoint = StoredCheckpoints(HEAT, this).openNewest()

/** The rest of the buffer. */
fun ByteBuffer.asDoubles(): List<Double> =
    slice().order(LITTLE_ENDIAN).asDoubleBuffer().let { doubles ->
        List(doubles.remaining()) { doubles.get(it) }
    }
