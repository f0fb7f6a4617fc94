package dev.cairn.run

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

/** How much time a program keeps for its last save. */
class DeadlineSpec :
    FunSpec({
        test(
            "half of the longest save, as much more as steps differ, and twenty seconds are kept beside save and step",
        ) {
            val deadline = Deadline(10.hours)
            listOf(40, 60, 50).forEach { deadline.saved(it.seconds) }
            listOf(10, 12, 11).forEach { deadline.worked(it.seconds) }
            deadline.kept shouldBe 90.seconds + (12 + 2).seconds + 20.seconds
        }

        test("after one step the next may take twice as long") {
            val deadline = Deadline(10.hours).apply { worked(5.minutes) }
            val before = Deadline(10.hours)
            deadline.kept - before.kept shouldBe 10.minutes
        }

        test("a slow step or save counts until eight others have come") {
            val deadline = Deadline(10.hours).apply { worked(9.minutes) }
            repeat(7) { deadline.worked(1.minutes) }
            val slow = deadline.kept
            deadline.worked(1.minutes)
            slow - deadline.kept shouldBe (2 * 9 - 1 - 1).minutes
        }

        test("a save that goes on in the background is waited for, too") {
            val deadline = Deadline(10.hours).apply { saved(30.seconds) }
            val alone = deadline.kept
            deadline.savedInBackground()
            deadline.kept - alone shouldBe 30.seconds
        }

        test("the end of the program takes a twentieth of a short job") {
            Deadline(5.seconds).apply { saved(100.milliseconds) }.kept shouldBe 150.milliseconds + 250.milliseconds
        }

        test("without any save, one is made to see how long it takes, and only one") {
            val deadline = Deadline(100.minutes).apply { worked(1.minutes) }
            // A twentieth for a save, half of it for caution, two minutes for the next step, and twenty seconds.
            deadline.kept shouldBe 7.5.minutes + 2.minutes + 20.seconds
            deadline.keptUntried shouldBe deadline.kept + 10.minutes
            deadline.urgency(deadline.keptUntried + 1.seconds, isSaving = false) shouldBe Urgency.NONE
            deadline.urgency(deadline.keptUntried, isSaving = false) shouldBe Urgency.SAVE
            deadline.urgency(deadline.keptUntried, isSaving = false) shouldBe Urgency.NONE
            deadline.urgency(deadline.kept, isSaving = false) shouldBe Urgency.STOP
        }

        test("once a save is measured, none is made to measure it") {
            val deadline = Deadline(100.minutes).apply { saved(1.minutes) }
            deadline.urgency(deadline.keptUntried, isSaving = false) shouldBe Urgency.NONE
        }

        test("where a save is due, the program stops if no time for another one is left after it") {
            val deadline = Deadline(100.minutes).apply { saved(1.minutes) }
            val left = deadline.kept + 1.minutes
            deadline.urgency(left, isSaving = false) shouldBe Urgency.NONE
            deadline.urgency(left, isSaving = true) shouldBe Urgency.STOP
        }

        test("the parts of what is kept are told") {
            val deadline = Deadline(10.hours)
            "$deadline" shouldContain "no save has shown yet how long it takes: 30m"
            deadline.saved(90.seconds)
            deadline.worked(2.seconds)
            deadline.savedInBackground()
            "$deadline" shouldBe
                "1m 30s for a save, the longest lately, and half of it more, as much again for one that may be under " +
                "way; 4.000 s for the next steps; 20.000 s for the end"
        }
    })
