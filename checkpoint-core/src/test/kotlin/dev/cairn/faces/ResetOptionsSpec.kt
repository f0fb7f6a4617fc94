package dev.cairn.faces

import dev.cairn.options.CheckpointOptions
import dev.cairn.options.SimulationOptions
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import java.time.Duration

/** Programs in Java give settings their defaults back, and get a sentence for values that cannot be. */
class ResetOptionsSpec :
    FunSpec({
        test("null gives each setting its default back") {
            ResetInJava.assigned().build() shouldNotBe CheckpointOptions()
            ResetInJava.reset() shouldBe CheckpointOptions()
            ResetInJava.resetSimulation() shouldBe SimulationOptions()
        }

        test("a time without end and a share that is no number are refused in a sentence") {
            shouldThrow<IllegalArgumentException> { ResetInJava.limitedBy(Duration.ofSeconds(Long.MAX_VALUE)) }
                .message shouldBe
                "program: limit-seconds cannot be 'Infinity'. It is a number of seconds above 0, or auto."
            for ((share, text) in listOf(Double.NaN to "NaN", Double.POSITIVE_INFINITY to "Infinity", 1.5 to "150")) {
                shouldThrow<IllegalArgumentException> { SimulationOptions { overhead = share } }.message shouldBe
                    "program: overhead cannot be '$text%'. It is a share above 0% and below 100%, or none."
            }
        }
    })
