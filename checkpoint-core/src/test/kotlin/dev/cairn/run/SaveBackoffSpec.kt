package dev.cairn.run

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TestTimeSource

class SaveBackoffSpec :
    FunSpec({
        val clock = TestTimeSource()

        /** How long it is until another save is asked for, to a millisecond. */
        fun SaveBackoff.wait(): Duration {
            var waited = Duration.ZERO
            while (!isOver) {
                clock += 1.milliseconds
                waited += 1.milliseconds
            }
            return waited
        }

        test("it grows from nothing to ten minutes, and a save that is committed ends it") {
            val backoff = SaveBackoff(clock)
            backoff.isOver shouldBe false
            val waits =
                List(12) {
                    backoff.lose(Duration.ZERO)
                    backoff.wait()
                }
            waits.take(5) shouldBe listOf(0, 1, 3, 7, 15).map { it.seconds }
            waits.last() shouldBe 10.minutes
            backoff.forget()
            backoff.isOver shouldBe false
            backoff.lose(Duration.ZERO)
            backoff.wait() shouldBe Duration.ZERO
        }

        test("a save that took long before it failed is not tried again soon") {
            val backoff = SaveBackoff(clock)
            backoff.lose(3.seconds)
            backoff.wait() shouldBe 30.seconds
        }
    })
