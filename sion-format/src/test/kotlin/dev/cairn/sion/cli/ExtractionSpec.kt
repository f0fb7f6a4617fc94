package dev.cairn.sion.cli

import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.MultifileWriter
import dev.cairn.sion.TaskRequest
import dev.cairn.sion.fixture.BlockwiseMultifile
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.fixture.bytesOf
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.nio.file.Path
import kotlin.io.path.copyTo
import kotlin.io.path.createDirectory
import kotlin.io.path.exists
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readBytes
import kotlin.io.path.writeBytes
import kotlin.io.path.writeText

/** `sion cat`, `split` and `verify`: their options, and what they do when something is in the way. */
class ExtractionSpec :
    FunSpec({
        val directory = tempdir().toPath()
        val five = bundled("s03-five-mixed.sion")
        val setOfTwo = bundled("p04-five-two-files.sion")

        test("cat gives one block of one task") {
            val task = sion("cat", "-t", "4", five.toString()).bytes

            sion("cat", "-t", "4", "-b", "1", five.toString()).bytes.toList() shouldBe
                task.toList().subList(1536, 1536 + 700)
        }

        test("-1 stands for all tasks and all blocks, as for sioncat") {
            sion("cat", "-t", "-1", "-b", "-1", five.toString()).bytes.toList() shouldBe
                sion("cat", five.toString()).bytes.toList()
            sion("cat", "-t", "-2", five.toString()).complaint shouldBe "sion: $five has tasks 0 to 4, but no -2."
        }

        test("cat writes tasks of any sizes, one behind the other") {
            val multifile =
                BlockwiseMultifile.ofLengths(
                    listOf(1, 70_000, 3, 65_536, 65_537, 0, 9).map { listOf(it) },
                    7,
                )
            sion("cat", "-o", "/out", "/blocks.sion", store = multifile.store).complaint shouldBe ""
            multifile.store.bytesOf(Path.of("/out")) shouldBe multifile.tasks.map { it[0] }.reduce(ByteArray::plus)
        }

        test("of a set that lacks a file, cat and split give on request the tasks that are there") {
            val set = directory.resolve("lacking").createDirectory()
            val file = setOfTwo.copyTo(set.resolve("x.sion"))
            val left =
                "sion: $file: tasks that are there: 0, 1; there, but of unknown length: none; not there: 2 to 4; " +
                    "missing physical files: 1."
            sion("cat", file.toString()).exitCode shouldBe 1
            val cat = sion("cat", "--available", file.toString())
            cat.exitCode shouldBe 0
            cat.complaint shouldBe left
            val first =
                sion("cat", "-t", "0", setOfTwo.toString()).bytes + sion("cat", "-t", "1", setOfTwo.toString()).bytes
            cat.bytes.toList() shouldBe first.toList()

            val one = sion("cat", "--available", "-t", "3", file.toString())
            one.complaint shouldBe "$left\nsion: $file: task 3 is not there, or not to the last byte."
            one.exitCode shouldBe 1

            sion("split", "-d", "1", file.toString(), "$set/t").exitCode shouldBe 1
            val split = sion("split", "--available", "-d", "1", file.toString(), "$set/t")
            split.exitCode shouldBe 0
            split.complaint shouldBe left
            set
                .listDirectoryEntries()
                .map { it.name }
                .filter { it.startsWith("t") }
                .sorted() shouldBe
                listOf("t0", "t1")
            sion("cat", "--available", five.toString()).complaint shouldBe ""
        }

        test("cat refuses a task that is not there") {
            val run = sion("cat", "-t", "5", five.toString())

            run.complaint shouldBe "sion: $five has tasks 0 to 4, but no 5."
            run.exitCode shouldBe 1
        }

        test("cat writes the tasks before one that lacks the block, as sioncat does") {
            sion("cat", "-b", "1", five.toString()).bytes.size shouldBe 0
            sion("cat", "-b", "-2", five.toString()).complaint shouldBe
                "sion: $five: task 0 has blocks 0 to 0, but no -2."

            val multifile =
                BlockwiseMultifile.ofLengths(
                    listOf(listOf(4, 5), listOf(4, 3, 2), listOf(4), listOf(4, 6)),
                    2,
                )
            val before = multifile.tasks[0][1] + multifile.tasks[1][1]
            val lacking = "/blocks.sion: task 2 has blocks 0 to 0, but no 1."
            val run = sion("cat", "-b", "1", "/blocks.sion", store = multifile.store)
            run.bytes shouldBe before
            run.complaint shouldBe "sion: $lacking"
            run.exitCode shouldBe 1

            val intoFile = sion("cat", "-b", "1", "-o", "/out", "/blocks.sion", store = multifile.store)
            multifile.store.bytesOf(Path.of("/out")) shouldBe before
            intoFile.complaint shouldBe "sion: /out is incomplete: $lacking"
            intoFile.exitCode shouldBe 1
        }

        test("cat writes into a file and overwrites what was there") {
            val out = directory.resolve("five.bin")
            out.writeText("x".repeat(100_000))

            sion("cat", "-o", out.toString(), five.toString()).exitCode shouldBe 0
            out.readBytes().toList() shouldBe sion("cat", five.toString()).bytes.toList()
        }

        test("cat and split say on request what they write") {
            sion("cat", "-v", "-t", "1", five.toString()).complaint shouldBe "task 1: 912 bytes"
            sion("split", "-v", "-d", "1", five.toString(), "$directory/v").complaint.lines() shouldBe
                (0..4).map { "$directory/v$it" }
        }

        test("a multifile is never overwritten, not even under another name") {
            val copy = five.copyTo(directory.resolve("copy.sion"))
            val run = sion("cat", "-o", copy.toString(), five.toString())

            run.complaint shouldBe "sion: $copy is a multifile and not overwritten. Delete it or choose another name."
            run.exitCode shouldBe 1
            copy.readBytes().toList() shouldBe five.readBytes().toList()
        }

        test("split does not overwrite a member of the set that it reads") {
            val set = directory.resolve("set").createDirectory()
            val file = setOfTwo.copyTo(set.resolve("x.sion"))
            val member = setOfTwo.resolveSibling("${setOfTwo.name}.000001").copyTo(set.resolve("x.sion.000001"))
            val before = member.readBytes().toList()
            val run = sion("split", "-d", "6", file.toString(), "$file.")

            run.complaint shouldBe
                "sion: $file is split only in part, up to task 1: " +
                "$member belongs to the multifile that is read, and is not overwritten: choose another name."
            run.exitCode shouldBe 1
            member.readBytes().toList() shouldBe before
        }

        test("split numbers the files by task, or by global rank") {
            val ranks = bundled("s04-global-ranks.sion")
            val byTask = directory.resolve("by-task").createDirectory()
            val byRank = directory.resolve("by-rank").createDirectory()
            sion("split", ranks.toString(), "$byTask/").exitCode shouldBe 0
            sion("split", "-g", ranks.toString(), "$byRank/").exitCode shouldBe 0

            GLOBAL_RANKS.forEachIndexed { task, rank ->
                byRank.resolve("%05d".format(rank)).readBytes().toList() shouldBe
                    byTask.resolve("%05d".format(task)).readBytes().toList()
            }
            byRank.listDirectoryEntries().size shouldBe GLOBAL_RANKS.size
        }

        test("split by global rank refuses tasks that would share a file") {
            val file = directory.resolve("twins.sion")
            MultifileWriter
                .create(MultifileSpec.serial(file), listOf(7L, 8L, 7L).map { TaskRequest(it, 10) })
                .use { it.finish() }
            val run = sion("split", "-g", file.toString(), "$directory/twin")

            run.complaint shouldBe
                "sion: $file: tasks 0 and 2 both have the global rank 7, so their files would have the same name. " +
                "Split it without -g."
            run.exitCode shouldBe 1
            directory.resolve("twin00007").exists() shouldBe false
        }

        test("split makes no directories") {
            val run = sion("split", five.toString(), "$directory/none/x")

            run.complaint shouldBe
                "sion: $five is split only in part, up to task 0: " +
                "$directory/none/x00000: its directory does not exist. Make it first."
            run.exitCode shouldBe 1
        }

        test("a file that could not be written whole is named") {
            val out = directory.resolve("full.bin")
            val full =
                OnOperation {
                    if (it.kind() == BlockStore.Operation.Kind.WRITE) throw IOException("the disk is full")
                }
            val cat = sion("cat", "-o", out.toString(), five.toString(), store = full)
            cat.complaint shouldBe "sion: $out is incomplete: $out: the disk is full."
            cat.exitCode shouldBe 1

            val split = sion("split", five.toString(), "$directory/part", store = full)
            split.complaint shouldBe
                "sion: $five is split only in part, up to task 0: $directory/part00000 is incomplete: " +
                "$directory/part00000: the disk is full."
            split.exitCode shouldBe 1
        }

        test("verify continues behind a damaged file") {
            val damaged = directory.resolve("damaged.sion")
            damaged.writeText("sion")
            val run = sion("verify", five.toString(), damaged.toString(), setOfTwo.toString())

            run.text.lines().map { it.substringBefore(": ") } shouldBe listOf("$five", "$setOfTwo", "")
            run.complaint.lines().size shouldBe 1
            run.complaint shouldStartWith "sion: $damaged: "
            run.exitCode shouldBe 1
        }

        test("verify counts tasks, records and bytes") {
            sion("verify", five.toString()).text shouldBe "$five: good; tasks 5, records 0, bytes 5074\n"
        }

        test("verify walks over all records") {
            val file = bundled("s07-keyval.sion").copyTo(directory.resolve("records.sion"))
            val bytes = file.readBytes()
            val start = 1536
            ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(start + 8, 1L shl 40)
            file.writeBytes(bytes)
            val run = sion("verify", file.toString())

            run.complaint shouldStartWith
                "sion: $file: record length of task 0 at byte ${start + 8} should be 0 to "
            run.exitCode shouldBe 1
        }

        test("verify reads every byte of every task") {
            val chunks = 1536L until 1536L + 3 * 4096
            var bytes = 0L
            val watching =
                OnOperation {
                    if (it.kind() == BlockStore.Operation.Kind.READ && it.position() in chunks) bytes += it.length()
                }
            sion("verify", five.toString(), store = watching).exitCode shouldBe 0

            // And the first 24 of the three tasks that have as many: they would tell whether it is compressed.
            bytes shouldBe 5074 + 3 * 24
        }
    })

/** What the manifest of s04 says its tasks were given. */
private val GLOBAL_RANKS = listOf(100, 7, 2000000, 42, 0)
