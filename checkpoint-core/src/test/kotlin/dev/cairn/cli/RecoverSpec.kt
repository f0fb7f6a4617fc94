package dev.cairn.cli

import dev.cairn.checkpoint.copiedManifest
import dev.cairn.event.CheckpointEvent.Restored
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.ExitCode
import dev.cairn.event.shouldBeFor
import dev.cairn.manifestOf
import dev.cairn.proof.log.quietly
import dev.cairn.store.SaveNames
import dev.cairn.store.rewriteManifest
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldEndWith
import io.kotest.matchers.string.shouldNotContain
import io.kotest.matchers.string.shouldStartWith

/** Manifests that are gone, with their data left: what a restart says and does, and what brings the checkpoints back. */
class RecoverSpec :
    FunSpec({
        quietly()

        test("the index holds a copy of the manifest, byte for byte") {
            val heat = HeatCheckpoints().apply { save(rankCount = 5, step = 7, fileCount = 2) }
            val copy = heat.files.copiedManifest(HEAT.resolve("000001/data.sion"))
            copy.manifest shouldBe manifestOf(heat.files, HEAT, 1)
            val manifest = heat.read(HEAT.resolve("000001/manifest.json"))
            copy.digest shouldBe
                manifest
                    .array()
                    .decodeToString()
                    .substringAfterLast("\"digest\": \"")
                    .take(64)
        }

        test("where all manifests are gone a program stops and says what can be done") {
            val count = Counting().apply { run(1, 2) }
            count.loseManifest(1)
            count.loseManifest(2)

            count.refusal().shouldBeFor<CheckpointException.Damaged>(Reason.NONE_GOOD).message shouldContain
                "heat.cairn/000002: it has lost its manifest, but its data seem to be whole. 'cairn recover " +
                "heat.cairn/2' verifies them and takes the checkpoint back; 'cairn rm heat.cairn 2' deletes them. " +
                "Until then they stay."
            count.simulate(9) shouldBe (ExitCode.DAMAGED to null)
            for (place in listOf(arrayOf("heat.cairn"), arrayOf("heat.cairn", "2"))) {
                count.cairn("verify", *place).run {
                    lines.last() shouldStartWith "save 2: manifest lost; heat.cairn/000002: it has lost its manifest"
                    exitCode shouldBe 1
                }
            }
            count.cairn("verify", "--json", "heat.cairn", "2").text shouldContain "\"state\": \"manifest lost\""
            count.cairn("ls", "heat.cairn").lines[1] shouldContain "manifest lost: heat.cairn/000001: it has lost"
            count.cairn("explain", "heat.cairn").run {
                lines[0] shouldStartWith "save 2: rejected: heat.cairn/000002: it has lost its manifest"
                lines.last() shouldBe "A restart stops: there are checkpoints, but none is good."
            }
            count.cairn("recover", "heat.cairn/2").run {
                text shouldBe "heat.cairn/000002: good, and a checkpoint again: step 2 of 2 ranks\n"
                exitCode shouldBe 0
            }
            count.cairn("verify", "heat.cairn", "2").exitCode shouldBe 0
            count.run() shouldBe Restored(2, 2, 2)
        }

        test("a save without its manifest stays and is reported while an older one is continued") {
            val count = Counting().apply { run(1, 2, 3) }
            count.loseManifest(2)
            count.loseManifest(3)
            count.run(4, 5) shouldBe Restored(1, 1, 2)
            count.rejected.map { it.number } shouldBe listOf(3, 2)
            count.numbers() shouldBe listOf(1, 4, 5)
            count.files.exists(count.file(3, SaveNames.DATA)) shouldBe true

            count.cairn("rm", "heat.cairn", "2").text shouldBe "heat.cairn/000002: deleted\n"
            count.cairn("recover", "heat.cairn/3").exitCode shouldBe 0
            count.numbers() shouldBe listOf(1, 3, 4, 5)
            count.damage(5)
            count.damage(4)
            count.run() shouldBe Restored(1, 1, 2)
        }

        test("a fresh start leaves what was lost where it is") {
            val count = Counting().apply { run(1) }
            count.loseManifest(1)
            count.simulate(9, "--fresh") shouldBe (ExitCode.FINISHED to 0L)
            count.cairn("recover", "heat.cairn/1").exitCode shouldBe 0
        }

        test("after a lost manifest of another run a program does not continue the run before") {
            val count = Counting().apply { run(10) }
            count.run(3) { null }
            count.loseManifest(2)
            count.refusal().shouldBeFor<CheckpointException.Damaged>(Reason.NONE_GOOD).message shouldContain
                "none of the others led to it: save 1 (step 10"
        }

        test("a save that never finished is none, and goes as ever") {
            val count = Counting().apply { run(1, 2) }
            count.loseManifest(2)
            count.damage(2)
            count.run(3) shouldBe Restored(1, 1, 2)
            count.files.exists(count.file(2, SaveNames.DATA)) shouldBe false
        }

        test("a damaged manifest can be had again, too; a good one is left alone") {
            val count = Counting().apply { run(1, 2) }
            count.cut(count.file(2, SaveNames.MANIFEST))
            count.cairn("recover", "heat.cairn/2").exitCode shouldBe 0
            count.run() shouldBe Restored(2, 2, 2)
            count.cairn("recover", "heat.cairn/2").run {
                exitCode shouldBe 3
                complaint shouldBe "cairn: heat.cairn/000002 has its manifest: there is nothing to recover."
            }
            count.cairn("recover", "heat.cairn").complaint shouldContain "choose a checkpoint"
        }

        test("a manifest that is not that of its data is replaced by the copy in them") {
            val count = Counting().apply { run(1, 2) }
            rewriteManifest(count.files, count.file(2, SaveNames.MANIFEST)) { it.replace("\"step\": 2", "\"step\": 7") }
            count.cairn("recover", "heat.cairn/2").exitCode shouldBe 0
            count.run() shouldBe Restored(2, 2, 2)
        }

        test("a single flipped bit in a manifest is said together with the way back") {
            val count = Counting().apply { run(1, 2) }
            count.flip(count.file(2, SaveNames.MANIFEST), position = 40)
            count.cairn("ls", "heat.cairn").lines[2] shouldEndWith RECOVERY
            count.cairn("explain", "heat.cairn").lines[0] shouldEndWith RECOVERY
            count.run() shouldBe Restored(1, 1, 2)
            count.rejected.map { it.reason }.single() shouldEndWith RECOVERY
            count.cairn("recover", "heat.cairn/2").exitCode shouldBe 0
        }

        test("where the data are damaged, the way back is not promised") {
            val count = Counting().apply { run(1, 2) }
            count.cut(count.file(2, SaveNames.MANIFEST))
            count.damage(2)
            count.cairn("ls", "heat.cairn").lines[2] shouldNotContain "recover"
        }

        test("what does not verify is not taken back") {
            val heat = HeatCheckpoints().apply { save(rankCount = 2, step = 1) }
            heat.damage(1, cell(3))
            heat.files.delete(HEAT.resolve("000001/manifest.json"))
            heat.cairn("recover", "heat.cairn/1").run {
                exitCode shouldBe 1
                complaint shouldContain "frame 0 of 'u' of rank 0 should have the CRC32C"
            }
            heat.files.list(HEAT.resolve("000001")).map { "${it.fileName}" } shouldBe listOf("data.sion")
        }

        test("a finished save without its data is called that by a restart and by recover") {
            val count = Counting().apply { run(1, 2) }
            count.files.delete(count.file(2, SaveNames.DATA))
            val missing = "heat.cairn/000002/data.sion: this file of a finished save should exist, but is missing. "
            count.run() shouldBe Restored(1, 1, 2)
            count.rejected.map { it.reason }.single() shouldStartWith missing
            count.cairn("recover", "heat.cairn/2").run {
                exitCode shouldBe 1
                complaint shouldStartWith "cairn: $missing"
            }
        }

        test("what never was a checkpoint and has no data cannot be recovered") {
            val count = Counting().apply { run(1, 2) }
            count.loseManifest(2)
            count.files.rename(count.file(2, SaveNames.DATA), count.file(2, SaveNames.NEW_MANIFEST))
            count.cairn("recover", "heat.cairn/2").run {
                exitCode shouldBe 1
                complaint shouldBe
                    "cairn: heat.cairn/000002/data.sion: nothing can be recovered: there is no such file."
            }
        }

        test("a manifest that is not the one in its data is damage") {
            val count = Counting().apply { run(1, 2) }
            rewriteManifest(count.files, count.file(2, SaveNames.MANIFEST)) { it.replace("\"step\": 2", "\"step\": 7") }
            count.run() shouldBe Restored(1, 1, 2)
            count.rejected.map { it.reason }.single() shouldContain
                "the index should hold a copy of the manifest, but it is that of save 2, step 2, or was changed"
        }
    })

private const val RECOVERY =
    "Its data hold a copy of its manifest: 'cairn recover heat.cairn/2' verifies them against it and takes the " +
        "checkpoint back if they are whole."
