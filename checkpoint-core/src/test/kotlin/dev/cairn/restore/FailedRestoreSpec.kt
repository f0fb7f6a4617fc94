package dev.cairn.restore

import dev.cairn.Checkpoints
import dev.cairn.checkpoints
import dev.cairn.event.CheckpointException
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.throwables.shouldThrowAny
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path

/** A program that catches the failure of a restore, and goes on. */
class FailedRestoreSpec :
    FunSpec({
        quietly()

        class Program {
            var time = 0
            var energy = 0
            var failure: String? = null
            var hookFailure: String? = null
        }

        suspend fun run(use: suspend Program.(Checkpoints) -> Unit) {
            val disk = SimulatedDisk().host("node0")
            ranks(2) {
                suspend fun open(program: Program) =
                    checkpoints(Path.of("failed.cairn"), files = disk) {
                        perRank("time", { program.time }, { program.time = it })
                        perRank("energy", { program.energy }, { found ->
                            program.failure?.takeIf { rank == 1 }?.let(::error)
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
            val save = shouldThrow<CheckpointException.InvalidDeclaration> { save(2) }
            save.message shouldContain
                "restore() has failed when it had changed a part of the state, so that belongs to no single step. " +
                "Nothing was saved: let the program end, or restore() succeed"
            shouldThrow<CheckpointException.InvalidDeclaration> { saveIfDue(3) }
        }

        test("a state of which a part was restored is not saved, until a restore succeeds") {
            run { checkpoints ->
                failure = "no room"
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
    })
