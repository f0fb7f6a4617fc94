package dev.cairn.sion.format

import dev.cairn.house.JDK_DEPENDENT
import dev.cairn.sion.field.FieldMeter
import dev.cairn.sion.field.FileWriter
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.nio.file.Path

/** The offsets are those of the format's specification, not of this code. */
@Tags(JDK_DEPENDENT)
class FieldListSpec :
    FunSpec({
        fun offsets(meter: FieldMeter) = meter.fields().map { it.name() to it.offset() }

        test("the fixed part of META1 has every field at its place") {
            val meter = FieldMeter(0)
            FileHeader.fields(meter, FileHeader.BLANK)
            offsets(meter) shouldContainExactly
                listOf(
                    "magic" to 0L,
                    "endianness word" to 4L,
                    "library version" to 8L,
                    "library patch level" to 12L,
                    "file format version" to 16L,
                    "fsblksize" to 20L,
                    "ntasks" to 24L,
                    "nfiles" to 28L,
                    "filenumber" to 32L,
                    "flag1" to 36L,
                    "flag2" to 44L,
                    "prefix" to 52L,
                )
            meter.position() shouldBe 1076
        }

        test("the task part and the tail follow, and 1088 bytes and 16 per task are kept for all") {
            val meter = FieldMeter(1076)
            TaskColumns.fields(meter, TaskColumns.blank(3))
            FileTail.fields(meter, FileTail.BLANK) { 0 }
            offsets(meter) shouldContainExactly
                listOf(
                    "global rank of local rank" to 1076L,
                    "chunk size of local rank" to 1100L,
                    "maxchunks" to 1124L,
                    "start_of_varheader" to 1128L,
                )
            meter.position() shouldBe 1136
            MetaOne.size(3) shouldBe 1136
            MetaOne.tailOffset(FormatVersion.V5, 3) shouldBe 1124
        }

        test("format 2 has neither file number nor flags") {
            val meter = FieldMeter(0)
            val header = FileHeader(0, 1002, 0, FormatVersion.V2, 512, 1, 1, 1, 0, 0, "")
            FileHeader.fields(meter, header)
            offsets(meter).last() shouldBe ("prefix" to 32L)
            meter.position() shouldBe 1056
            MetaOne.tailOffset(FormatVersion.V2, 3) shouldBe 1056 + 48
        }

        test("META2 is block-major and the mapping follows it") {
            val meter = FieldMeter(0)
            val blocks = BlockTable.of(arrayOf(longArrayOf(5), longArrayOf(8, 8, 1))) { 8 }
            BlockTable.fields(meter, blocks, UnusedBlocks.ZERO)
            offsets(meter) shouldContainExactly
                listOf(
                    "number of blocks of local rank" to 0L,
                    "bytes in block 0 of local rank" to 16L,
                    "bytes in block 1 of local rank" to 32L,
                    "bytes in block 2 of local rank" to 48L,
                )
            meter.position() shouldBe BlockTable.size(2, 3)
            MappingTable.countField(meter, 2)
            MappingTable.fields(meter, MappingTable.blank(2), 2)
            meter.position() shouldBe BlockTable.size(2, 3) + 4 + MappingTable.size(2)
        }

        listOf(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN).forEach { order ->
            test("what is written in $order order is read back") {
                val disk = ByteBuffer.allocate(1076)
                val header = FileHeader(0x01000001, 1007, 6, FormatVersion.V5, 4096, 3, 2, 1, 51L shl 32, -7, "dé.sion")
                val writer = FileWriter({ position, bytes -> disk.position(position.toInt()).put(bytes) }, order, 0)
                FileHeader.fields(writer, header)
                writer.flush()
                disk.order(order).getInt(8) shouldBe 1007
                val reader =
                    MetaReader(
                        Path.of("x.sion"),
                        { position, target -> target.put(disk.duplicate().position(position.toInt()).limit(1076)) },
                        1076,
                        order,
                        0,
                    )
                FileHeader.fields(reader, FileHeader.BLANK) shouldBe header
            }
        }

        test("a value that the list does not allow is never written") {
            val header = FileHeader(0, 1007, 6, FormatVersion.V5, 0, 3, 2, 1, 0, 0, "x")
            val writer = FileWriter({ _, _ -> error("nothing may be written") }, ByteOrder.LITTLE_ENDIAN, 0)
            shouldThrow<AssertionError> { FileHeader.fields(writer, header) }.message shouldBe
                "fsblksize should be at least 1, but is 0: please report this fault of Cairn."
        }
    })
