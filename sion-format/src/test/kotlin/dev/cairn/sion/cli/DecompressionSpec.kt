package dev.cairn.sion.cli

import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.MultifileWriter
import dev.cairn.sion.TaskRequest
import dev.cairn.sion.zstd.ZstdStreams
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import java.nio.ByteBuffer
import java.nio.file.Path
import kotlin.io.path.readBytes
import kotlin.io.path.writeBytes

/** `sion cat`, `split` and `verify` on a multifile of which some tasks are compressed. */
class DecompressionSpec :
    FunSpec({
        val directory = tempdir().toPath()
        val contents = listOf(10_000, 333, 0).mapIndexed { task, size -> ByteArray(size) { (it / 9 + task).toByte() } }
        val file = directory.resolve("some.sion")
        write(file, contents)

        test("cat and split give the streams as they are, as the C tools do") {
            val raw = sion("cat", "-t", "0", file.toString()).bytes

            raw.copyOf(4).toList() shouldBe listOf<Byte>(0x5c, 0x2a, 0x4d, 0x18)
            sion("split", "-d", "1", file.toString(), "$directory/raw").exitCode shouldBe 0
            directory.resolve("raw0").readBytes() shouldBe raw
            directory.resolve("raw1").readBytes() shouldBe contents[1]
        }

        test("cat -z gives what was compressed, and plain streams as they are") {
            contents.forEachIndexed { task, content ->
                sion("cat", "-z", "-t", "$task", file.toString()).bytes shouldBe content
            }
            sion("cat", "--decompress", file.toString()).bytes shouldBe contents.reduce(ByteArray::plus)
        }

        test("split -z gives a file of content for each task") {
            sion("split", "-z", "-d", "1", file.toString(), "$directory/part").exitCode shouldBe 0
            contents.forEachIndexed { task, content -> directory.resolve("part$task").readBytes() shouldBe content }
        }

        test("-z changes nothing for records") {
            val records = bundled("s07-keyval.sion").toString()
            sion("cat", "-z", records).bytes shouldBe sion("cat", records).bytes
        }

        test("a block of a compressed stream is none that could be decompressed") {
            val run = sion("cat", "-z", "-b", "0", file.toString())

            run.complaint shouldBe
                "sion cat: -z takes whole tasks, so it does not go with -b. Try 'sion cat --help'."
            run.exitCode shouldBe 2
        }

        test("verify finds a changed bit of a compressed task") {
            val hurt = directory.resolve("hurt.sion")
            val bytes = file.readBytes()
            bytes[HURT] = (bytes[HURT].toInt() xor 4).toByte()
            hurt.writeBytes(bytes)

            sion("verify", file.toString()).exitCode shouldBe 0
            sion("verify", hurt.toString()).complaint shouldStartWith
                "sion: $hurt: zstd frame 0 of task 0 at byte 1560 should be whole"
            sion("split", "-z", hurt.toString(), "$directory/hurt").complaint shouldContain "up to task 0: "
            sion("cat", hurt.toString()).exitCode shouldBe 0
        }
    })

/** Chunks begin at byte 1536 and a frame 24 bytes later; this one is in the middle of it. */
private const val HURT = 1536 + 24 + 40

/** All tasks but the second one are compressed. */
private fun write(file: Path, contents: List<ByteArray>) =
    MultifileWriter.create(MultifileSpec.serial(file).withBlockSize(512), TaskRequest.equal(3, 1000)).use { writer ->
        contents.forEachIndexed { task, content ->
            if (task == 1) {
                writer.task(task).append(ByteBuffer.wrap(content))
            } else {
                ZstdStreams.compress(writer.task(task)).use { it.write(content) }
            }
        }
        writer.finish()
    }
