package dev.cairn.sion.log

import dev.cairn.house.needs
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.fixture.withRandom
import dev.cairn.sion.store.fixture.write
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import java.util.TreeMap
import kotlin.random.Random

/** The reader in Python, which was written from docs/reference/log.md, agrees with Cairn on whole and on broken logs. */
class PythonLogSpec :
    FunSpec({
        val files = FileBlockStore()
        val directory = tempdir().toPath()

        test("golden logs").config(enabledOrReasonIf = needs { PythonLogReader.isThere }) {
            val logs = PythonLogReader.read(GOLDEN.keys.map(GOLDEN_LOGS::resolve))
            GOLDEN.values.zip(logs).forEach { (golden, found) ->
                found.state shouldBe "open"
                found.records shouldContainExactly golden.model().records.map { it.text }
            }
        }

        test("random logs, cut and damaged").config(enabledOrReasonIf = needs { PythonLogReader.isThere }) {
            withRandom { random ->
                val histogram = TreeMap<String, Int>()
                val logs =
                    List(LOGS) { number ->
                        directory.resolve("$number").also { write(files, it, damaged(random, randomLog(random))) }
                    }
                PythonLogReader.read(logs).zip(logs).forEach { (found, log) ->
                    val seen = see(files, log)
                    withClue("$log: $seen") {
                        found.state to found.place shouldBe (seen.name to seen.place)
                        found.records shouldContainExactly seen.records
                    }
                    histogram.merge(seen.name, 1, Int::plus)
                }
                println("PythonLogSpec: $LOGS logs, $histogram")
                histogram.keys shouldContainExactly setOf("damaged", "open", "torn")
            }
        }
    })

private const val LOGS = 400

private fun randomLog(random: Random) =
    LogModel(randomSteps(random, random.nextInt(12)), limit = random.nextLong(100, 1500)).segments

/** Whole, with a byte changed, cut, without a segment, or with something behind one. */
private fun damaged(random: Random, segments: List<ByteArray>): List<ByteArray?> {
    val number = random.nextInt(segments.size)
    val bytes = segments[number]
    val changed =
        when (random.nextInt(6)) {
            0 -> bytes
            1, 2 -> bytes.copyOf().also { it[random.nextInt(it.size)] = random.nextInt().toByte() }
            3 -> bytes.copyOf(random.nextInt(bytes.size))
            4 -> null
            else -> bytes + random.nextBytes(random.nextInt(100)) + segments.last()
        }
    return segments.mapIndexed { other, it -> if (other == number) changed else it }
}

private fun write(files: BlockStore, directory: Path, segments: List<ByteArray?>) {
    files.makeDirectory(directory)
    segments.forEachIndexed { number, bytes ->
        if (bytes != null) files.create(directory.resolve("s%06d.log".format(number))).use { it.write(0, bytes) }
    }
}
