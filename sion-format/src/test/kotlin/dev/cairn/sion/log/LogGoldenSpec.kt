package dev.cairn.sion.log

import dev.cairn.house.JDK_DEPENDENT
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.stripe.Hyperslab
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.notExists

/**
 * Logs that were written once and are never changed: src/test/resources/log/README.md. Those of a new version, or that
 * are missing, are written with `-Dcairn.golden.write=DIR`.
 */
@Tags(JDK_DEPENDENT)
class LogGoldenSpec :
    FunSpec({
        val files = FileBlockStore()

        System.getProperty("cairn.golden.write")?.let { target ->
            GOLDEN.forEach { (name, log) ->
                val directory = Path.of(target, name)
                if (directory.notExists()) writeLog(files, log.steps, log.limit, directory.createDirectories())
            }
        }

        for ((name, log) in GOLDEN) {
            val directory = GOLDEN_LOGS.resolve(name)

            test("$name is read as it was written") {
                val seen = see(files, directory)
                seen.name shouldBe "open"
                seen.records shouldContainExactly log.model().records.map { it.text }
            }

            test("$name is written again with the same bytes") {
                val store = newLog()
                writeLog(store, log.steps, log.limit)
                segmentsOf(store).map { it.toList() } shouldContainExactly
                    segmentsOf(files, directory).map { it.toList() }
            }
        }
    })

internal val GOLDEN_LOGS: Path = Path.of("src/test/resources/log/version-2")

internal class GoldenLog(val steps: List<LogStep>, val limit: Long) {
    fun model() = LogModel(steps, limit = limit)
}

internal val GOLDEN: Map<String, GoldenLog> =
    mapOf(
        "example" to GoldenLog(listOf(LogStep.Note("cells of u"), put(extent(3, 4096, 5))), 1 shl 20),
        "every-kind" to GoldenLog(EVERY_KIND, 300),
        "strides" to
            GoldenLog(
                listOf(
                    put(Region(1, 4, listOf(Hyperslab.of(longArrayOf(1, 2), longArrayOf(2, 2), longArrayOf(3, 4))))),
                ),
                1 shl 20,
            ),
    )
