package dev.cairn

import dev.cairn.cli.Counting
import dev.cairn.event.CheckpointEvent.Restored
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.shouldBeFor
import dev.cairn.proof.log.quietly
import dev.cairn.store.SaveNames
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith

/** Files of one save in the directory of another: they say nothing of the history of the save whose place they took. */
class MisplacedFilesSpec :
    FunSpec({
        quietly()

        test("the manifest of an older save in the place of the newest does not tell what led to the newest") {
            val count = Counting().apply { run(1, 2, 3) }
            count.misplace(SaveNames.MANIFEST, from = 1, to = 3)

            count.cairn("explain", "heat.cairn").run {
                lines[0] shouldStartWith
                    "save 3: rejected: heat.cairn/000003/manifest.json: it should be the manifest of save 3, as its " +
                    "directory says, but it is that of save 1."
                lines[0] shouldContain "'cairn recover heat.cairn/3' verifies them"
                lines[1] shouldBe "save 2: accepted: step 2 of 2 ranks"
                lines.last() shouldBe "A restart continues from save 2."
            }
            count.cairn("ls", "heat.cairn").lines[3] shouldContain "'cairn recover heat.cairn/3' verifies them"
            count.run() shouldBe Restored(2, 2, 2)
            count.rejected.single().reason shouldContain "'cairn recover heat.cairn/3' verifies them"
            count.cairn("recover", "heat.cairn/3").exitCode shouldBe 0
            count.run() shouldBe Restored(3, 3, 2)
        }

        test("nor do the data of an older save beside a damaged manifest") {
            val count = Counting().apply { run(1, 2, 3) }
            count.misplace(SaveNames.DATA, from = 1, to = 3)
            count.cut(count.file(3, SaveNames.MANIFEST))

            count.refusal().shouldBeFor<CheckpointException.Damaged>(Reason.NONE_GOOD).message shouldStartWith
                "heat.cairn: the newest checkpoint is not good, and the saves that led to it cannot be determined: " +
                "save 2 (step 2 of"
            count.cairn("ls", "heat.cairn").lines[3].contains("recover") shouldBe false
            count.cairn("recover", "heat.cairn/3").exitCode shouldBe 1
            count.run { restore(2) } shouldBe Restored(2, 2, 2)
        }

        test("beside its own manifest they leave the history known") {
            val count = Counting().apply { run(1, 2, 3) }
            count.misplace(SaveNames.DATA, from = 1, to = 3)
            count.run() shouldBe Restored(2, 2, 2)
        }

        test("a manifest and data that tell two histories of one number tell none") {
            val other = Counting().apply { run(10, 20, 30) }
            val count = Counting(other.files).apply { run(1) { null } }
            val stranger = Counting().apply { run(7, 8, 9, 10) }
            count.take(stranger, SaveNames.MANIFEST, number = 4)

            count.refusal().shouldBeFor<CheckpointException.Damaged>(Reason.NONE_GOOD).message shouldContain
                "the saves that led to it cannot be determined: save 3 (step 30 of"
            count.cairn("recover", "heat.cairn/4").exitCode shouldBe 0
            count.run() shouldBe Restored(4, 1, 2)
        }

        test("an older save with the manifest of another one is damaged, and not of another history") {
            val count = Counting().apply { run(1, 2, 3) }
            val stranger = Counting().apply { run(7) }
            count.damage(3)
            count.take(stranger, SaveNames.MANIFEST, number = 2, from = 1)
            count
                .cairn("explain", "heat.cairn")
                .lines
                .drop(1)
                .map { it.substringBefore(": heat") } shouldBe
                listOf(
                    "save 2: rejected",
                    "save 1: accepted: step 1 of 2 ranks",
                    "Items come back in this order: values 'n'.",
                    "A restart continues from save 1.",
                )
        }
    })
