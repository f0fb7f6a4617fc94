package dev.cairn.run

import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.options.AutoSaves
import dev.cairn.options.Triggers
import dev.cairn.proof.log.loggedBy
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.ranks
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlin.time.Duration
import kotlin.time.Duration.Companion.days
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TestTimeSource

/** A run whose setting `every` is `auto`. */
class SavePaceSpec :
    FunSpec({
        test("the first save comes after a minute, and each later one at the first step after the best interval") {
            val begins = Paced(1).play(10.hours, step = 7.seconds, save = { 30.seconds })
            begins.first() shouldBe 63.seconds
            val best = bestInterval(30.seconds, 1.days)
            val steps = best / 7.seconds
            begins.zipWithNext { one, next -> next - one - 30.seconds }.distinct() shouldBe
                listOf(7.seconds * kotlin.math.ceil(steps))
        }

        test("hosts fail one by one, so with a hundred of them saves are made nearly ten times as often") {
            val of100 = Paced(100).apply { play(1.hours, 1.seconds) { 1.seconds } }
            of100.pace.length shouldBe bestInterval(1.seconds, 1.days / 100)
        }

        test("the run counts its hosts") {
            val lines =
                loggedBy {
                    val plan = RankPlan(count = 6, hosts = { "node${it % 3}" })
                    ranks(plan) { savePace(AutoSaves(30.hours, null)) }
                        .map { pace -> pace?.saves(1, 1.seconds) != null } shouldBe
                        listOf(true, false, false, false, false, false)
                }
            lines.single() shouldContain "one of 3 hosts fails every 10h"
        }

        test("a line tells of the pace when it is known, and again when it has changed by a quarter") {
            val pace = SavePace(AutoSaves(1.days, null), 1)
            val lines =
                loggedBy {
                    pace.saves(8, 10.seconds)
                    pace.saves(8, 11.seconds)
                    pace.saves(8, 40.seconds)
                }
            lines.first() shouldBe
                "INFO: from now on a save is made every 21m 47s: one blocks the program for 10.000 s, so saves take " +
                "0.76 % of the time, and one of 1 host fails every 1d"
            lines.size shouldBe 3
        }

        test("after the last save, no step follows, and no line tells of the pace") {
            loggedBy { SavePace(AutoSaves(1.days, null), 1).ended(saved(1.seconds), 1.seconds) }.shouldBeEmpty()
        }

        test("a save that goes on in the background counts with the time for which it blocks the program") {
            val pace = SavePace(AutoSaves(1.days, null), 1)
            pace.ended(SaveOutcome.Copied(1, 1, ""), 1.seconds)
            pace.ended(saved(1.minutes), Duration.ZERO)
            pace.length shouldBe bestInterval(1.seconds, 1.days)
        }

        test("a save that failed tells nothing of the time that saves take") {
            val pace = SavePace(AutoSaves(1.days, null), 1)
            pace.ended(SaveOutcome.Failed(1, 1, "", "planned"), 1.minutes)
            pace.length shouldBe 1.minutes
        }
    })

/** Each of [count] saves blocks the program for [time], and the run goes on. */
private fun SavePace.saves(count: Int, time: Duration) =
    repeat(count) {
        ended(saved(time), time)
        logChange()
    }

private fun saved(time: Duration) = Saved(1, 1, "", 1, time, 0, time, time)

/** A run on one rank, whose hosts fail every day. */
private class Paced(hostCount: Long) {
    val auto = AutoSaves(1.days, null)
    val pace = SavePace(auto, hostCount)
    private val time = TestTimeSource()
    private val schedule = SaveSchedule(Triggers(auto = auto), { RunRequest.NONE }, time) { pace }

    /** As a loop of a simulation does; returns when its saves began. */
    suspend fun play(total: Duration, step: Duration, save: () -> Duration): List<Duration> {
        val start = time.markNow()
        val begins = mutableListOf<Duration>()
        ranks(1) {
            schedule.begin(0)
            var count = 0L
            while (start.elapsedNow() < total) {
                time += step
                count++
                if (count != schedule.nextMeeting || schedule.meet(this, count) == RunRequest.NONE) continue
                begins += start.elapsedNow()
                schedule.save(count) { saved(save().also { time += it }) }
            }
        }
        return begins
    }
}
