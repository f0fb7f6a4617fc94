package dev.cairn.run

import dev.cairn.event.SaveOutcome
import dev.cairn.options.Triggers
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.RunEvent
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.ranks
import dev.cairn.simulate
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.comparables.shouldBeLessThanOrEqualTo
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.nanoseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TestTimeSource

/** When the ranks of a simulation meet between two steps. */
class SaveScheduleSpec :
    FunSpec({
        quietly()

        for (stepsPerNano in listOf(1, 4, 1000)) {
            test("meetings stay a fraction of a second apart where a nanosecond is enough for $stepsPerNano steps") {
                val time = TestTimeSource()
                ranks(1) {
                    val schedule = SaveSchedule(Triggers(), { RunRequest.NONE }, time).apply { begin(0) }
                    repeat(100) {
                        val step = schedule.nextMeeting
                        time += MEETING_COST
                        schedule.meet(this, step)
                        val pause = ((schedule.nextMeeting - step) / stepsPerNano).nanoseconds
                        pause shouldBeLessThanOrEqualTo 400.milliseconds
                        time += pause
                    }
                }
            }
        }

        test("the ranks still meet soon after steps have become a thousand times slower") {
            val time = TestTimeSource()
            ranks(1) {
                val schedule = SaveSchedule(Triggers(), { RunRequest.NONE }, time).apply { begin(0) }
                repeat(100) {
                    val step = schedule.nextMeeting
                    schedule.meet(this, step)
                    time += MEETING_COST + ((schedule.nextMeeting - step) / 2).nanoseconds
                }
                val before = schedule.nextMeeting
                schedule.meet(this, before)
                ((schedule.nextMeeting - before) * 500).nanoseconds shouldBeLessThanOrEqualTo 1.seconds
            }
        }

        test("a save that is under way is not asked for again, although the one before has failed") {
            val time = TestTimeSource()
            ranks(1) {
                val schedule = SaveSchedule(Triggers(), { RunRequest.NONE }, time).apply { begin(0) }
                schedule.ended(SaveOutcome.Failed(1, 1, "", "the store is full"))
                time += 1.seconds
                schedule.meet(this, 1) shouldBe RunRequest.DUE
                schedule.save(1) { SaveOutcome.Sealed(2, 1, "") }
                time += 1.seconds
                schedule.meet(this, 2) shouldBe RunRequest.NONE
            }
        }

        test("where time stands still, the ranks meet after each step") {
            ranks(1) {
                val schedule = SaveSchedule(Triggers(), { RunRequest.NONE }, TestTimeSource()).apply { begin(3) }
                List(4) { schedule.nextMeeting.also { schedule.meet(this, it) } } shouldBe listOf(4L, 5L, 6L, 7L)
            }
        }

        test("in a deterministic run a seed decides when the ranks meet, too") {
            suspend fun runOf(seed: Long): List<RunEvent> {
                val files = SimulatedDisk().host("node0")
                val events = mutableListOf<RunEvent>()
                val plan = RankPlan(3, Schedule.Deterministic(seed), observer = events::add)
                ranks(plan) {
                    simulate("sums", arrayOf("--every-seconds", "0.001"), files = files) {
                        var sum by replicated(0L)
                        for (step in steps(until = 200)) sum += step
                    }
                }
                return events
            }
            val first = runOf(1)
            runOf(1) shouldBe first
            runOf(2) shouldNotBe first
        }

        test("all ranks try again at the meeting after a save that failed, and not again until it is time") {
            val time = TestTimeSource()
            val failed = SaveOutcome.Failed(1, 4, "", "planned")
            val asked =
                ranks(3) {
                    val schedule = SaveSchedule(Triggers(), { RunRequest.NONE }, time).apply { begin(0) }
                    val before = schedule.meet(this, schedule.nextMeeting)
                    schedule.save(schedule.nextMeeting) { failed }
                    val after = schedule.meet(this, schedule.nextMeeting)
                    schedule.save(schedule.nextMeeting) { failed }
                    listOf(before, after, schedule.meet(this, schedule.nextMeeting))
                }
            asked.distinct() shouldBe listOf(listOf(RunRequest.NONE, RunRequest.DUE, RunRequest.NONE))
        }
    })

private val MEETING_COST = 5000.nanoseconds
