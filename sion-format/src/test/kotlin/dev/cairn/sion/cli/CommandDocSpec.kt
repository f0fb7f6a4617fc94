package dev.cairn.sion.cli

import dev.cairn.house.PROMPT
import dev.cairn.house.consoleBlocks
import dev.cairn.sion.Content
import dev.cairn.sion.FileMapping
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.MultifileWriter
import dev.cairn.sion.TaskRequest
import dev.cairn.sion.pnetcdf.BurstFixture
import dev.cairn.sion.pnetcdf.writeOwnLogs
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.fixture.bytesOf
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.sion.subfiles.SetFixture
import dev.cairn.sion.subfiles.put
import dev.cairn.sion.zstd.ZstdStreams
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.ByteBuffer
import java.nio.file.Path
import kotlin.io.path.readLines
import kotlin.io.path.readText

/** What docs/reference/sion.md shows is what the command prints, from the first block to the last. */
class CommandDocSpec :
    FunSpec({
        val page = Path.of("../docs/reference/sion.md").readLines()
        val exitCodes = Path.of("../docs/reference/exit-codes.md").readLines()

        test("every block is what the commands in it print, and the picture is what map draws") {
            val store = shown()
            val blocks = consoleBlocks(page)

            blocks.shouldNotBeEmpty()
            for (block in blocks) {
                val printed = block.filter { it.startsWith(PROMPT) }.flatMap { listOf(it) + store.print(it) }
                block.joinToString("\n") shouldBe printed.joinToString("\n")
            }
            store.textOf("x.svg") shouldBe Path.of("../docs/reference/sion-map.svg").readText()
        }

        test("the exit codes are those of the help") {
            val help = sion("--help").text.replace(Regex("\\s+"), " ")
            val rows =
                exitCodes.mapNotNull {
                    Regex(
                        "\\| ([0-9]+) \\| `sion` \\| (.*) \\| \\|",
                    ).matchEntire(it)?.destructured
                }

            rows.size shouldBe 4
            rows.forEach { (code, meaning) -> help shouldContain "$code $meaning" }
        }
    })

/** A disk with the multifiles of which the page tells. */
private fun shown(): BlockStore {
    val store = SimulatedDisk().host("node")
    val x = MultifileSpec.parallel(Path.of("x.sion")).withBlockSize(512).withMapping(FileMapping.contiguous(2))
    store.write(x, TaskRequest.ofSizes(500, 700, 1000, 1500, 900)) { writer ->
        listOf(600, 900, 3000, 4100, 150).forEachIndexed { task, size -> writer.task(task).append(bytes(size)) }
    }
    val records = MultifileSpec.serial(Path.of("records.sion")).withBlockSize(512).withContent(Content.RECORDS)
    store.write(records, TaskRequest.equal(2, 1000)) { writer ->
        for (task in 0..1) {
            for (key in 1L..2L) writer.records(task).put(key, bytes(100 * task + 10))
        }
    }
    val packed = MultifileSpec.serial(Path.of("packed.sion")).withBlockSize(512)
    store.write(packed, TaskRequest.equal(2, 1000)) { writer ->
        ZstdStreams.compress(writer.task(0)).use { it.write(bytes(9000).array()) }
        writer.task(1).append(bytes(300))
    }
    val open = MultifileSpec.serial(Path.of("open.sion")).withBlockSize(512)
    MultifileWriter.create(store, open, TaskRequest.equal(3, 512)).use { writer ->
        listOf(1024, 100, 300).forEachIndexed { task, size -> writer.task(task).append(bytes(size)) }
    }
    store.copy("x.sion", "cut.sion") { it.copyOf(4000) }
    store.copy("packed.sion", "hurt.sion") { it.also { bytes -> bytes[1600]++ } }
    listOf("lost", "set").forEach { store.makeDirectory(Path.of(it)) }
    for (file in SetFixture.four.members) {
        store.put(Path.of(file), SetFixture.four.bytesOf(file))
        if (!file.endsWith("_3_of_4")) store.put(Path.of("lost", file), SetFixture.four.bytesOf(file))
    }
    store.makeDirectory(Path.of("bb"))
    val crash = BurstFixture.of("crash-1.14")
    crash.files.forEach { store.put(Path.of("bb", it), crash.bytesOf(it)) }
    store.put(Path.of("ckpt.nc"), crash.bytesOf("crashed.nc"))
    store.writeOwnLogs(Path.of("ckpt.nc"), Path.of("logs"), from = Path.of("bb"))
    return store
}

private fun bytes(count: Int): ByteBuffer = ByteBuffer.wrap(ByteArray(count) { (it / 3).toByte() })

private fun BlockStore.write(spec: MultifileSpec, requests: List<TaskRequest>, write: (MultifileWriter) -> Unit) =
    MultifileWriter.create(this, spec, requests).use {
        write(it)
        it.finish()
    }

private fun BlockStore.copy(from: String, to: String, change: (ByteArray) -> ByteArray) =
    create(Path.of(to)).use { it.write(0, ByteBuffer.wrap(change(bytesOf(Path.of(from))))) }

private fun BlockStore.textOf(name: String): String = String(bytesOf(Path.of(name)))

private fun BlockStore.print(line: String): List<String> {
    val run = sion(*line.removePrefix("${PROMPT}sion ").split(" ").toTypedArray(), store = this)
    return (run.text + run.complaint).trimEnd('\n').lines().filter { it.isNotEmpty() || run.text.isNotEmpty() }
}
