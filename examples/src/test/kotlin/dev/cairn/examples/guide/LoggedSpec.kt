package dev.cairn.examples.guide

import dev.cairn.SoloCheckpoints
import dev.cairn.SoloState
import dev.cairn.state.Codecs
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import java.util.logging.Formatter
import java.util.logging.Handler
import java.util.logging.LogRecord
import java.util.logging.Logger
import java.util.logging.StreamHandler
import kotlin.io.path.createDirectory
import kotlin.io.path.readText

// region logged

/** Flushes each record, since those from before the restore must not stay in a buffer of the handler. */
private fun SoloState.handler(file: Path, format: Formatter): StreamHandler =
    object : StreamHandler(output("log", file).stream(), format) {
        override fun publish(record: LogRecord) {
            super.publish(record)
            flush()
        }
    }
// endregion

class LoggedSpec :
    FunSpec({
        val directory = tempdir().toPath()

        test("the log of a program that failed is that of an unbroken one") {
            val unbroken = directory.resolve("unbroken").createDirectory()
            log(unbroken)
            val broken = directory.resolve("broken").createDirectory()
            for (failing in listOf(3L, 8L)) shouldThrow<IllegalStateException> { log(broken, failing) }
            log(broken)
            broken.resolve("run.log").readText() shouldBe unbroken.resolve("run.log").readText()
        }
    })

private suspend fun log(directory: Path, failing: Long = Long.MAX_VALUE) {
    val logger = Logger.getLogger("dev.cairn.examples.tides").apply { useParentHandlers = false }
    var level = 0L
    lateinit var handler: StreamHandler
    SoloCheckpoints
        .open(directory.resolve("store")) {
            value("level", Codecs.LONG, { level }, { level = it })
            handler = handler(directory.resolve("run.log"), Plain())
        }.use { checkpoints ->
            logger.addHandler(handler)
            try {
                logger.info("begin")
                for (step in checkpoints.restore() until 10) {
                    level += step
                    logger.info("level $level")
                    check(step != failing) { "failed" }
                    if (step % 2 == 0L) checkpoints.save(step + 1)
                }
            } finally {
                logger.removeHandler(handler)
            }
        }
}

private class Plain : Formatter() {
    override fun format(record: LogRecord) = "${record.level}: ${formatMessage(record)}\n"

    override fun getHead(handler: Handler) = "the log\n"
}
