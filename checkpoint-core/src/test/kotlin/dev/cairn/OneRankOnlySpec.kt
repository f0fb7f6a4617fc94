package dev.cairn

import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.proof.log.loggedBy
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import java.nio.file.Path

/** A program that can only ever run on one rank. */
class OneRankOnlySpec :
    FunSpec({
        val refusal =
            "the program runs on one rank only, as it says by oneRankOnly(), but was started on 3: start it on one"

        test("it is refused on more, before it computes") {
            val files = SimulatedDisk().host("node0")
            ranks(3) {
                shouldThrow<InvalidDeclaration> {
                    simulate("alone", files = files) {
                        oneRankOnly()
                        error("it computes")
                    }
                }.message shouldBe refusal
                shouldThrow<InvalidDeclaration> {
                    checkpoints(Path.of("alone.cairn"), files = files) { oneRankOnly() }
                }.message shouldBe refusal
            }
        }

        test("on one it saves, and no save says what a restart on more would do") {
            val files = SimulatedDisk().host("node0")
            for (isAlone in listOf(true, false)) {
                val said =
                    loggedBy {
                        ranks(1) {
                            checkpoints(Path.of("alone-$isAlone.cairn"), files = files) {
                                if (isAlone) oneRankOnly()
                                perRank("n", { 1L }, {})
                            }.use { it.save(1) }
                        }
                    }.single { "save 1, step 1" in it }
                if (isAlone) said shouldNotContain "restored" else said shouldContain "can be restored on 1 rank only"
            }
        }
    })
