package dev.cairn.sion.layout

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

/** The expected numbers are those of the worked examples in docs/reference/multifile.md, which C files confirm. */
class BlockGeometrySpec :
    FunSpec({
        val twoTasks = BlockGeometry.of(1120, 512, longArrayOf(512, 1024))

        test("block 0 begins at the first multiple of the block size behind META1") {
            twoTasks.start(0) shouldBe 1536
            BlockGeometry.of(1536, 512, longArrayOf(512)).start(0) shouldBe 1536
        }

        test("a block holds one chunk of each task, in order") {
            twoTasks.chunkStart(0, 0) to twoTasks.chunkSize(0) shouldBe (1536L to 512L)
            twoTasks.chunkStart(1, 0) to twoTasks.chunkSize(1) shouldBe (2048L to 1024L)
            twoTasks.chunkStart(0, 1) to twoTasks.chunkSize(0) shouldBe (3072L to 512L)
            twoTasks.chunkStart(1, 1) to twoTasks.chunkSize(1) shouldBe (3584L to 1024L)
        }

        test("a chunk begins behind those of all tasks before it, however many") {
            val sizes = LongArray(50) { task -> 1L + task }
            val many = BlockGeometry.of(1120, 512, sizes)
            for (task in sizes.indices) {
                many.start(task) shouldBe 1536 + task * (task + 1L) / 2
            }
            many.stride() shouldBe 1275
        }

        test("META2 follows the last block") {
            twoTasks.metaTwoStart(2) shouldBe 4608
        }

        test("chunks of no bytes take no room") {
            BlockGeometry.of(1120, 512, longArrayOf(0, 0)).metaTwoStart(7) shouldBe 1536
        }

        test("sizes are rounded up to whole blocks of any size") {
            val sizes = longArrayOf(0, 1, 999, 1000, 1001, Long.MAX_VALUE / 1000 * 1000)
            BlockGeometry.roundUp(sizes, 1000).toList() shouldBe
                listOf(0, 1000, 1000, 1000, 2000, Long.MAX_VALUE / 1000 * 1000)
            BlockGeometry.roundUp(123, 1) shouldBe 123
        }

        test("positions behind 2^63 bytes are refused and never wrap") {
            shouldThrow<ArithmeticException> { BlockGeometry.roundUp(Long.MAX_VALUE, 512) }
            shouldThrow<ArithmeticException> { BlockGeometry.of(1120, 512, longArrayOf(1L shl 62, 1L shl 62)) }
            val large = BlockGeometry.of(1120, 512, longArrayOf(1L shl 40))
            large.chunkStart(0, 1 shl 20) shouldBe 1536 + (1L shl 60)
            shouldThrow<ArithmeticException> { large.chunkStart(0, 1 shl 23) }
            shouldThrow<ArithmeticException> { large.metaTwoStart(1 shl 23) }
        }
    })
