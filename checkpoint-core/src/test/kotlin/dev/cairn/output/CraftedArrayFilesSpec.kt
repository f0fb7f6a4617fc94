package dev.cairn.output

import dev.cairn.grid.Shape
import dev.cairn.ranks.RunFailedException
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.PARENT
import dev.cairn.store.withParent
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.string.shouldContain
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

/** Files of arrays that no `writeArrays` has written. */
class CraftedArrayFilesSpec :
    FunSpec({
        for (offset in listOf(Long.MAX_VALUE, Long.MAX_VALUE - 4095, -4096L, 4095L, 8L, 0L, 8192L)) {
            test("an array that the table places at byte $offset is refused, although the checksums are right") {
                val reason =
                    when (offset) {
                        Long.MAX_VALUE - 4095 -> "'v' would end behind byte 2^63 - 1"
                        8192L -> "'v' ends at byte 12288 of 8192"
                        else -> "'v' begins at byte $offset, and not at a multiple of 4096 from byte 16 on"
                    }
                refusal(""""type": "long", "shape": [512], "offset": $offset""") shouldContain unreadable(reason)
            }
        }

        test("an array of an impossible shape or type is refused by its name") {
            refusal(""""type": "long", "shape": [-3], "offset": 4096""") shouldContain
                unreadable("'v': the shape -3 has a negative extent")
            refusal(""""type": "long", "shape": [], "offset": 4096""") shouldContain
                unreadable("'v': a shape has 1 to 6 dimensions, not 0")
            refusal(""""type": "long", "shape": [${Long.MAX_VALUE}], "offset": 4096""") shouldContain
                unreadable("'v' would end behind byte 2^63 - 1")
            refusal(""""type": "real", "shape": [512], "offset": 4096""") shouldContain
                unreadable("'v' has the type real, which is unknown")
        }

        test("a table with a key that this version does not know is refused") {
            refusal(""""type": "long", "shape": [512], "offset": 4096, "unit": "K"""") shouldContain
                "Encountered an unknown key 'unit' at path: $.arrays[1]. Write it again, or read another copy"
        }

        test("a claim of a large table is found out by reading small pieces") {
            val files = SimulatedDisk().withParent().host("node0")
            val size = 64 shl 20
            files.create(FILE).use { it.write(size.toLong(), endOf(size, sum = 7)) }
            val sizes = mutableListOf<Int>()
            val watched =
                object : ForwardingStore(files) {
                    override fun onOperation(operation: BlockStore.Operation) {
                        sizes += operation.length.toInt()
                    }
                }
            readingFailure(watched) shouldContain
                "/run/crafted.arrays is no whole file of arrays: its table should have the CRC32C 7, but has "
            sizes.max() shouldBeLessThanOrEqual (1 shl 20)
        }
    })

private val FILE = PARENT.resolve("crafted.arrays")

private fun unreadable(reason: String) =
    "/run/crafted.arrays is no whole file of arrays: its table cannot be read: $reason. Write it again, or read another copy"

/** What ranks are told that read 'v', which the table describes, from a file of 8192 zeros that begins with 'u'. */
private suspend fun refusal(description: String): String {
    val zeros = ByteArray(8192)
    val table =
        """
        {"arrays": [{"name": "u", "type": "long", "shape": [2], "offset": 0}, {"name": "v", $description}],
         "length": ${zeros.size}, "frameSize": 1048576, "sums": [${sumOf(zeros)}]}
        """.trimIndent().encodeToByteArray()
    val files = SimulatedDisk().withParent().host("node0")
    files.create(FILE).use {
        it.write(0, ByteBuffer.wrap(zeros + table))
        it.write(zeros.size + table.size.toLong(), endOf(table.size, sumOf(table)))
    }
    return readingFailure(files)
}

private suspend fun readingFailure(files: BlockStore): String =
    shouldThrow<RunFailedException> {
        ranks(2) {
            readArrays(FILE, store = files) { array("v", Shape.of(512), Shape.of(512).box(), LongArray(512)) }
        }
    }.message!!

private fun endOf(tableSize: Int, sum: Long): ByteBuffer =
    ByteBuffer
        .allocate(24)
        .order(LITTLE_ENDIAN)
        .putLong(tableSize.toLong())
        .putLong(sum)
        .put("CAIRNAR1".encodeToByteArray())
        .flip()

private fun sumOf(bytes: ByteArray): Long = ArrayFileEnd.sumOf(ByteBuffer.wrap(bytes))
