package dev.cairn

import dev.cairn.comm.ranks
import dev.cairn.sion.store.SimulatedDisk
import dev.cairn.state.PerRankRule
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.string.shouldStartWith
import java.nio.file.Path
import java.util.concurrent.CopyOnWriteArrayList
import java.util.logging.Handler
import java.util.logging.Level
import java.util.logging.LogRecord
import java.util.logging.Logger
import java.util.logging.SimpleFormatter

class LoggingSpec :
    FunSpec({
        test("a run logs one line for each save and one at the end") {
            val lines = logged { save(times = 3) }

            lines shouldHaveSize 4
            (1..3).forEach { lines[it - 1] shouldStartWith "save $it, step $it: " }
            lines.last() shouldStartWith "$DIRECTORY: 3 saves committed"
        }
    })

private val DIRECTORY = Path.of("quiet.cairn")

private suspend fun save(times: Int) {
    val disk = SimulatedDisk()
    ranks(2) {
        checkpoints(DIRECTORY, files = disk.host("host")) { perRank("one", { 1 }, { }, PerRankRule.Drop()) }.use {
            for (step in 1L..times) it.save(step)
        }
    }
}

/** What [body] logs at INFO or above about [DIRECTORY], as `java.util.logging` hears it. */
private suspend fun logged(body: suspend () -> Unit): List<String> {
    val lines = CopyOnWriteArrayList<String>()
    val format = SimpleFormatter()
    val handler =
        object : Handler() {
            override fun publish(record: LogRecord) {
                val line = format.formatMessage(record)
                if (record.level.intValue() >= Level.INFO.intValue() && "$DIRECTORY" in line) lines += line
            }

            override fun flush() = Unit

            override fun close() = Unit
        }
    val logger = Logger.getLogger("dev.cairn")
    logger.addHandler(handler)
    try {
        body()
    } finally {
        logger.removeHandler(handler)
    }
    return lines
}
