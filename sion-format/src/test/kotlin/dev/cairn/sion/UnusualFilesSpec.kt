package dev.cairn.sion

import dev.cairn.sion.failure.SionException
import dev.cairn.sion.fixture.DamagedMultifile
import dev.cairn.sion.fixture.shouldShow
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import java.nio.ByteBuffer
import java.nio.file.Path

/** What is not as usual, but in order. */
class UnusualFilesSpec :
    FunSpec({
        test("format 2 has no file number and no flags, and the same data") {
            val original = DamagedMultifile.of("c02-format3.sion")
            val multifile = DamagedMultifile.ofFormat2()
            multifile.opened { view ->
                view.info().formatVersion() shouldBe 2
                view.info().fileNumber() shouldBe 1
                view.info().prefix() shouldBe "c02-format3.sion"
                view.streams() shouldBe original.opened { it.streams() }
                view.shouldShow(multifile.model.open(multifile.path)).shouldBeEmpty()
            }
        }

        test("a block in format 3 may be longer than its task asked for, if the chunk holds it") {
            val multifile = DamagedMultifile.of("c02-format3.sion")
            val file = multifile.model.open(multifile.path).first
            val rank = file.chunkSizes.indexOfFirst { it % file.blockSize != 0L }
            val aligned = file.chunkSizes[rank] / file.blockSize * file.blockSize + file.blockSize
            multifile.change { putLong((file.metaTwoStart() + 8 * (file.taskCount + rank)).toInt(), aligned) }
            multifile.opened { view -> view.task(rank).bytesInBlock(0) shouldBe aligned }
        }

        test("the copies of a buddy multifile are read through their own mapping, which hides the helpers") {
            val original = DamagedMultifile.of(*namesOf("p12-buddy.sion", 3))
            val buddies = DamagedMultifile.of(*namesOf("p12-buddy.sion_BUDDY_00", 3))
            buddies.opened { view ->
                view.info().prefix() shouldBe "p12-buddy.sion"
                view.streams() shouldBe original.opened { it.streams() }
                view.globalRanks() shouldContainExactly (0L..5L).toList()
            }
        }

        test("any physical file can be opened alone, with its own tasks") {
            val whole = DamagedMultifile.of(*namesOf("p05-local-comms.sion", 2))
            val member = DamagedMultifile.of("p05-local-comms.sion.000001")
            member.opened { view ->
                view.spansFiles() shouldBe false
                view.info().fileCount() shouldBe 2
                view.info().fileNumber() shouldBe 1
                view.globalRanks() shouldContainExactly listOf(1L, 3L, 4L)
                view.streams() shouldBe whole.opened { it.streams() }.slice(listOf(1, 3, 4))
            }
        }

        test("a physical file of buddies alone shows the helpers with their negative ranks") {
            DamagedMultifile.of("p12-buddy.sion_BUDDY_00.000002").opened { view ->
                view.globalRanks() shouldContainExactly listOf(-3L, -4L, 4L, 5L)
                view.task(0).size() shouldBe 0
            }
        }

        test("one task can be read while another task's physical file is missing") {
            val multifile = DamagedMultifile.of(*namesOf("p05-local-comms.sion", 2))
            val expected = multifile.opened { it.streams()[2] }
            multifile.delete(Path.of("/data/p05-local-comms.sion.000001"))
            Multifile.openTask(multifile.store, multifile.path, 2).use { it.bytes() } shouldBe expected
            shouldThrow<SionException.MissingFile> { Multifile.openTask(multifile.store, multifile.path, 1) }
        }

        mapOf(
            "a serial file" to DamagedMultifile.of("s01-one-task.sion"),
            "a parallel file" to DamagedMultifile.of("p01-one-task.sion"),
            "a set with a mapping" to DamagedMultifile.of(*namesOf("p05-local-comms.sion", 2)),
        ).forEach { (name, multifile) ->
            test("bytes behind the end of $name change nothing") {
                val expected = multifile.opened { it.streams() }
                val files =
                    multifile.model
                        .open(multifile.path)
                        .files
                        .map { it.path }
                files.forEach { multifile.replace(it, multifile.bytesOf(it) + ByteArray(5000) { -1 }) }
                multifile.opened { view ->
                    view.streams() shouldBe expected
                    view.shouldShow(multifile.model.open(multifile.path)).shouldBeEmpty()
                }
            }
        }

        test("newer patches, unknown flags and modes are no reason to refuse a file") {
            val multifile = DamagedMultifile.of("s01-one-task.sion")
            val expected = multifile.opened { it.streams() }
            multifile.change { putInt(8, 2001).putInt(12, 99).putLong(36, 77L shl 32 or 5).putLong(44, -1) }
            multifile.opened { view ->
                view.info().libraryVersion() shouldBe 2001
                view.info().patchLevel() shouldBe 99
                view.info().content() shouldBe Content.BYTES
                view.streams() shouldBe expected
            }
        }

        test("files of format 5 from before key-value mode have no flags and file number 0") {
            val multifile = DamagedMultifile.of("s01-one-task.sion")
            multifile.change { putInt(32, 0).putLong(36, 0) }
            multifile.opened { view ->
                view.info().content() shouldBe Content.BYTES
                view.shouldShow(multifile.model.open(multifile.path)).shouldBeEmpty()
            }
        }

        test("the entries of blocks that a task did not use are 0 or -1, as the writer likes") {
            val multifile = DamagedMultifile.of(*namesOf("p05-local-comms.sion", 2))
            val expected = multifile.opened { it.streams() }
            listOf(0L, -1L).forEach { unused ->
                multifile.change { putLong(4640, unused) }
                multifile.opened { it.streams() } shouldBe expected
            }
        }

        test("a prefix may fill its field without a zero byte at the end") {
            val multifile = DamagedMultifile.of("s01-one-task.sion")
            multifile.change { put(52, ByteArray(1024) { 'a'.code.toByte() }) }
            multifile.opened { it.info().prefix() } shouldBe "a".repeat(1024)
        }

        test("plain bytes are not records, and asking for them is a mistake of the caller") {
            DamagedMultifile.of("s01-one-task.sion").opened { view ->
                shouldThrow<IllegalStateException> { view.task(0).records() }.message shouldBe
                    "/data/s01-one-task.sion holds plain bytes, no records: read the stream."
            }
        }
    })

private fun namesOf(multifile: String, fileCount: Int): Array<String> =
    Array(fileCount) { if (it == 0) multifile else "%s.%06d".format(multifile, it) }

private fun <T> DamagedMultifile.opened(read: (GlobalView) -> T): T = Multifile.open(store, path).use(read)

private fun GlobalView.streams(): List<ByteBuffer> = List(taskCount()) { task(it).bytes() }

private fun GlobalView.globalRanks(): List<Long> = List(taskCount()) { task(it).globalRank() }

private fun TaskView.bytes(): ByteBuffer = ByteBuffer.wrap(stream().use { it.readAllBytes() })
