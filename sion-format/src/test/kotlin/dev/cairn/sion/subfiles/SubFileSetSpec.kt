package dev.cairn.sion.subfiles

import dev.cairn.sion.store.fixture.bytesOf
import dev.cairn.sion.store.fixture.withRandom
import dev.cairn.sion.stripe.Hyperslab
import dev.cairn.sion.stripe.StoredArray
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.nio.file.FileAlreadyExistsException
import java.nio.file.Path

/** Sets that HDF5 itself wrote, and the file that its own tool made of each. */
class SubFileSetSpec :
    FunSpec({
        for (fixture in SetFixture.all) {
            test("${fixture.name}: the logical file is the one that HDF5 assembles") {
                fixture.placed().open().use { set ->
                    set.size() shouldBe fixture.size
                    set.bytes() shouldBe fixture.fused
                    set.defects().shouldBeEmpty()
                    set.holes().toList().shouldBeEmpty()
                }
            }

            test("${fixture.name}: any part of the logical file is read") {
                withRandom { random ->
                    fixture.placed().open().use { set ->
                        repeat(200) {
                            val from = random.nextInt(fixture.size.toInt() + 1)
                            val to = random.nextInt(from, fixture.size.toInt() + 1)
                            set.bytes(from.toLong(), to - from) shouldBe fixture.fused.copyOfRange(from, to)
                        }
                    }
                }
            }

            test("${fixture.name}: the vectors of each rank hold its values") {
                fixture.placed().open().use { set ->
                    for (rank in 0 until fixture.rankCount) {
                        set.read(fixture.vector(rank, "a")).asInts() shouldBe
                            fixture.boxOfA(rank).map { (i, j) -> (1000 * i + j).toInt() }
                        set.read(fixture.vector(rank, "b")).asDoubles() shouldBe
                            fixture.boxOfB(rank).map { (i, j) -> i - j / 2.0 }
                    }
                }
            }

            test("${fixture.name}: the box of each rank is its vector") {
                for (rank in 0 until fixture.rankCount) {
                    fixture.selection(rank, "a", 4, fixture.boxOfA(rank)) shouldBe fixture.vector(rank, "a")
                    fixture.selection(rank, "b", 8, fixture.boxOfB(rank)) shouldBe fixture.vector(rank, "b")
                }
            }

            test("${fixture.name}: assembling gives the file that HDF5 assembles, byte for byte") {
                val placed = fixture.placed()
                var copied = 0L
                placed.open().use { SubFileAssembly.run(it, placed.store, placed.path("out.h5")) { n -> copied += n } }

                placed.store.bytesOf(placed.path("out.h5")) shouldBe fixture.fused
                copied shouldBe fixture.size
                placed.disk.openFiles().shouldBeEmpty()
            }
        }

        test("what a set is can be asked") {
            val fixture = SetFixture.four
            fixture.placed().open().use { set ->
                set.configuration() shouldBe
                    SubFileConfig(1024, 1, "/scratch/sf/ckpt.h5", "/scratch/sf", fixture.subFiles)
                set.subFiles().map { it.path().fileName.toString() } shouldBe fixture.subFiles
                set.subFiles().map { it.expectedSize() } shouldBe listOf(4160L, 4096L, 4096L, 4096L)
            }
        }

        test("bytes behind the end are not read") {
            SetFixture.four.placed().open().use { set ->
                shouldThrow<IllegalArgumentException> { set.bytes(16440, 9) }.message shouldBe
                    "9 bytes at 16440 are not within the 16448 bytes of /data/ckpt.h5.subfile_14163971.config."
                shouldThrow<IllegalArgumentException> { set.bytes(-1, 1) }
            }
        }

        test("a copied set is read, and the copy is noted") {
            SetFixture.four.placed().open().use { set ->
                set.notes() shouldBe
                    listOf(
                        "/data/ckpt.h5: the set was copied or restored: the stub's inode is 1, " +
                            "the names say 14163971, and HDF5 cannot open it.",
                    )
            }
        }

        test("assembling overwrites nothing") {
            for (taken in listOf("out.h5", "out.h5.part")) {
                val placed = SetFixture.four.placed()
                placed.store.put(placed.path(taken), byteArrayOf(7))
                val origin = if (taken.endsWith("part")) " (an interrupted copy leaves such a file)" else ""

                placed.open().use { set ->
                    shouldThrow<FileAlreadyExistsException> {
                        SubFileAssembly.run(set, placed.store, placed.path("out.h5")) {}
                    }.reason shouldBe "it exists and is not overwritten$origin: delete it, or choose another name"
                }
                placed.store.bytesOf(placed.path(taken)) shouldBe byteArrayOf(7)
                placed.store.list(SetFixture.DIRECTORY).size shouldBe 7
            }
        }

        test("a missing directory is named") {
            val placed = SetFixture.four.placed()
            placed.open().use { set ->
                shouldThrow<SubFileException> {
                    SubFileAssembly.run(set, placed.store, Path.of("/none/out.h5")) {}
                }.message shouldBe "/none/out.h5: its directory does not exist. Make it first."
            }
        }
    })

private fun SubFileSet.read(vector: List<dev.cairn.sion.stripe.Extent>): ByteBuffer {
    val bytes = vector.map { bytes(it.offset(), it.length().toInt()) }.reduce(ByteArray::plus)
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN)
}

private fun ByteBuffer.asInts(): List<Int> = asIntBuffer().let { view -> List(view.remaining()) { view[it] } }

private fun ByteBuffer.asDoubles(): List<Double> = asDoubleBuffer().let { view -> List(view.remaining()) { view[it] } }

private fun cells(rows: LongRange, columns: LongRange): List<Pair<Long, Long>> =
    rows.flatMap { i -> columns.map { j -> i to j } }

private fun SetFixture.share(count: Long, rank: Int): LongRange =
    count * rank / rankCount until count * (rank + 1) / rankCount

/** Rows of `a`. */
private fun SetFixture.boxOfA(rank: Int) =
    shape("a").let { (rows, columns) -> cells(share(rows, rank), 0 until columns) }

/** Columns of `b`. */
private fun SetFixture.boxOfB(rank: Int) =
    shape("b").let { (rows, columns) -> cells(0 until rows, share(columns, rank)) }

private fun SetFixture.selection(rank: Int, dataset: String, cellSize: Long, box: List<Pair<Long, Long>>) =
    StoredArray
        .of(offset(dataset), cellSize, *shape(dataset).toLongArray())
        .hyperslab(
            Hyperslab.of(
                longArrayOf(box.minOf { it.first }, box.minOf { it.second }),
                longArrayOf(
                    box
                        .map { it.first }
                        .distinct()
                        .size
                        .toLong(),
                    box
                        .map { it.second }
                        .distinct()
                        .size
                        .toLong(),
                ),
            ),
        ).toList()
        .also { check(rank < rankCount) }
