package dev.cairn.item

import dev.cairn.SoloCheckpoints
import dev.cairn.event.CheckpointException
import dev.cairn.proof.log.quietly
import dev.cairn.state.Codecs
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.string.shouldContain
import java.util.Collections
import java.util.Random
import java.util.concurrent.ThreadLocalRandom

/** Generators that could not be saved or restored are refused before the program computes. */
class RefusedGeneratorsSpec :
    FunSpec({
        quietly()
        val directory = tempdir().toPath()

        test("a map that takes no entries") {
            val fixed = listOf(java.util.Map.of("a", Random(1)), Collections.unmodifiableMap(HashMap<String, Random>()))
            for ((index, map) in fixed.withIndex()) {
                shouldThrow<CheckpointException> {
                    SoloCheckpoints.open(directory.resolve("fixed-$index")) { generators("dice", map) }
                }.message shouldContain "the map of the generators 'dice' takes no entries"
            }
        }

        test("one of several that shows no state") {
            val hidden = hashMapOf<String, Random>("main" to ThreadLocalRandom.current())
            shouldThrow<CheckpointException> {
                SoloCheckpoints.open(directory.resolve("hidden")) { generators("dice", hidden) }
            }.message shouldContain "'dice' cannot be stored"
        }

        test("one as a value, with the function that takes it") {
            shouldThrow<CheckpointException> { Codecs.of(Random::class.java) }.message shouldContain
                "a Random is a random generator: declare it by generator(name, …), not as a value"
        }
    })
