package dev.cairn.save

import dev.cairn.SoloCheckpoints
import dev.cairn.options.CheckpointOptions
import dev.cairn.proof.log.quietly
import dev.cairn.sion.Multifile
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.longs.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import kotlin.io.path.fileSize
import kotlin.io.path.listDirectoryEntries
import kotlin.random.Random

/** What one process with a small state writes. */
class SmallSavesSpec :
    FunSpec({
        quietly()
        val files = FileBlockStore()

        test(
            "all files of a save of 4 KiB, a short stream and an output have at most 64 KiB, those of the first, too",
        ) {
            val directory = tempdir().toPath()
            val program = SmallProgram(directory)
            program.open(files, keepLast = 3).use { for (step in 1L..3L) it.save(step) }
            for (save in 1..3) {
                val sizes = program.filesOf(save).associate { "${it.fileName}" to it.fileSize() }
                withClue("save $save: $sizes") { sizes.values.sum() shouldBeLessThanOrEqual (64L shl 10) }
            }
        }

        test("a stream that grows and shrinks from save to save comes back, in few chunks once its size is known") {
            val directory = tempdir().toPath()
            val program = SmallProgram(directory)
            val sizes = listOf(0, 100, FRAME + 1, 3 * FRAME, 3 * FRAME, 17, 20_000, 40_000)
            for ((index, size) in sizes.withIndex()) {
                program.open(files).use {
                    it.restore()
                    program.streamed = Random(size).nextBytes(size)
                    it.save(2L * index)
                    it.save(2L * index + 1)
                }
                program.streamed = byteArrayOf()
                program.open(files).use { it.restore() shouldBe 2L * index + 1 }
                withClue("$size bytes") { program.streamed.contentEquals(Random(size).nextBytes(size)) shouldBe true }
                val data = program.filesOf(2 * index + 2).first { "${it.fileName}".endsWith(".sion") }
                Multifile.open(files, data).use { it.blockCount() shouldBeLessThan size / FRAME + 3 }
            }
        }
    })

private const val FRAME = 1 shl 20

/** 4 KiB of state, a short stream and an output. */
internal class SmallProgram(private val directory: Path) {
    var streamed = ByteArray(100)
    private var state = Random(1).nextBytes(4096)

    suspend fun open(files: BlockStore, keepLast: Int = 2): SoloCheckpoints =
        SoloCheckpoints.open(directory.resolve("small.cairn"), CheckpointOptions { this.keepLast = keepLast }, files) {
            value("state", { state }, { state = it })
            stream("extra", { it.write(streamed) }, { streamed = it.readAllBytes() })
            output("log", directory.resolve("log.txt"))
        }

    fun filesOf(save: Int): List<Path> =
        directory.resolve("small.cairn").resolve("%06d".format(save)).listDirectoryEntries()
}
