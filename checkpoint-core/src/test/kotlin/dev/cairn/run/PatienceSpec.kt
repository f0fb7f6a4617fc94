package dev.cairn.run

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TestTimeSource

class PatienceSpec :
    FunSpec({
        val clock = TestTimeSource()

        /** How long it is until another save is asked for, to a millisecond. */
        fun Patience.wait(): Duration {
            var waited = Duration.ZERO
            while (!isOver) {
                clock += 1.milliseconds
                waited += 1.milliseconds
            }
            return waited
        }

        test("it grows from nothing to ten minutes, and a save that is committed ends it") {
            val patience = Patience(clock)
            patience.isOver shouldBe false
            val waits =
                List(12) {
                    patience.lose(Duration.ZERO)
                    patience.wait()
                }
            waits.take(5) shouldBe listOf(0, 1, 3, 7, 15).map { it.seconds }
            waits.last() shouldBe 10.minutes
            patience.forget()
            patience.isOver shouldBe false
            patience.lose(Duration.ZERO)
            patience.wait() shouldBe Duration.ZERO
        }

        test("a save that took long before it failed is not tried again soon") {
            val patience = Patience(clock)
            patience.lose(3.seconds)
            patience.wait() shouldBe 30.seconds
        }
    })
