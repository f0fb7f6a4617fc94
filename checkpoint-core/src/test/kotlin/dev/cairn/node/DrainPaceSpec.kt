package dev.cairn.node

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.launch
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TestTimeSource

class DrainPaceSpec :
    FunSpec({
        test("bytes wait until those before have had their time") {
            val clock = TestTimeSource()
            var held = Duration.ZERO
            val pace =
                DrainPace(bytesPerSecond = 100, clock) { time, _ ->
                    held += time
                    clock += time
                }
            pace.spend(200)
            held shouldBe 0.seconds
            pace.spend(50)
            held shouldBe 2.seconds
            clock += 10.seconds
            pace.spend(100)
            held shouldBe 2.seconds
            pace.spend(100)
            held shouldBe 3.seconds
        }

        test("a limit that is lifted holds nothing up, and wakes what waits") {
            val pace = DrainPace(bytesPerSecond = 1)
            pace.spend(Int.MAX_VALUE)
            coroutineScope {
                val waiting = launch(start = CoroutineStart.UNDISPATCHED) { pace.spend(Int.MAX_VALUE) }
                waiting.isCompleted shouldBe false
                pace.lift()
                waiting.join()
            }
            pace.spend(Int.MAX_VALUE)
        }

        test("without a rate nothing waits") {
            DrainPace(null, TestTimeSource()) { _, _ -> error("it waits") }.apply {
                spend(Int.MAX_VALUE)
                spend(Int.MAX_VALUE)
            }
        }
    })
