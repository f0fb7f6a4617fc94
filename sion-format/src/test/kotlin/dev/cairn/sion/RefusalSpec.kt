package dev.cairn.sion

import dev.cairn.sion.failure.SionException
import dev.cairn.sion.fixture.DamagedMultifile
import dev.cairn.sion.fixture.Refused
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.core.spec.style.scopes.FunSpecContainerScope
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import java.nio.ByteBuffer
import java.nio.file.Path
import kotlin.io.path.name

/** Each refusal, word for word. Where the bytes lie is worked out in the format's examples, docs/reference/multifile.md. */
class RefusalSpec :
    FunSpec({
        suspend fun FunSpecContainerScope.refusal(name: String, multifile: DamagedMultifile, sentence: String) =
            test("$name is refused") { multifile.refusal().message shouldBe sentence }

        context("a file that is no multifile, or of another format") {
            refusal(
                "another magic",
                serial { put(0, 'S'.code.toByte()) },
                "$SERIAL: the first 4 bytes should be 'sion', but are 53 69 6f 6e. $NO_MULTIFILE",
            )
            refusal(
                "a text that is shorter than META1",
                serial().apply { replace(path, "Once upon a time".encodeToByteArray()) },
                "$SERIAL: the first 4 bytes should be 'sion', but are 4f 6e 63 65. $NO_MULTIFILE",
            )
            listOf(1, 0, -1, 6, 1000).forEach { version ->
                refusal(
                    "format $version",
                    serial { putInt(16, version) },
                    "$SERIAL: the file format version at byte 16 should be 2 to 5, but is $version. Read it with the" +
                        " library that wrote it; if that was SIONlib 1.x, the file is damaged.",
                )
            }
        }

        context("a file that was cut or never closed") {
            refusal("an empty file", serialCutTo(0), "$SERIAL: magic at byte 0 should have 4 bytes, but $END 0. $CUT")
            refusal(
                "a file that ends in the first fields",
                serialCutTo(22),
                "$SERIAL: fsblksize at byte 20 should have 4 bytes, but $END 22. $CUT",
            )
            refusal(
                "a file that ends in the prefix",
                serialCutTo(700),
                "$SERIAL: prefix at byte 52 should have 1024 bytes, but $END 700. $CUT",
            )
            refusal(
                "a file that ends in META1's task part",
                serialCutTo(1080),
                "$SERIAL: META1's task part at byte 1076 should have 16 bytes, but $END 1080. $CUT",
            )
            refusal("a file without META1's tail", serialCutTo(1092), "$SERIAL: $NEVER_CLOSED")
            refusal("a tail of zeros", serial { put(1092, ByteArray(12)) }, "$SERIAL: $NEVER_CLOSED")
            refusal("a start of META2 that is 0", serial { putLong(1096, 0) }, "$SERIAL: $NEVER_CLOSED")
            refusal(
                "a file that ends in maxchunks",
                serialCutTo(1094),
                "$SERIAL: maxchunks at byte 1092 should have 4 bytes, but $END 1094. $CUT",
            )
            refusal(
                "a file that ends in start_of_varheader",
                serialCutTo(1100),
                "$SERIAL: start_of_varheader at byte 1096 should have 8 bytes, but $END 1100. $CUT",
            )
            refusal(
                "a file that ends in its data",
                serialCutTo(2000),
                "$SERIAL: META2 at byte 2560 should have 16 bytes, but $END 2000. $CUT",
            )
            refusal(
                "a file that ends in META2",
                serialCutTo(2570),
                "$SERIAL: META2 at byte 2560 should have 16 bytes, but $END 2570. $CUT",
            )
            refusal(
                "a set without its mapping",
                setCutTo(4656),
                "$SET: mapping size at byte 4656 should have 4 bytes, but $END 4656. $CUT",
            )
            refusal(
                "a file that ends in the mapping",
                setCutTo(4680),
                "$SET: the mapping at byte 4660 should have 40 bytes, but $END 4680. $CUT",
            )
        }

        context("a number in META1's fixed part that cannot be") {
            listOf(0, -1, Int.MIN_VALUE).forEach { blockSize ->
                refusal(
                    "a block size of $blockSize",
                    serial { putInt(20, blockSize) },
                    "$SERIAL: fsblksize at byte 20 should be at least 1, but is $blockSize. $DAMAGED",
                )
            }
            listOf(0, -1, 1 shl 27).forEach { taskCount ->
                refusal(
                    "a number of $taskCount tasks",
                    serial { putInt(24, taskCount) },
                    "$SERIAL: ntasks at byte 24 should be 1 to 134217659, but is $taskCount. $DAMAGED",
                )
            }
            refusal(
                "a number of tasks that is too large for the file",
                serial { putInt(24, 1_000_000) },
                "$SERIAL: META1's task part at byte 1076 should have 16000000 bytes, but $END 2580. $CUT",
            )
            refusal(
                "a number of 0 files",
                serial { putInt(28, 0) },
                "$SERIAL: nfiles at byte 28 should be at least 1, but is 0. $DAMAGED",
            )
            refusal(
                "file number 2 of a single file",
                serial { putInt(32, 2) },
                "$SERIAL: filenumber at byte 32 should be 0 to 1, but is 2. $DAMAGED",
            )
            refusal(
                "a negative file number",
                set { putInt(32, -1) },
                "$SET: filenumber at byte 32 should be 0 to 1, but is -1. $DAMAGED",
            )
        }

        context("chunk sizes that cannot be") {
            refusal(
                "a negative one",
                set { putLong(1100, -512) },
                "$SET: chunk size of local rank 1 at byte 1100 should be at least 0, but is -512. $DAMAGED",
            )
            refusal(
                "a sum behind 2^63",
                set { putLong(1092, Long.MAX_VALUE) },
                "$SET: sum of the chunk sizes at byte 1092 should be less than 2^63, but is more. $DAMAGED",
            )
            refusal(
                "one that in format 3 is rounded up behind 2^63",
                serial { putInt(16, 3).putLong(1084, Long.MAX_VALUE) },
                "$SERIAL: sum of the chunk sizes at byte 1084 should be less than 2^63, but is more. $DAMAGED",
            )
        }

        context("a tail of META1 that cannot be") {
            listOf(0, -1).forEach { blocks ->
                refusal(
                    "a number of $blocks blocks",
                    serial { putInt(1092, blocks) },
                    "$SERIAL: maxchunks at byte 1092 should be at least 1, but is $blocks. $DAMAGED",
                )
            }
            refusal(
                "a number of blocks that is too large for the file",
                serial { putInt(1092, 100) },
                "$SERIAL: start_of_varheader at byte 1096 should be 103936, but is 2560. $DAMAGED",
            )
            refusal(
                "a number of blocks that end behind 2^63",
                serial { putLong(1084, 1L shl 40).putInt(1092, Int.MAX_VALUE) },
                "$SERIAL: maxchunks at byte 1092 should be a number of blocks that end below byte 2^63, but is more." +
                    " $DAMAGED",
            )
            refusal(
                "another place of META2",
                serial { putLong(1096, 2568) },
                "$SERIAL: start_of_varheader at byte 1096 should be 2560, but is 2568. $DAMAGED",
            )
            refusal(
                "a META2 that would end behind 2^63",
                serial { putLong(1084, Long.MAX_VALUE - 1551).putLong(1096, Long.MAX_VALUE - 15) },
                "$SERIAL: META2 at byte 9223372036854775792 should have 16 bytes, but $END 2580. $CUT",
            )
            refusal(
                "a number of blocks that no task has",
                set { putLong(4616, 1).putLong(4648, 0) },
                "$SET: maxchunks at byte 1108 should be 1, the largest number of blocks of any task, but is 2. $DAMAGED",
            )
        }

        context("a META2 that cannot be") {
            refusal(
                "a number of blocks that leaves bytes out",
                set { putLong(4616, 1) },
                "$SET: bytes in block 1 of local rank 1 at byte 4648 should be -1 to 0, but is 700. $DAMAGED",
            )
            listOf(0L, -1L, 3L, Long.MAX_VALUE).forEach { blocks ->
                refusal(
                    "a task with $blocks blocks",
                    set { putLong(4616, blocks) },
                    "$SET: number of blocks of local rank 1 at byte 4616 should be 1 to 2, but is $blocks. $DAMAGED",
                )
            }
            listOf(-1L, 1025L, Long.MIN_VALUE).forEach { bytes ->
                refusal(
                    "a block with $bytes bytes",
                    set { putLong(4648, bytes) },
                    "$SET: bytes in block 1 of local rank 1 at byte 4648 should be 0 to 1024, but is $bytes. $DAMAGED",
                )
            }
        }

        context("a mapping that cannot be") {
            refusal(
                "one with fewer tasks than files",
                set { putInt(4656, 1) },
                "$SET: mapping size at byte 4656 should be at least 2, the number of files, but is 1. $DAMAGED",
            )
            refusal(
                "a negative size",
                set { putInt(4656, -1) },
                "$SET: mapping size at byte 4656 should be at least 0, but is -1. $DAMAGED",
            )
            refusal(
                "a size that is too large for the file",
                set { putInt(4656, Int.MAX_VALUE) },
                "$SET: the mapping at byte 4660 should have 17179869176 bytes, but $END 4700. $CUT",
            )
            refusal(
                "a file number that is not of the set",
                set { putInt(4668, 2) },
                "$SET: file number in the mapping of task 1 at byte 4668 should be 0 to 1, but is 2. $DAMAGED",
            )
            refusal(
                "a negative local rank",
                set { putInt(4672, -1) },
                "$SET: local rank in the mapping of task 1 at byte 4672 should be 0 to 134217658, but is -1. $DAMAGED",
            )
            refusal(
                "a local rank that the file does not have",
                set { putInt(4672, 3) },
                "$SET: mapping of task 1 at byte 4668 should be a local rank below 3, but is file 1, local rank 3." +
                    " $DAMAGED",
            )
            refusal(
                "the same place twice",
                set { putInt(4688, 0) },
                "$SET: mapping of task 3 at byte 4684 should be a place that no earlier task has, but is file 1," +
                    " local rank 0. $DAMAGED",
            )
            refusal(
                "one that leaves a task out",
                set { putInt(4656, 4) },
                "$SET: mapping at byte 4656 should be one that names local rank 2 of file 1, but is one that" +
                    " leaves its 2700 bytes out. $DAMAGED",
            )
        }

        context("a physical file that is not the right one") {
            refusal(
                "a missing one",
                set().apply { delete(SECOND) },
                "$SECOND: it does not exist, but $SET has 2 physical files, of which this is number 1, counted" +
                    " from 0. Copy it beside the others.",
            )
            refusal(
                "a damaged one",
                set().apply { change(SECOND) { putInt(20, 0) } },
                "$SECOND: fsblksize at byte 20 should be at least 1, but is 0. $DAMAGED",
            )
            refusal("one in the place of another", swapped(), foreign("file number", "1", "0"))
            refusal(
                "one of a set with more files",
                foreignIn { putInt(28, 3) },
                foreign("number of files", "2", "3"),
            )
            refusal(
                "one of a set with another name",
                foreignIn { put(52, "other.sion".encodeToByteArray() + ByteArray(20)) },
                foreign("prefix", "p05-local-comms.sion", "other.sion"),
            )
            refusal(
                "one with another block size",
                foreignIn { putInt(20, 1536) },
                foreign("fsblksize", "512", "1536"),
            )
            refusal("one of another format", foreignIn { putInt(16, 4) }, foreign("file format version", "5", "4"))
            refusal("one with other flags", foreignIn { putLong(44, 1) }, foreign("flag2", "0", "1"))
            refusal(
                "one in another byte order of the user data",
                foreignIn { put(5, 1).put(6, 1) },
                foreign("endianness word", "0x00000000", "0x00010100"),
            )
            refusal(
                "one with records beside plain bytes",
                foreignIn { putLong(36, 51L shl 32) },
                foreign("flag1", "214748364800", "219043332096"),
            )
        }

        context("a stream that is no row of records") {
            test("a value that is longer than the rest of the stream is refused") {
                recordRefusal { putLong(1544, 900) } shouldBe
                    "$RECORDS: record length of task 0 at byte 1544 should be 0 to 782, the rest of the stream," +
                    " but is 900. $DAMAGED"
            }

            test("a length is unsigned, so a negative one is too large") {
                recordRefusal { putLong(3300, -1) } shouldBe
                    "$RECORDS: record length of task 0 at byte 3300 should be 0 to 50, the rest of the stream," +
                    " but is 18446744073709551615. $DAMAGED"
            }

            test("a header that the stream's end cuts is refused") {
                recordRefusal { putLong(3300, 43) } shouldBe
                    "$RECORDS: record header of task 0 at byte 3351 should be 16 bytes long, but is cut after 7" +
                    " by the end of the stream. $DAMAGED"
            }

            test("the other streams of the file can still be read") {
                val multifile = DamagedMultifile.of(RECORDS.name, "${RECORDS.name}.000001")
                multifile.change(RECORDS) { putLong(1544, 900) }
                Multifile.open(multifile.store, multifile.path).use { view ->
                    view.task(1).records().size(10) shouldBe 5
                    view.task(0).size() shouldBe 798
                }
            }
        }

        test("a refusal can be asked for the file, the byte and the field") {
            val refusal = serial { putInt(20, 0) }.refusal().shouldBeInstanceOf<SionException.Corrupt>()
            refusal.file() shouldBe SERIAL
            refusal.offset() shouldBe 20
            refusal.field() shouldBe "fsblksize"
        }
    })

