package dev.cairn.cli

import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.reading.FieldWindows
import dev.cairn.reading.StoredCheckpoint
import dev.cairn.reading.StoredField
import dev.cairn.sion.store.BlockStore
import dev.cairn.state.ElementType
import dev.cairn.store.CheckpointStore
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.nio.file.Path

class ExtractVerbSpec :
    FunSpec({
        test("a field becomes a NumPy file in the order of its global numbers, whoever stored it") {
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
                    val windows = FieldWindows(checkpoint.items.first() as StoredField, cells * Double.SIZE_BYTES)
                    (0 until windows.count).flatMap { windows.read(it).asDoubles() } shouldBe (0L until 851).map(::cell)
                }
            }
        }

        test("values come as their bytes, those of a private item from the rank that is named") {
            val heat = HeatCheckpoints().apply { save(3, step = 5) }

            heat.cairn("extract", "heat.cairn", "time", "time.cbor").exitCode shouldBe 0
            heat.read(Path.of("time.cbor")).run { get() to getDouble() } shouldBe (0xfb.toByte() to 2.5)
            heat.cairn("extract", "heat.cairn", "seen", "seen.cbor", "--rank", "2").exitCode shouldBe 0
            heat.read(Path.of("seen.cbor")).array().decodeToString(1) shouldBe "rank 2"
            heat.cairn("extract", "heat.cairn", "seen", "other.cbor", "--rank", "3").run {
                exitCode shouldBe 3
                complaint shouldBe "cairn: each rank has its own 'seen': say whose with --rank, 0 to 2."
            }
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

private fun BlockStore.field(): StoredCheckpoint {
    val store = CheckpointStore(this, HEAT)
    return StoredCheckpoint.open(this, store.read(store.survey().saves.first()))
}

/** The rest of the buffer. */
fun ByteBuffer.asDoubles(): List<Double> =
    slice().order(LITTLE_ENDIAN).asDoubleBuffer().let { doubles ->
        List(doubles.remaining()) { doubles.get(it) }
    }
