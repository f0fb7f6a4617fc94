package dev.cairn

import dev.cairn.cli.Counting
import dev.cairn.event.CheckpointEvent.Restored
import dev.cairn.proof.log.loggedBy
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.BlockStore.Operation.Kind
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.PerRankRule
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import java.nio.file.FileSystemException
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

        test("a restore without a checkpoint says so, once for all ranks") {
            val lines = logged { save(times = 1) { restore() shouldBe null } }

            lines.first() shouldBe
                "$DIRECTORY: there is no checkpoint yet, so the program starts from the beginning"
            lines.count { "no checkpoint" in it } shouldBe 1
        }

        test("a program that saves beside an earlier run without restoring is warned once") {
            val disk = SimulatedDisk()
            val first = logged { save(times = 2, disk) }
            val second = logged { save(times = 3, disk) }
            val third = logged { save(times = 1, disk) { restore()?.number shouldBe 5 } }

            val warning =
                "$DIRECTORY: it holds 2 checkpoints of an earlier run, the newest of which is save 2, but the " +
                    "program saves without having restored any. That begins a new run, and those of the earlier " +
                    "one are deleted as soon as there are keep-last newer ones. To continue from it, let restore() " +
                    "succeed before the first save; for a new run, use another directory."
            (first + second + third).filter { "earlier run" in it } shouldBe listOf(warning)
            second.first() shouldBe warning
        }

        test("the place of a save that is passed over is said once") {
            val count = Counting().apply { run(1, 2, 3) }
            count.damage(3)
            val denied =
                object : ForwardingStore(count.files) {
                    override fun onOperation(operation: BlockStore.Operation) {
                        val isDenied = operation.kind() == Kind.LIST && operation.path().endsWith("000002")
                        if (isDenied) throw FileSystemException("${operation.path()}", null, "permission denied")
                    }
                }
            val log = loggedBy { Counting(denied).run() shouldBe Restored(1, 1, 2) }
            log.filter { "passed over: heat.cairn/000002" in it } shouldBe
                listOf("WARNING: passed over: heat.cairn/000002: permission denied.")
        }

        test("a program that is told to begin afresh is not warned of the earlier run") {
            val disk = SimulatedDisk().host("host")
            val lines =
                logged {
                    repeat(2) {
                        runSimulation("quiet", arrayOf("--dir", "$DIRECTORY", "--every", "1", "--fresh"), disk) {
                            for (step in steps(until = 2)) check(step < 2)
                        }
                    }
                }
            lines.filter { "earlier run" in it } shouldBe emptyList()
        }
    })

private val DIRECTORY = Path.of("quiet.cairn")

private suspend fun save(
    times: Int,
    disk: SimulatedDisk = SimulatedDisk(),
    before: suspend Checkpoints.() -> Unit = {},
) {
    ranks(2) {
        checkpoints(DIRECTORY, files = disk.host("host")) { perRank("one", { 1 }, { }, PerRankRule.Drop()) }.use {
            it.before()
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
