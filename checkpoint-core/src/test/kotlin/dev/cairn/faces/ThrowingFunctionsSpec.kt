package dev.cairn.faces

import dev.cairn.StateBuilder
import dev.cairn.checkpoints
import dev.cairn.event.CheckpointException.Mismatch
import dev.cairn.event.CheckpointException.NotSaved
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.shouldThrowFor
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.ThrowingConsumer
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.types.shouldBeSameInstanceAs
import java.nio.file.Path

/** A checked exception, of which Cairn knows nothing. */
private class NoAnswer : Exception("no answer")

/** The exception with which [failure] began. */
private fun first(failure: Throwable): Throwable = generateSequence(failure) { it.cause }.last()

class ThrowingFunctionsSpec :
    FunSpec({
        quietly()

        test("what a function in Java throws, checked or not, is the cause of the failure as it was thrown") {
            val thrown = NoAnswer()
            var isBroken = false
            val kinds = ThrowingInJava.kinds({ if (isBroken) throw thrown }, { if (isBroken) throw thrown })
            for ((kind, declare) in kinds) {
                withClue(kind) {
                    val disk = SimulatedDisk()
                    isBroken = false
                    ranks(1) {
                        checkpoints(Path.of("own"), files = disk.host(host)) { declare.accept(this) }.use {
                            it.save(1)
                            isBroken = true
                            first(shouldThrowFor<NotSaved>(Reason.PROGRAM) { it.save(2) }) shouldBeSameInstanceAs thrown
                            first(
                                shouldThrowFor<Mismatch>(Reason.PROGRAM) { it.restore() },
                            ) shouldBeSameInstanceAs thrown
                        }
                    }
                }
            }
        }

        test("so is what functions before a save and after a restore throw") {
            val thrown = NoAnswer()
            val disk = SimulatedDisk()
            var isBroken = false
            ranks(1) {
                checkpoints(Path.of("own"), files = disk.host(host)) {
                    replicated("n", { 1 }, {})
                    beforeSave { if (isBroken) throw thrown }
                    afterRestore { throw thrown }
                }.use {
                    it.save(1)
                    isBroken = true
                    first(shouldThrowFor<NotSaved>(Reason.PROGRAM) { it.save(2) }) shouldBeSameInstanceAs thrown
                    first(
                        shouldThrowFor<Mismatch>(Reason.PROGRAM) { it.restore() },
                    ) shouldBeSameInstanceAs thrown
                }
            }
        }

        test("all functions of a declaration may throw checked exceptions") {
            val compiles: ThrowingConsumer<StateBuilder> = ThrowingConsumer(ThrowingInJava::compiles)
            ranks(1) {
                checkpoints(Path.of("own"), files = SimulatedDisk().host(host)) { compiles.accept(this) }.use {}
            }
        }
    })
