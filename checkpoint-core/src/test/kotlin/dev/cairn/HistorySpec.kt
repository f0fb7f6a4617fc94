package dev.cairn

import dev.cairn.cli.Counting
import dev.cairn.cli.HEAT
import dev.cairn.event.CheckpointEvent.Restored
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.ExitCode
import dev.cairn.event.shouldBeFor
import dev.cairn.options.CheckpointOptions
import dev.cairn.proof.log.quietly
import dev.cairn.sion.store.simulated.DiskSettings
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith

/** Runs and branches in one directory: what may take the place of what, and what goes when there are enough newer ones. */
class HistorySpec :
    FunSpec({
        quietly()

        test("a damaged newest checkpoint never leads to another run") {
            val count = Counting().apply { run(10, 20) }
            count.run(3) { null } shouldBe null
            count.damage(3)

            count.refusal().shouldBeFor<CheckpointException.Damaged>(Reason.NONE_GOOD).message.toString().run {
                shouldStartWith(
                    "heat.cairn: the newest checkpoint is not good, and none of the others led to it: save 2 (step 20 of",
                )
                shouldContain("save 1 (step 10 of the run")
                shouldContain("set from to its number")
            }
            count.simulate(30) shouldBe (ExitCode.DAMAGED to null)
            count.cairn("explain", "heat.cairn").run {
                exitCode shouldBe 1
                lines[0] shouldStartWith "save 3: rejected: heat.cairn/000003/data.sion"
                lines[1] shouldStartWith "save 2: of another history: step 20 of the run"
                lines.last() shouldBe
                    "A restart stops: no checkpoint is good that led to save 3. --from 2 would continue from " +
                    "another history."
            }
            count.simulate(30, "--from", "2") shouldBe (ExitCode.FINISHED to 20L)
        }

        test("nor does one of which nothing tells to which run it belonged") {
            val count = Counting().apply { run(10, 20) }
            count.damage(2)
            count.cut(count.file(2, "manifest.json"))
            count.refusal().shouldBeFor<CheckpointException.Damaged>(Reason.NONE_GOOD).message shouldStartWith
                "heat.cairn: the newest checkpoint is not good, and the saves that led to it cannot be determined: " +
                "save 1 (step 10 of the run"
            count.cairn("explain", "heat.cairn").run {
                exitCode shouldBe 1
                lines[1] shouldStartWith "save 1: not known to have led to the newest: step 10 of the run"
                lines.last() shouldBe
                    "A restart stops: no readable data tell which saves led to save 2. --from 1 would continue " +
                    "nevertheless."
            }
            count.run { restore(1) } shouldBe Restored(1, 10, 2)
        }

        test("after a damaged manifest the save before is restored, since the data name the run") {
            val count = Counting().apply { run(10, 20) }
            count.cut(count.file(2, "manifest.json"))
            count.run() shouldBe Restored(1, 10, 2)
        }

        test("a chosen save is restored, later ones stay as another branch, and the new branch is continued") {
            val count = Counting().apply { run(1, 2, 3, 4) }
            count.run(30) { restore(2) } shouldBe Restored(2, 2, 2)
            count.numbers() shouldBe listOf(1, 2, 3, 4, 5)
            manifestOf(count.files, HEAT, 5).run {
                parent shouldBe 2
                "$history" shouldBe "1-2"
            }
            count.run(40) shouldBe Restored(5, 30, 2)
            "${manifestOf(count.files, HEAT, 6).history}" shouldBe "1-2, 5"
            count.damage(6)
            count.damage(5)
            count.run() shouldBe Restored(2, 2, 2)
            count
                .cairn("explain", "heat.cairn")
                .lines
                .drop(2)
                .map { it.substringBefore(": step") } shouldBe
                listOf(
                    "save 4: of another history",
                    "save 3: of another history",
                    "save 2: accepted",
                    "save 1: not examined, a newer one decides",
                    "Items come back in this order: values 'n'.",
                    "A restart continues from save 2.",
                )
        }

        test("no other save takes the place of a chosen one") {
            val count = Counting().apply { run(1, 2, 3) }
            count
                .refusal {
                    restore(
                        7,
                    )
                }.shouldBeFor<CheckpointException.Unreadable>(Reason.NO_SUCH_CHECKPOINT)
                .message shouldBe
                "heat.cairn: save 7 should be restored, but there is no such checkpoint. There are 1, 2, 3."
            val single = Counting().apply { run(1) }
            single.refusal { restore(7) }?.message shouldBe
                "heat.cairn: save 7 should be restored, but there is no such checkpoint. There is only save 1."
            count.damage(3)
            count.refusal { restore(3) }.shouldBeFor<CheckpointException.Damaged>(Reason.NONE_GOOD)
            count.simulate(9, "--from", "7") shouldBe (ExitCode.REFUSED to null)
            count.simulate(9, "--from", "2", "--fresh") shouldBe (ExitCode.REFUSED to null)
            count.simulate(9, "--from=newest") shouldBe (ExitCode.FINISHED to 2L)
        }

        test(
            "saves of another branch go when the new one has enough of its own, and what was chosen stays until then",
        ) {
            val count = Counting().apply { run(1, 2, 3, 4) }
            val two = CheckpointOptions { keepLast = 2 }
            count.run(30, options = two) { restore(2) }
            count.numbers() shouldBe listOf(2, 3, 4, 5)
            count.run(40, options = two)
            count.numbers() shouldBe listOf(5, 6)
        }

        test("a run that starts afresh replaces the one before only when it has enough checkpoints") {
            val count = Counting(options = CheckpointOptions { keepLast = 2 }).apply { run(1, 2) }
            count.run(10) { null }
            count.numbers() shouldBe listOf(1, 2, 3)
            count.run(20)
            count.numbers() shouldBe listOf(3, 4)
        }

        test("a rule that keeps fewer makes room on a full disk before the first save") {
            val count = tight { run(1, 2) }
            count.refusal {
                restore()
                save(3).let { null }
            }
            count.numbers() shouldBe listOf(1, 2)
            count.run(3, options = CheckpointOptions(SMALL) { keepOnlyNewest() }) shouldBe Restored(2, 2, 2)
            manifestOf(count.files, HEAT, count.numbers().single()).step shouldBe 3
        }
    })

private val SMALL =
    CheckpointOptions {
        keepLast = 2
        blockSize = 4096
    }

/** On the smallest disk on which [saves] have room. */
private suspend fun tight(saves: suspend Counting.() -> Unit): Counting =
    (1..100).firstNotNullOf { pages ->
        val disk = SimulatedDisk(DiskSettings.DEFAULT.withCapacity(pages * 4096L)).host("node0")
        Counting(disk, SMALL).takeIf { runCatching { it.saves() }.isSuccess }
    }
