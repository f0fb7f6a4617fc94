package dev.cairn.cli

import dev.cairn.checkpoint.checkpointStore
import dev.cairn.run.OwnerRequestHandler
import dev.cairn.store.OwnerRequest
import dev.cairn.store.OwnerRequests
import dev.cairn.store.SaveChange
import dev.cairn.store.SaveNames
import dev.cairn.store.deleteIfThere
import dev.cairn.store.writeNew
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldEndWith
import io.kotest.matchers.string.shouldMatch
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive

/** What the verbs say of a save that is on the disks of its hosts. */
class SealedVerbsSpec :
    FunSpec({
        suspend fun sealed() =
            SealedHeat().apply {
                for (step in 1L..2) on[0].save(4, step, fileCount = 2)
                seal(2)
            }
        val below = "below /scratch/me/cairn-$IDENTITY"
        val notYet =
            "cairn: heat.cairn/000002 is no checkpoint yet: its data lie on the disks of the hosts that its file " +
                "'hosts' names. 'cairn drain heat.cairn --local PATH' on these hosts, or a restart that reaches " +
                "them, commits it."

        fun SealedHeat.drainByHand(host: Int, name: String) =
            on[0].files.writeNew(
                HEAT.resolve("000002").resolve(name),
                on[host].read(partOf(2, name)).array(),
            )

        test("info shows where each file lies, and which loss the save survives") {
            val heat = sealed()
            heat.on[0].cairn("info", "heat.cairn", "2").run {
                exitCode shouldBe 0
                lines.take(2) shouldBe
                    listOf(
                        "sealed    heat.cairn/000002, no checkpoint yet: it lies on its hosts",
                        "step      2 of main",
                    )
                lines.takeLast(5) shouldBe
                    listOf(
                        "file              drained  lies on",
                        "data.sion         no       node0 $below",
                        "data.sion.000001  no       node1 $below",
                        "",
                        "The save is lost with node0 or node1.",
                    )
            }
            heat.drainByHand(1, "data.sion.000001")
            heat.on[0].cairn("info", "heat.cairn/2").run {
                text shouldContain "data.sion.000001  yes      node1 $below\n"
                text shouldEndWith "The save is lost with node0.\n"
            }
            heat.copy(2)
            heat.on[0].cairn("info", "heat.cairn/2").text shouldContain "node0 $below; node1 $below"
            heat.on[0]
                .cairn("info", "heat.cairn/2", "--json")
                .json
                .getValue("onHosts")
                .jsonObject
                .getValue("survival")
                .jsonPrimitive.content shouldBe "The save survives the loss of any 1 host."
            heat.drainByHand(0, "data.sion")
            heat.on[0].cairn("info", "heat.cairn/2").text shouldEndWith
                "The save survives the loss of all hosts if its files here are good: the next start or 'cairn drain' " +
                "verifies and commits it.\n"
        }

        test("a save survives the loss of hosts as long as each file is left on one") {
            fun hosts(vararg names: String) = setOf(*names)
            OnHosts.survival(listOf(hosts("a", "b", "c"), hosts("b", "c", "d"))) shouldBe
                "The save survives the loss of any 2 hosts."
            OnHosts.survival(listOf(hosts("a", "b"), hosts("b"))) shouldBe "The save is lost with b."
        }

        test("a damaged note of places is said to be one") {
            val heat = sealed()
            val note = HEAT.resolve("000002").resolve(SaveNames.HOSTS)
            heat.on[0].files.deleteIfThere(note)
            for (command in listOf("info heat.cairn/2", "explain heat.cairn", "drain heat.cairn --local /scratch/me")) {
                heat.on[0].cairn(*command.split(' ').toTypedArray()).run {
                    exitCode shouldBe 1
                    complaint shouldBe "cairn: heat.cairn/000002: its file 'hosts' should name 2 files, and names 0."
                }
            }
        }

        test("a changed byte in the note of places is told wherever it may mislead") {
            val heat = sealed()
            val note = HEAT.resolve("000002").resolve(SaveNames.HOSTS)
            val changed = "${Charsets.UTF_8.decode(heat.on[0].read(note))}".replaceFirst("on node0", "on node7")
            heat.on[0].files.deleteIfThere(note)
            heat.on[0].files.writeNew(note, changed.encodeToByteArray())
            val doubt =
                Regex(
                    "its file 'hosts' is damaged: its lines should have the CRC32C [0-9a-f]{8}, but have " +
                        "[0-9a-f]{8}, so that a place or a checksum in it may be wrong",
                )
            for (command in listOf("info heat.cairn/2", "explain heat.cairn")) {
                heat.on[0].cairn(*command.split(' ').toTypedArray()).run {
                    exitCode shouldBe 0
                    text.replace('\n', ' ') shouldContain doubt
                }
            }
            heat.drain(1).run {
                exitCode shouldBe 3
                text.replace('\n', ' ') shouldContain Regex("run this command on the other hosts, too; $doubt")
            }
            heat.drain(0).exitCode shouldBe 0
        }

        test("ls and verify call it neither good nor damaged") {
            val heat = sealed()
            heat.on[0].cairn("ls", "heat.cairn").lines[2] shouldMatch
                " +2 +2 +on its hosts: 'cairn drain' there, or a restart that reaches them, commits it"
            heat.on[0].cairn("verify", "heat.cairn").run {
                exitCode shouldBe 0
                lines[1] shouldBe
                    "save 2: not verified; its data lie on the disks of its hosts: 'cairn drain' there, or a restart " +
                    "that reaches them, commits it"
            }
            heat.on[0].cairn("rm", "heat.cairn", "1").exitCode shouldBe 0
            heat.on[0].cairn("verify", "heat.cairn").run {
                exitCode shouldBe 3
                complaint shouldContain
                    "heat.cairn: it holds no checkpoint. The data of save 2 lie on the disks of its hosts: "
            }
        }

        test("verbs that need a checkpoint say how to get it") {
            val heat = sealed()
            heat.drainByHand(0, "data.sion")
            heat.drainByHand(1, "data.sion.000001")
            val commands =
                listOf(
                    "verify heat.cairn 2",
                    "pin heat.cairn 2",
                    "unpin heat.cairn 2",
                    "recover heat.cairn/2",
                    "adopt heat.cairn/2",
                    "extract heat.cairn/2 u u.npy",
                    "diff heat.cairn/1 heat.cairn/2",
                    "plan heat.cairn/2 --ranks 3",
                )
            for (command in commands) {
                withClue(command) {
                    heat.on[0].cairn(*command.split(' ').toTypedArray()).run {
                        exitCode shouldBe 3
                        complaint shouldBe notYet
                    }
                }
            }
            checkpointStore(heat.on[0].files, HEAT).survey().newestSealed?.number shouldBe 2
        }

        test("rm takes the seal off, and hosts delete what they have of it") {
            val heat = sealed()
            heat.on[0].cairn("rm", "heat.cairn", "2").text shouldBe
                "heat.cairn/000002: deleted. It was complete on its hosts, and no restart takes it from there any " +
                "more; the next start or 'cairn drain' on each host deletes what that has of it.\n"
            checkpointStore(heat.on[0].files, HEAT).survey().sealed.shouldBeEmpty()
            heat.drain(1).text shouldBe "save 2: deleted from this host\n"
        }

        test("a program that runs keeps its sealed saves") {
            val heat = sealed()
            heat.on[0].own().use { owned ->
                val requests = OwnerRequests(heat.on[0].files, HEAT)
                val id = requests.ask(OwnerRequest(owned.identity, SaveChange.REMOVE, 2))
                OwnerRequestHandler(owned, heat.on[0].files).answer()
                requests.answer(id)?.sentence shouldBe
                    "save 2 of heat.cairn is on the disks of its hosts, and the program that runs there may commit " +
                    "it. It is not deleted while that program runs."
            }
        }

        test("explain names what a restart needs") {
            val heat = sealed()
            heat.drainByHand(0, "data.sion")
            heat.on[0]
                .cairn("explain", "heat.cairn")
                .lines
                .last() shouldBe
                "A restart with the same setting local that finds data.sion.000001 on node1 $below commits " +
                "save 2 and continues from it. Any other restart stops, unless lost-local is go-on."
            heat.drainByHand(1, "data.sion.000001")
            heat.on[0]
                .cairn("explain", "heat.cairn")
                .lines
                .last() shouldBe
                "A restart verifies the files of save 2, which are all here, commits it and continues from it. " +
                "For a file that is not good it needs a host that has it, and the same setting local."
        }
    })
