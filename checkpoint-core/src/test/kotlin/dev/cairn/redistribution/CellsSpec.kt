package dev.cairn.redistribution

import dev.cairn.grid.Box
import dev.cairn.grid.Shape
import dev.cairn.grid.cells
import dev.cairn.house.JDK_DEPENDENT
import io.kotest.assertions.withClue
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.nio.ByteBuffer
import java.nio.ByteOrder

/** An array of one type, with a halo, and what its cells are as bytes. */
private class Kind(val name: String, val cells: Cells, val bytesOf: (Long) -> ByteArray)

private fun bytes(size: Int, put: ByteBuffer.() -> Unit): ByteArray =
    ByteBuffer
        .allocate(size)
        .order(ByteOrder.LITTLE_ENDIAN)
        .apply(put)
        .array()

private const val NAN = 0x7ff8_0000_0000_0001L
private const val FLOAT_NAN = 0x7fc0_0001

private fun double(it: Long) = if (it == 9L) Double.fromBits(NAN) else it / 8.0

private fun float(it: Long) = if (it == 9L) Float.fromBits(FLOAT_NAN) else it / 8f

/** Each type's array of [size] cells, filled by a formula over the position, or empty. */
private fun kinds(size: Int, filled: Boolean): List<Kind> {
    val used = if (filled) size else 0

    fun <A> A.fill(set: A.(Int) -> Unit): A = apply { repeat(used) { set(it) } }
    return listOf(
        Kind("boolean", Cells.of(BooleanArray(size).fill { set(it, it % 3 == 0) })) {
            bytes(1) {
                val isThird = it % 3 == 0L
                put(if (isThird) 1 else 0)
            }
        },
        Kind(
            "byte",
            Cells.of(ByteArray(size).fill { set(it, (it * 37).toByte()) }),
        ) { bytes(1) { put((it * 37).toByte()) } },
        Kind("short", Cells.of(ShortArray(size).fill { set(it, (it * 3700).toShort()) })) {
            bytes(2) {
                putShort(
                    (
                        it *
                            3700
                    ).toShort(),
                )
            }
        },
        Kind(
            "char",
            Cells.of(
                CharArray(size).fill {
                    set(it, (it * 3701).toChar())
                },
            ),
        ) { bytes(2) { putShort((it * 3701).toShort()) } },
        Kind("int", Cells.of(IntArray(size).fill { set(it, it * 370_000_001) })) {
            bytes(4) {
                putInt(it.toInt() * 370_000_001)
            }
        },
        Kind("long", Cells.of(LongArray(size).fill { set(it, it * 0x3700_0000_0001L) })) {
            bytes(8) {
                putLong(it * 0x3700_0000_0001L)
            }
        },
        Kind(
            "float",
            Cells.of(
                FloatArray(size).fill {
                    set(it, float(it.toLong()))
                },
            ),
        ) { bytes(4) { putInt(float(it).toRawBits()) } },
        Kind(
            "double",
            Cells.of(
                DoubleArray(size).fill {
                    set(it, double(it.toLong()))
                },
            ),
        ) { bytes(8) { putLong(double(it).toRawBits()) } },
        Kind(
            "bytes",
            Cells.of(ByteBuffer.allocateDirect(4 * size).fill { putInt(4 * it, Integer.reverseBytes(it * 11)) }, 4),
        ) { bytes(4) { putInt(it.toInt() * 11) } },
    )
}

