package dev.cairn.sion.netcdf

import dev.cairn.house.Campaign
import dev.cairn.sion.fixture.allocatedBytes
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.fixture.simulatedPlace
import dev.cairn.sion.stripe.Hyperslab
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import java.nio.ByteBuffer
import java.util.TreeMap

/** Damaged files are refused in sentences, or read as what their bytes say; nothing else comes of them. */
class DamagedNetcdfSpec :
    FunSpec({
        println("DamagedNetcdfSpec: seed ${Campaign.seed}")
        NetcdfWarnings.off()

        fun someOf(bytes: IntRange) = Campaign.DAMAGED_BYTES.someOf(bytes.toList())

        fun read(bytes: ByteArray): String {
            val place = simulatedPlace()
            val file = place.file("file.nc", bytes)
            return try {
                NetcdfReader.open(place.store, file).use { reader ->
                    reader.spec().variables().forEach {
                        if (it.type() == NetcdfType.CHAR) {
                            reader.readText(it.name(), Hyperslab.WHOLE)
                        } else {
                            reader.readDoubles(it.name(), Hyperslab.WHOLE)
                        }
                    }
                }
                "read"
            } catch (refusal: NetcdfException) {
                refusal.message.orEmpty().removePrefix("$file: ")
            }
        }

        PnetcdfFile.ALL.filterNot { it.name == "kinds-1.10" }.forEach { file ->
            val headerSize =
                simulatedPlace().let { place ->
                    NetcdfReader
                        .open(
                            place.store,
                            place.file("file.nc", file.bytes),
                        ).use { it.layout().headerSize().toInt() }
                }

            test("$file: each shorter file is refused, or has fewer values") {
                for (size in someOf(0 until headerSize)) {
                    withClue("cut at byte $size") {
                        val place = simulatedPlace()
                        val cut = place.file("file.nc", file.bytes.copyOf(size))
                        val refusal = shouldThrow<NetcdfException> { NetcdfReader.open(place.store, cut) }
                        if (size >= 4) refusal.shouldBeInstanceOf<NetcdfException.Truncated>()
                    }
                }
                for (size in someOf(headerSize until file.bytes.size)) {
                    withClue("cut at byte $size") { read(file.bytes.copyOf(size)).shouldBeSentence() }
                }
            }

            test("$file: each changed byte of the header is refused or changes no more than it says") {
                val verdicts = TreeMap<String, Int>()
                for (position in someOf(0 until headerSize)) {
                    for (bit in 0 until 8) {
                        val damaged = file.bytes.copyOf()
                        damaged[position] = (damaged[position].toInt() xor (1 shl bit)).toByte()
                        withClue("bit $bit of byte $position") {
                            val verdict = read(damaged)
                            verdict.shouldBeSentence()
                            verdicts.merge(if (verdict == "read") verdict else "refused", 1, Int::plus)
                        }
                    }
                }
                println("DamagedNetcdfSpec, $file: $verdicts")
            }
        }

        val small =
            NetcdfSpec
                .builder(NetcdfFormat.CDF_1)
                .unlimited("t")
                .dimension("x", 2)
                .attribute("note", "abc")
                .variable("v", NetcdfType.SHORT, "x")
                .variable("r", NetcdfType.INT, "t")
                .build()
        val header = NetcdfLayout.plan(small).header(0).let { bytes -> ByteArray(bytes.remaining()).also(bytes::get) }

        fun withInt(position: Int, value: Int): ByteArray =
            header.copyOf(header.size + 8).also { ByteBuffer.wrap(it).putInt(position, value) }

        test("what is refused is said in a sentence") {
            mapOf(
                "CDG1".toByteArray() to
                    "the first 4 bytes should be 'CDF' and 1, 2 or 5, but are 43 44 47 31. This is no NetCDF classic " +
                    "file: check the name.",
                "CD".toByteArray() to
                    "the first 4 bytes should be 'CDF' and 1, 2 or 5, but are 43 44. This is no NetCDF classic " +
                    "file: check the name.",
                "\u0089HDF\r\n\u001a\n".toByteArray(Charsets.ISO_8859_1) to
                    "this is an HDF5 file, perhaps NetCDF-4. If so, 'nccopy -k cdf5' makes a classic file of it.",
                withInt(8, 0x0B) to
                    "the tag of the dimension list at byte 8 should be 10 or 0, but is 11. $ANOTHER_COPY",
                withInt(16, Int.MAX_VALUE) to
                    "the length of a name at byte 16 should be 0 to 65536, but is 2147483647. $ANOTHER_COPY",
                withInt(16, 1000) to
                    "name at byte 20 should have 1000 bytes, but the file ends at byte ${header.size + 8}. The " +
                    "file was cut, or nothing was written there: use another copy of it, or read other parts.",
                withInt(20, 0xFF shl 24) to
                    "the name at byte 16 should be UTF-8, but is not. $ANOTHER_COPY",
                withInt(36, 0) to
                    "in its header dimensions t and x have no length, but at most one may be unlimited. $ANOTHER_COPY",
                withInt(4, -2) to
                    "in its header this file can have 0 to 2147483644 records, not 4294967294. $ANOTHER_COPY",
                withInt(header.size - 4, 8) to
                    "in its header variable r begins at byte 8, but what is before the records ends at byte " +
                    "${header.size + 4}. $ANOTHER_COPY",
            ).forEach { (bytes, sentence) -> withClue(sentence) { read(bytes) shouldBe sentence } }
        }

        test("a length that programs avoid, but that the field can hold, is read and written again") {
            val place = simulatedPlace()
            val spec = NetcdfSpec.builder(NetcdfFormat.CDF_1).dimension("unused", 2).build()
            val bytes = NetcdfLayout.plan(spec).header(0).let { found -> ByteArray(found.remaining()).also(found::get) }
            ByteBuffer.wrap(bytes).putInt(28, -1)

            NetcdfReader.open(place.store, place.file("file.nc", bytes)).use { reader ->
                reader
                    .spec()
                    .dimensions()
                    .single()
                    .length() shouldBe 0xFFFF_FFFF
                reader.layout().header(0) shouldBe ByteBuffer.wrap(bytes)
            }
        }

        test("a name of 2 GiB in a file of 200 bytes allocates nothing") {
            val bytes = withInt(16, Int.MAX_VALUE - 8)
            read(bytes)
            val before = allocatedBytes()
            read(bytes)
            allocatedBytes() - before shouldBeLessThan (1L shl 20)
        }

        test("nor does one in a sparse file that seems to have its bytes") {
            val place = simulatedPlace()
            val file = place.file("file.nc", withInt(16, Int.MAX_VALUE - 8))
            place.store.open(file, Access.READ_WRITE).use { it.resize(3L shl 30) }
            val before = allocatedBytes()
            shouldThrow<NetcdfException.Corrupt> { NetcdfReader.open(place.store, file) }
            allocatedBytes() - before shouldBeLessThan (1L shl 20)
        }
    })

private const val ANOTHER_COPY = "The file is damaged: use another copy of it."

private fun String.shouldBeSentence() {
    if (this != "read") {
        check(length > 20 && endsWith('.') && "null" !in this) { "no sentence: $this" }
    }
}
