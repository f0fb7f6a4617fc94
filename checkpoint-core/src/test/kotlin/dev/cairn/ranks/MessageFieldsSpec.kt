package dev.cairn.ranks

import dev.cairn.event.CallsDifferException
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

/** Messages of which one list of fields is the only statement. */
class MessageFieldsSpec :
    FunSpec({
        val crate = Crate(7, listOf("a", "", "ä"), true, longArrayOf(1, -1), Spot.SHELF, CrateSize(3, 4))
        val bytes = CRATE.encode(crate)

        fun refusal(message: ByteBuffer) = shouldThrow<CallsDifferException> { CRATE.decode(message) }.message.orEmpty()

        test("a message says what was told, with and without the parts that may be missing") {
            CRATE.decode(bytes).toString() shouldBe crate.toString()
            val smallest = Crate(0, emptyList(), false, LongArray(0), Spot.FLOOR, null)
            CRATE.decode(CRATE.encode(smallest)).toString() shouldBe smallest.toString()
        }

        test("the fields lie one behind the other, little-endian, behind the mark of the message") {
            val mark = "a size".hashCode()
            val expected =
                ByteBuffer
                    .allocate(12)
                    .order(LITTLE_ENDIAN)
                    .putInt(mark)
                    .putInt(3)
                    .putInt(4)
                    .flip()
            MessageFields("a size", SIZE).encode(CrateSize(3, 4)) shouldBe expected
        }

        test("to encode and to decode a message leaves the buffers of the caller as they are") {
            val content = ByteBuffer.wrap(byteArrayOf(1, 2, 3)).position(1)
            val message = CONTENT.encode(content)
            CONTENT.decode(message) shouldBe ByteBuffer.wrap(byteArrayOf(2, 3))
            content.position() shouldBe 1
            message.position() shouldBe 0
        }

        test("messages that stand one behind the other are all decoded") {
            val sizes = MessageFields("a size", SIZE)
            sizes.decodeAll(joined(sizes.encode(CrateSize(1, 2)), sizes.encode(CrateSize(3, 4)))) shouldBe
                listOf(CrateSize(1, 2), CrateSize(3, 4))
            sizes.decodeAll(NOTHING) shouldBe emptyList()
        }

        test("a message of another kind is refused, whatever it holds") {
            refusal(MessageFields("another crate", CRATE_FIELDS).encode(crate)) shouldBe
                "a message cannot be read as a crate: it begins with the mark of another kind. Let all ranks run " +
                "the same version of Cairn, and call the same at the same point"
            refusal(NOTHING) shouldContain "it begins with the mark of another kind"
        }

        test("a message that is cut anywhere is refused") {
            for (size in 0 until bytes.remaining()) {
                withClue("cut to $size bytes") {
                    refusal(bytes.duplicate().limit(size)) shouldContain "cannot be read as a crate"
                }
            }
        }

        test("a message with bytes left over is refused") {
            refusal(joined(bytes, bytesOf(0L))) shouldContain "it has 8 bytes left over"
        }

        test("a length that the message cannot hold is refused before any room is made for it") {
            fun message(length: Int) =
                ByteBuffer
                    .allocate(8)
                    .order(LITTLE_ENDIAN)
                    .putInt("numbers".hashCode())
                    .putInt(length)
                    .flip()

            for (kind in listOf(NUMBERS, SIZES, CONTENT)) {
                for (length in listOf(1, Int.MAX_VALUE, -1)) {
                    shouldThrow<CallsDifferException> { kind.decode(message(length)) }.message shouldContain
                        "but 0 are left"
                }
            }
        }

        test("a value that no field can have is refused") {
            val flag = MessageFields("a flag", false) { flag(it) }
            val message = flag.encode(true)
            shouldThrow<CallsDifferException> { flag.decode(message.put(4, 2)) }.message shouldContain
                "2 stands for none of [false, true]"
        }

        test("a message of more than 2 GiB is refused before any room is made for it") {
            val most = ByteBuffer.allocate(1 shl 20)
            shouldThrow<IllegalArgumentException> { MANY.encode(List(2100) { most }) }.message shouldBe
                "a message that holds much would take 2202018008 bytes, and a message holds 2 GiB"
        }
    })

private enum class Spot { FLOOR, SHELF }

private data class CrateSize(val width: Int, val height: Int)

private class Crate(
    val number: Long,
    val labels: List<String>,
    val isHeavy: Boolean,
    val codes: LongArray,
    val place: Spot,
    val size: CrateSize?,
) {
    override fun toString() = "$number $labels $isHeavy ${codes.toList()} $place $size"
}

private val SIZE = Structure(CrateSize(0, 0)) { CrateSize(u32(it.width), u32(it.height)) }

private val LABEL = Structure("") { text(it) }

private val CRATE_FIELDS =
    Structure(Crate(0, emptyList(), false, LongArray(0), Spot.FLOOR, null)) {
        Crate(
            u64(it.number),
            list(it.labels, LABEL),
            flag(it.isHeavy),
            longs(it.codes),
            choice(Spot.entries, it.place),
            optional(it.size, SIZE),
        )
    }

private val CRATE = MessageFields("a crate", CRATE_FIELDS)

private val NUMBERS = MessageFields("numbers", LongArray(0)) { longs(it) }

private val SIZES = MessageFields("numbers", emptyList<CrateSize>()) { list(it, SIZE) }

private val CONTENT = MessageFields("numbers", NOTHING) { bytes(it) }

private val BYTES = Structure(NOTHING) { bytes(it) }

private val MANY = MessageFields("much", emptyList<ByteBuffer>()) { list(it, BYTES) }