@Tags(JDK_DEPENDENT)
class CellsSpec :
    FunSpec({
        val array = Shape.of(5, 6).at(-1, -1)
        val owned = Shape.of(3, 4).box()
        val size = array.cellCount().toInt()
        val runs = Runs.of(owned, Image.of(array), Image(owned, 2))
        val positions = owned.cells().map { array.index(*it.toLongArray()) }

        fun expected(kind: Kind) = positions.map(kind.bytesOf).fold(ByteArray(0), ByteArray::plus)

        fun packed(kind: Kind, box: Box, runs: Runs): ByteArray {
            val room = ByteBuffer.allocate(5 + (2 + box.cellCount().toInt()) * kind.cells.elementSize()).position(5)
            kind.cells.copyTo(room, runs)
            room.position() shouldBe 5
            return room.array().drop(5 + 2 * kind.cells.elementSize()).toByteArray()
        }

        fun copied(kind: Kind, cellsEach: Int): List<ByteBuffer> =
            buffers(size, cellsEach, kind.cells.elementSize()).also { buffers ->
                val all = (0L until size).map(kind.bytesOf).fold(ByteArray(0), ByteArray::plus)
                var next = 0
                buffers.forEach { buffer ->
                    buffer.put(0, all, next, buffer.remaining())
                    next += buffer.remaining()
                }
            }

        test("cells of every type become little-endian bytes without their halo, with the bits of a NaN") {
            kinds(size, filled = true).forEach { kind ->
                withClue(kind.name) {
                    kind.cells.elementSize() shouldBe kind.bytesOf(0).size
                    packed(kind, owned, runs) shouldBe expected(kind)
                }
            }
        }

        test("bytes become cells of every type and leave the halo alone") {
            val whole = Runs.of(array, Image.of(array), Image(array, 2))
            kinds(size, filled = false).forEach { kind ->
                withClue(kind.name) {
                    val elementSize = kind.cells.elementSize()
                    val source = ByteBuffer.allocateDirect(5 + 2 * elementSize + expected(kind).size)
                    source.put(5 + 2 * elementSize, expected(kind)).position(5)
                    val before = packed(kind, array, whole)
                    kind.cells.copyFrom(source, runs)
                    packed(kind, owned, runs) shouldBe expected(kind)
                    val after = packed(kind, array, whole)
                    (0L until size).filter { it !in positions }.forEach { cell ->
                        val at = cell.toInt() * elementSize
                        after.copyOfRange(at, at + elementSize) shouldBe before.copyOfRange(at, at + elementSize)
                    }
                }
            }
        }

        test("the digest of an array's box is that of its bytes under the global numbers") {
            val shape = Shape.of(10, 20)
            val numbers = Runs.of(owned, Image.of(array), Image.of(shape.box()))
            kinds(size, filled = true).forEach { kind ->
                withClue(kind.name) {
                    val cells = owned.cells().map { shape.index(*it.toLongArray()) }.zip(positions.map(kind.bytesOf))
                    DigestFormula.PRODUCTS
                        .cells()
                        .also { kind.cells.digest(it, numbers) }
                        .digest()
                        .toString() shouldBe
                        DigestsByFormula.of(DigestFormula.PRODUCTS).ofCells(
                            cells.map { (index, bytes) ->
                                index to
                                    bytes.littleEndian()
                            },
                        )
                }
            }
        }

        test("bytes that go on from one buffer to the next are the same cells, wherever the borders are") {
            kinds(size, filled = true).forEach { kind ->
                for (cellsEach in 1..size + 1) {
                    withClue("${kind.name}, $cellsEach cells in each buffer") {
                        val joined = Cells.of(copied(kind, cellsEach), kind.cells.elementSize())
                        joined.elementSize() shouldBe kind.cells.elementSize()
                        packed(Kind(kind.name, joined, kind.bytesOf), owned, runs) shouldBe expected(kind)
                        digest(joined) shouldBe digest(kind.cells)
                    }
                }
            }
        }

        test("cells that are copied into several buffers do not change the others there") {
            kinds(size, filled = true).forEach { kind ->
                for (cellsEach in 1..size + 1) {
                    withClue("${kind.name}, $cellsEach cells in each buffer") {
                        val elementSize = kind.cells.elementSize()
                        val buffers = buffers(size, cellsEach, elementSize)
                        val source = ByteBuffer.allocateDirect(2 * elementSize + expected(kind).size)
                        source.put(2 * elementSize, expected(kind))
                        Cells.of(buffers, elementSize).copyFrom(source, runs)
                        val cells = buffers.flatMap { it.bytes().asList() }.chunked(elementSize)
                        cells.forEachIndexed { cell, bytes ->
                            val isOwned = cell.toLong() in positions
                            bytes shouldBe
                                (if (isOwned) kind.bytesOf(cell.toLong()) else ByteArray(elementSize)).asList()
                        }
                    }
                }
            }
        }
    })

private fun digest(cells: Cells) =
    DigestFormula.PRODUCTS
        .cells()
        .also { cells.digest(it, Runs.row(3, 17, 20)) }
        .digest()

/** Room for [size] cells, with [cellsEach] in each buffer but the last. */
private fun buffers(size: Int, cellsEach: Int, elementSize: Int): List<ByteBuffer> =
    (0 until size step cellsEach).map { ByteBuffer.allocateDirect(minOf(cellsEach, size - it) * elementSize) }

private fun ByteBuffer.bytes() = ByteArray(remaining()).also { get(position(), it) }

private fun ByteArray.littleEndian(): Long = foldRight(0L) { byte, rest -> rest shl 8 or (byte.toLong() and 0xff) }
