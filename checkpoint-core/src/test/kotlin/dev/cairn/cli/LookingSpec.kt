package dev.cairn.cli

import dev.cairn.grid.Decomposition
import dev.cairn.house.Campaign
import dev.cairn.run.KeptOutputs
import dev.cairn.store.rewriteManifest
import dev.cairn.store.writeNew
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldMatch
import io.kotest.matchers.string.shouldStartWith
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.boolean
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.long
import java.nio.file.Path

/** The verbs that only look: `ls`, `info`, `verify` and `explain`. */
class LookingSpec :
    FunSpec({
        /** 1 is good and pinned, 2 has damaged data, 3 a damaged manifest, 4 has not finished. */
        suspend fun mixed() =
            HeatCheckpoints().apply {
                for (step in 1L..3) save(rankCount = 4, step = 100 * step)
                cairn("pin", "heat.cairn", "1").exitCode shouldBe 0
                damage(2, cell(5))
                cut(HEAT.resolve("000003/manifest.json"))
                own().use { it.begin() }
            }

        test("ls tells of each save what names and manifests say") {
            val run = mixed().cairn("ls", "heat.cairn")

            run.exitCode shouldBe 0
            run.lines.take(3) shouldBe
                listOf(
                    "save  step  phase  time                  run       ranks  bytes  pinned  state",
                    "   1   100  main   2025-01-31T09:01:00Z  5d1c0a52      4   6845  pinned  good",
                    "   2   200  main   2025-01-31T09:02:00Z  5d1c0a52      4   6845          good",
                )
            run.lines[3] shouldContain "damaged: heat.cairn/000003/manifest.json: its end should be the digest"
            run.lines[4] shouldMatch " +4 +unfinished"
        }

        test("ls --json tells the same") {
            val saves =
                mixed()
                    .cairn("ls", "--json", "heat.cairn")
                    .json
                    .getValue("saves")
                    .jsonArray
                    .map { it.jsonObject }

            saves.map { it.getValue("state").jsonPrimitive.content } shouldBe
                listOf("good", "good", "damaged", "unfinished")
            saves.map { it.getValue("isPinned").jsonPrimitive.boolean } shouldBe listOf(true, false, false, false)
            saves[1].getValue("byteCount").jsonPrimitive.long shouldBe 37 * 23 * 8 + 9 + 4 * 7
            saves[3].getValue("step") shouldBe JsonNull
        }

        test("ls lists the outputs that are kept for saves, and says if it cannot") {
            val heat = HeatCheckpoints().apply { save(rankCount = 2, step = 100) }
            val (output, kept) = listOf("log.txt", "log.txt.save-7").map { Path.of("/$it") }
            heat.files.writeNew(output, byteArrayOf(1, 2))
            heat.own().use { KeptOutputs(heat.files, it.store).record(output, kept, 7, marks = null) }
            heat.cairn("ls", "heat.cairn").lines shouldHaveSize 2
            heat.files.rename(output, kept)
            heat.cairn("ls", "heat.cairn").lines.drop(2) shouldBe listOf("/log.txt.save-7  2 bytes  kept for save 7")
            val listed =
                heat
                    .cairn("ls", "--json", "heat.cairn")
                    .json
                    .getValue("keptOutputs")
                    .jsonArray
            listed.single().jsonObject.mapValues { it.value.jsonPrimitive.content } shouldBe
                mapOf("file" to "$kept", "byteCount" to "2", "number" to "7")
            heat.cut(HEAT.resolve("kept-outputs.json"))
            heat.cairn("ls", "heat.cairn").lines.last() shouldStartWith
                "heat.cairn/kept-outputs.json: it should list files of outputs, and does not: "
        }

        test(
            "ls reports no save without its data as good, and reads those with other files than the manifest lists",
        ) {
            val heat =
                HeatCheckpoints().apply {
                    for (step in 1L..3) save(rankCount = 2, step = step, fileCount = 2)
                    files.delete(HEAT.resolve("000001/data.sion"))
                    files.delete(HEAT.resolve("000002/data.sion.000001"))
                }
            val lines = heat.cairn("ls", "heat.cairn").lines

            lines[1] shouldContain
                "damaged: heat.cairn/000001/data.sion: this file of a finished save should exist, but is missing."
            lines[2] shouldContain "damaged: heat.cairn/000002/data.sion.000001: it does not exist, but"
            lines[3] shouldContain "good"
            heat.cairn("verify", "heat.cairn", "1").text shouldBe
                "save 1: damaged; heat.cairn/000001/data.sion: this file of a finished save should exist, but is " +
                "missing. Restore it from another copy.\n"
        }

        test("ls --deep looks at the tables of contents, too") {
            val heat = HeatCheckpoints().apply { save(rankCount = 2, step = 1) }
            heat.cut(HEAT.resolve("000001/data.sion"))

            heat.cairn("ls", "heat.cairn").lines[1] shouldContain "good"
            heat.cairn("ls", "--deep", "heat.cairn").lines[1] shouldContain "damaged: heat.cairn/000001/data.sion"
        }

        test("info shows provenance, items and the ranks that wrote them") {
            val heat = HeatCheckpoints().apply { save(4, step = 7, blocks = { Decomposition.blocks(SHAPE, it) }) }
            val run = heat.cairn("info", "heat.cairn", "1")

            run.exitCode shouldBe 0
            run.lines.take(3) shouldBe
                listOf("checkpoint  heat.cairn/000001", "step        7 of main", "time        2025-01-31T09:01:00Z")
            run.text shouldContain "run         5d1c0a52-heat, its first save\n"
            run.text shouldContain "data        data.sion, 1 file\n"
            run.text shouldContain "host        node0\njava        17.0.9\n\n"
            val items = run.lines.takeLast(3)
            items[0] shouldStartWith "u     field       double  37x23       851   6808  "
            items[0] shouldContain "  4 ranks, 4 boxes, 1584 to 1824 bytes each"
            items[1] shouldContain "  1 rank, 9 bytes"
            items[2] shouldContain "  4 ranks, 7 bytes each"
            heat
                .cairn("info", "--json", "heat.cairn")
                .json
                .getValue("writers")
                .jsonArray shouldHaveSize 3
        }

        test("verify finds what ls cannot, says it in a sentence for each flaw, and exits with 1") {
            val run = mixed().cairn("verify", "heat.cairn")

            run.exitCode shouldBe 1
            run.lines[0] shouldBe "save 1: good; ranks 4, items 3, bytes 6845"
            run.lines[1] shouldStartWith
                "save 2: damaged; heat.cairn/000002/data.sion: frame 0 of 'u' of rank 0 should have the CRC32C "
            run.lines[2] shouldStartWith "save 3: damaged; heat.cairn/000003/manifest.json: its end should be"
            run.lines shouldHaveSize 3
        }

        test("verify of good ones exits with 0, for any rank count, blocks and number of files") {
            val heat =
                HeatCheckpoints().apply {
                    save(7, step = 1)
                    save(6, step = 2, fileCount = 3, blocks = { Decomposition.blocks(SHAPE, it) })
                    save(50, step = 3)
                }
            val run = heat.cairn("verify", "heat.cairn")

            run.exitCode shouldBe 0
            run.lines.map { it.substringBefore(';') } shouldBe (1..3).map { "save $it: good" }
            heat.cairn("verify", "heat.cairn", "2").lines shouldHaveSize 1
        }

        test("verify says which file is missing") {
            val heat = HeatCheckpoints().apply { save(rankCount = 2, step = 1, fileCount = 2) }
            heat.files.delete(HEAT.resolve("000001/data.sion.000001"))

            heat.cairn("verify", "heat.cairn").text shouldStartWith
                "save 1: damaged; heat.cairn/000001/data.sion.000001: it does not exist, but"
        }

        test("no byte of a checkpoint changes without verify noticing, but for those between the chunks") {
            val heat = HeatCheckpoints().apply { save(rankCount = 2, step = 1) }
            val good = heat.read(HEAT.resolve("000001/data.sion"))
            var unnoticed = 0
            val chosen = Campaign.DAMAGED_BYTES.someOf((0 until good.limit()).toList())
            for (at in chosen) {
                heat.overwrite(at, (good.get(at).toInt() xor 1).toByte())
                if (heat.cairn("verify", "heat.cairn").exitCode == 0) {
                    unnoticed++
                    val extracted =
                        java.nio.file.Path
                            .of("u$at.npy")
                    heat.cairn("extract", "heat.cairn", "u", "$extracted").exitCode shouldBe 0
                    heat.read(extracted).position(128).asDoubles() shouldBe (0L until 851).map(::cell)
                }
                heat.overwrite(at, good.get(at))
            }
            println(
                "LookingSpec: of ${chosen.size} changed bytes $unnoticed are of no checkpoint, seed ${Campaign.seed}",
            )
            heat.cairn("verify", "heat.cairn").exitCode shouldBe 0
        }

        test("explain says of each save whether a restart would take it, newest first, and what it would do") {
            val run = mixed().cairn("explain", "heat.cairn")

            run.exitCode shouldBe 0
            run.lines[0] shouldBe "save 4: no checkpoint, the save has not finished"
            run.lines[1] shouldStartWith "save 3: rejected: heat.cairn/000003/manifest.json: its end should be"
            run.lines[2] shouldStartWith "save 2: rejected: heat.cairn/000002/data.sion: frame 0 of 'u' of rank 0"
            run.lines[3] shouldBe "save 1: accepted: step 100 of 4 ranks"
            run.lines[4] shouldBe "Items come back in this order: values 'time', 'seen'; fields 'u'."
            run.lines[5] shouldBe "A restart continues from save 1."
        }

        test("a checkpoint of an unknown format stops a restart, and is not reported as damaged") {
            val heat = HeatCheckpoints().apply { for (step in 1L..2) save(rankCount = 1, step = step) }
            rewriteManifest(heat.files, HEAT.resolve("000002/manifest.json")) { it.replace("\"2.0\"", "\"3.1\"") }

            heat.cairn("explain", "heat.cairn").run {
                exitCode shouldBe 1
                lines[0] shouldBe
                    "save 2: not readable by this version: heat.cairn/000002/manifest.json: its format should be 1.x " +
                    "or 2.x, but is 3.1. Use a newer version of Cairn. The checkpoint may be good, so no older one " +
                    "is used in its place."
                lines[1] shouldBe "save 1: not examined, a newer one decides"
                lines[2] shouldBe "A restart stops: save 2 is in a format that only a newer version of Cairn reads."
            }
            heat.cairn("ls", "heat.cairn").lines[2] shouldContain "not readable by this version: heat.cairn/000002"
            heat.cairn("info", "heat.cairn").complaint shouldContain "but is 3.1. Use a newer version of Cairn."
        }

        test("explain tells a fresh start from a stop") {
            val fresh = HeatCheckpoints().apply { own().use { it.begin() } }
            fresh.cairn("explain", "heat.cairn").run {
                exitCode shouldBe 0
                lines.last() shouldBe "A program that starts now starts fresh: there is no checkpoint."
            }
            val damaged = HeatCheckpoints().apply { save(rankCount = 1, step = 1) }
            damaged.damage(1, cell(3))
            damaged.cairn("explain", "--json", "heat.cairn").run {
                exitCode shouldBe 1
                json.getValue("restart").jsonPrimitive.content shouldBe "STOP"
            }
        }
    })
