package dev.cairn.restore

import dev.cairn.Checkpoints
import dev.cairn.SoloCheckpoints
import dev.cairn.SoloState
import dev.cairn.StateBuilder
import dev.cairn.checkpoints
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.options.CheckpointOptions
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.Codecs
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.throwables.shouldThrowAny
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.nio.file.Path
import java.util.concurrent.CancellationException
import kotlin.io.path.deleteExisting
import kotlin.io.path.readBytes
import kotlin.io.path.writeBytes
import kotlin.io.path.writeText

/** A program that catches the failure of a restore, and goes on. */
class FailedRestoreSpec :
    FunSpec({
        quietly()
        val directory = tempdir().toPath()

        class Program {
            var time = 0
            var energy = 0
            var failure: Exception? = null
            var hookFailure: String? = null
        }

        suspend fun run(use: suspend Program.(Checkpoints) -> Unit) {
            val disk = SimulatedDisk().host("node0")
            ranks(2) {
                suspend fun open(program: Program) =
                    checkpoints(Path.of("failed.cairn"), files = disk) {
                        perRank("time", { program.time }, { program.time = it })
                        perRank("energy", { program.energy }, { found ->
                            program.failure?.takeIf { rank == 1 }?.let { throw it }
                            program.energy = found
                        })
                        afterRestore { program.hookFailure?.takeIf { rank == 1 }?.let(::error) }
                    }
                open(Program().apply { time = 7 }).use { it.save(1) }
                val program = Program()
                open(program).use { program.use(it) }
            }
        }

        suspend fun Checkpoints.requireRefused() {
            val save = shouldThrow<InvalidDeclaration> { save(2) }
            save.message shouldContain
                "restore() has failed when it had changed a part of the state, so that belongs to no single step. " +
                "Nothing was saved: let the program end, or restore() succeed"
            shouldThrow<InvalidDeclaration> { saveIfDue(3) }
        }

        test("a state of which a part was restored is not saved, until a restore succeeds") {
            run { checkpoints ->
                failure = IllegalStateException("no room")
                shouldThrowAny { checkpoints.restore() }
                checkpoints.requireRefused()
                failure = null
                checkpoints.restore()?.step shouldBe 1L
                time shouldBe 7
                checkpoints.save(2).step shouldBe 2L
            }
        }

        test("nor is one whose hook has failed") {
            run { checkpoints ->
                hookFailure = "no room"
                shouldThrowAny { checkpoints.restore() }
                checkpoints.requireRefused()
            }
        }

        test("a restore that has changed nothing is no reason to refuse a save") {
            run { checkpoints ->
                shouldThrow<CheckpointException> { checkpoints.restore(17) }
                checkpoints.save(2).step shouldBe 2L
            }
        }

        test("a setter that throws the cancellation of something else leaves a part restored, too") {
            val store = directory.resolve("cancelled.cairn")
            var failure: Exception? = null

            fun SoloState.declare() {
                value("time", Codecs.INT, { 7 }, {})
                value("energy", Codecs.INT, { 8 }, { failure?.let { throw it } })
            }
            SoloCheckpoints.open(store) { declare() }.use { it.save(1) }
            failure = CancellationException("that of a task")
            SoloCheckpoints.open(store) { declare() }.use {
                shouldThrow<CancellationException> { it.restore() }
                shouldThrow<InvalidDeclaration> { it.save(2) }.message shouldContain "restore() has failed when it had"
            }
        }

        test("an output that is gone is found before any state is changed") {
            val file = directory.resolve("log.txt")
            val time = IntArray(1)

            suspend fun open() =
                SoloCheckpoints.open(directory.resolve("gone.cairn")) {
                    value("time", Codecs.INT, { time[0] }, { time[0] = it })
                    array("times") { time }
                    output("log", file).also { log -> beforeSave { log.line("at $time") } }
                }
            time[0] = 5
            open().use { it.save(1) }
            file.deleteExisting()
            time[0] = 0
            open().use {
                shouldThrow<CheckpointException> { it.restore() }
                time[0] shouldBe 0
                it.save(1)
            }
        }

        test("after damage, an older save is restored whose value is the one that the program had at first") {
            val store = directory.resolve("damaged.cairn")
            val u = DoubleArray(1_000)
            var isDone = false

            suspend fun open() =
                SoloCheckpoints.open(store) {
                    value("isDone", { isDone }, { isDone = it })
                    array("u") { u }
                }
            open().use {
                it.save(1)
                isDone = true
                u.fill(MARK)
                it.save(2)
            }
            val data = store.resolve("000002/data.sion")
            data.writeBytes(data.readBytes().also { it[it.indexOf(MARK)]++ })
            isDone = false
            u.fill(0.0)
            open().use { it.restore() shouldBe 1 }
            isDone shouldBe false
        }

        test("a program does not begin anew with the state that it has when its saves are removed") {
            val store = directory.resolve("removed.cairn")
            var time = 1
            SoloCheckpoints.open(store) { value("time", Codecs.INT, { time }, { time = it }) }.use {
                it.save(1)
                store.resolve("000001").toFile().deleteRecursively()
                shouldThrow<IllegalStateException> { it.restore() }.message shouldContain
                    "its state is not that of the beginning: start again"
                it.save(2)
            }
        }

        test("the state of another step, in which check-restart has failed, is not saved") {
            val options = CheckpointOptions { checkRestart = true }
            var time = 0

            fun StateBuilder.declare() = replicated("time", { time }, { })
            ranks(1) {
                checkpoints(Path.of("checked"), options, SimulatedDisk().host("node0")) { declare() }.use {
                    it.save(1)
                    time = 1
                    shouldThrow<CheckpointException.StateDiffers> { it.save(2) }
                    shouldThrow<InvalidDeclaration> { it.save(3) }.message shouldContain
                        "check-restart has failed, and the program has the state of another step"
                }
            }
        }

        test("a file with bytes of which the checkpoint covers none is kept under another name") {
            val file = directory.resolve("report.txt")

            suspend fun open() = SoloCheckpoints.open(directory.resolve("none.cairn")) { output("report", file) }
            open().use { it.save(1) }
            file.writeText("of another run\n")
            open().use {
                it.restore() shouldBe 1
                it.save(2)
            }
            file.resolveSibling("report.txt.1").toFile().readText() shouldBe "of another run\n"
        }
    })

private const val MARK = 7.25

/** Where an array with that number begins, or goes on. */
private fun ByteArray.indexOf(number: Double): Int {
    val bytes = ByteBuffer.wrap(this).order(ByteOrder.LITTLE_ENDIAN)
    return (0..size - Double.SIZE_BYTES).first { bytes.getDouble(it) == number }
}
