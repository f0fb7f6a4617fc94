package dev.cairn.proof.state

import dev.cairn.SoloCheckpoints
import dev.cairn.SoloState
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.proof.log.quietly
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.string.shouldContain
import java.util.Random

/** What two declarations of one program lead to would be two objects after a restart. */
class SharedStateSpec :
    FunSpec({
        quietly()
        val directory = tempdir().toPath()
        var count = 0

        suspend fun opened(declare: SoloState.() -> Unit) =
            SoloCheckpoints.open(directory.resolve("run${count++}"), declare = declare)

        test("a generator that two declarations lead to is refused when they are declared, with both names") {
            val random = Random(1)
            val other = Random(2)
            val refused =
                mapOf<String, SoloState.() -> Unit>(
                    "'g' holds the same java.util.Random as 'o.random'" to {
                        generator("g", { random }, {})
                        fields("o", Dice(random))
                    },
                    "'b' holds the same java.util.Random as 'a'" to {
                        generator("a", { random }, {})
                        generator("b", { random }, {})
                    },
                    "'all[two]' holds the same java.util.Random as 'g'" to {
                        generator("g", { random }, {})
                        generators("all", mutableMapOf("one" to other, "two" to random))
                    },
                )
            for ((message, declare) in refused) {
                withClue(message) { shouldThrow<InvalidDeclaration> { opened(declare) }.message shouldContain message }
            }
        }

        test("a generator that two declarations lead to later is refused by the save") {
            val dice = Dice(Random(1))
            var random = Random(2)
            opened {
                fields("o", dice)
                generator("g", { random }, { random = it })
            }.use {
                it.save(1)
                random = dice.random
                shouldThrow<InvalidDeclaration> { it.save(2) }.message shouldContain
                    "'g' holds the same java.util.Random as 'o.random', and a restart would make two of it"
            }
        }
    })

private class Dice(var random: Random)