private val SERIAL = Path.of("/data/s01-one-task.sion")
private val SET = Path.of("/data/p05-local-comms.sion")
private val SECOND = Path.of("/data/p05-local-comms.sion.000001")
private val RECORDS = Path.of("/data/p11-keyval-two-files.sion")

private const val NO_MULTIFILE = "This is no SION multifile, or its beginning is damaged: check the name and the file."
private const val DAMAGED = "The file is damaged: use another copy of it."
private const val END = "the file ends at byte"
private const val CUT = "The file was cut, is damaged, or its writer did not finish: use another copy of it."
private const val NEVER_CLOSED =
    "start_of_varheader at byte 1096 is 0 or missing: the writer never closed this multifile, so the lengths of its" +
        " tasks are unknown. Use an older one."

private fun foreign(field: String, expected: String, found: String) =
    "$SECOND: its $field should be $expected, but is $found, so it does not belong to $SET. Put the right file" +
        " in its place."

private fun serial(damage: ByteBuffer.() -> Unit = {}) =
    DamagedMultifile.of(SERIAL.name).apply { change(SERIAL, damage) }

private fun set(damage: ByteBuffer.() -> Unit = {}) =
    DamagedMultifile.of(SET.name, SECOND.name).apply { change(SET, damage) }

private fun foreignIn(damage: ByteBuffer.() -> Unit) = set().apply { change(SECOND, damage) }

private fun swapped() = set().apply { replace(SECOND, bytesOf(SET)) }

private fun serialCutTo(size: Int) = serial().apply { replace(SERIAL, bytesOf(SERIAL).copyOf(size)) }

private fun setCutTo(size: Int) = set().apply { replace(SET, bytesOf(SET).copyOf(size)) }

/** The model must refuse it too, so no sentence stands here for a file that is in order. */
private fun DamagedMultifile.refusal(): SionException {
    shouldThrow<Refused> { model.open(path) }
    return shouldThrow<SionException> { Multifile.open(store, path).close() }
}

private fun recordRefusal(damage: ByteBuffer.() -> Unit): String? {
    val multifile = DamagedMultifile.of(RECORDS.name, "${RECORDS.name}.000001")
    multifile.change(RECORDS, damage)
    return Multifile.open(multifile.store, multifile.path).use { view ->
        shouldThrow<SionException> { view.task(0).records() }.message
    }
}
