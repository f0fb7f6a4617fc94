package dev.cairn.cli

import dev.cairn.checkpoint.checkpointStore
import dev.cairn.house.ALL
import dev.cairn.house.Campaign
import dev.cairn.proof.local.damage
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.store.SaveNames
import dev.cairn.store.deleteIfThere
import dev.cairn.store.name
import dev.cairn.store.readWhole
import dev.cairn.store.writeNew
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldEndWith
import io.kotest.matchers.string.shouldStartWith
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.file.Path
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CyclicBarrier

/** `cairn drain`, on two hosts that hold a part of a sealed save each. */
class DrainVerbSpec :
    FunSpec({
        suspend fun sealed(last: Long = 2) =
            SealedHeat().apply {
                for (step in 1..last) on[0].save(4, step, fileCount = 2)
                seal(last.toInt())
            }

        fun SealedHeat.requireCommitted(number: Int = 2) {
            on[0].cairn("verify", "heat.cairn", "$number").run { text + complaint } shouldStartWith "save $number: good"
            on[0]
                .files
                .list(
                    HEAT.resolve(SaveNames.directory(number)),
                ).filter { SaveNames.isPart(it.name) }
                .shouldBeEmpty()
        }

        fun SealedHeat.localSaves(host: Int) =
            on[host].files.list(SCRATCH_ME.resolve("cairn-$IDENTITY")).map { it.name }

        val names = listOf("data.sion", "data.sion.000001")

        for (first in 0..1) {
            test("the last of two hosts commits, and both delete their files: node$first is first") {
                val heat = sealed()
                val last = 1 - first
                heat.drain(first).run {
                    exitCode shouldBe 3
                    lines.sorted() shouldBe
                        listOf(
                            "save 2, step 2: ${names[first]}: drained from this host",
                            "save 2, step 2: ${names[last]}: not on this host, but on node$last below /scratch/me/cairn-$IDENTITY",
                            "save 2, step 2: not committed yet: run this command on the other hosts, too",
                        ).sorted()
                }
                heat.localSaves(first) shouldBe listOf("000002")
                heat.drain(last).run {
                    exitCode shouldBe 0
                    lines.sorted() shouldBe
                        listOf(
                            "save 2, step 2: ${names[first]}: drained before",
                            "save 2, step 2: ${names[last]}: drained from this host",
                            "save 2, step 2: committed",
                            "save 2: deleted from this host",
                        ).sorted()
                }
                heat.requireCommitted()
                heat.drain(first).run {
                    exitCode shouldBe 0
                    text shouldBe "save 2: deleted from this host\n"
                }
                (0..1).flatMap { heat.localSaves(it) }.shouldBeEmpty()
                heat.drain(first).run {
                    exitCode shouldBe 0
                    text shouldBe "heat.cairn: no save lies on hosts only, and this one holds nothing of it\n"
                }
            }
        }

        test("a host with copies of all files commits alone") {
            val heat = sealed()
            heat.copy(2)
            heat.drain(1).exitCode shouldBe 0
            heat.requireCommitted()
            heat.localSaves(1).shouldBeEmpty()
        }

        test("a lost seal is written by a host that has a copy of it") {
            val heat = sealed()
            val seal = HEAT.resolve("000002").resolve(SaveNames.SEAL)
            heat.on[0].files.delete(seal)
            heat.on[0].cairn("ls", "heat.cairn").text shouldContain
                "unfinished: its files are complete on its hosts, but it has no seal"
            heat.on[0].cairn("explain", "heat.cairn").run {
                exitCode shouldBe 1
                complaint shouldContain
                    "heat.cairn/000002/sealed.json: it is missing, although the file 'hosts' beside it"
            }
            heat.drain(0).exitCode shouldBe 3
            heat.on[0].files.exists(seal) shouldBe true
            heat.drain(1).exitCode shouldBe 0
            heat.requireCommitted()
        }

        test("a damaged seal of which this host has no copy is named, and nothing is done") {
            val heat = sealed()
            heat.on[0].files.delete(HEAT.resolve("000002").resolve(SaveNames.SEAL))
            heat.on[1].files.delete(heat.partOf(2, SaveNames.MANIFEST))
            heat.drain(1).run {
                exitCode shouldBe 1
                complaint shouldContain "on a host that holds a file of the save writes it."
            }
            heat.localSaves(1) shouldBe listOf("000002")
        }

        test("--json tells the same") {
            val json = sealed().drain(0, "--json").json
            val save =
                json
                    .getValue("saves")
                    .jsonArray
                    .single()
                    .jsonObject
            save.getValue("result").jsonPrimitive.content shouldBe "INCOMPLETE"
            save.getValue("files").jsonArray.map {
                it.jsonObject
                    .getValue("result")
                    .jsonPrimitive.content
            } shouldBe
                listOf("DRAINED", "MISSING")
        }

        test("whichever operation a call is killed at, repeated calls on both hosts commit the save") {
            val whole = KilledAt(sealed().apply { drain(0) }.on[1].files, ALL)
            HeatCheckpoints(whole).cairn("drain", "heat.cairn", "--local", "$SCRATCH_ME").exitCode shouldBe 0
            val operations = Campaign.CRASH_POINTS.someOf((0 until whole.count).toList())
            println("DrainVerbSpec: seed ${Campaign.seed}, killed at ${operations.size} of ${whole.count} operations")
            for (operation in operations) {
                val heat = sealed()
                heat.drain(0)
                val killed = KilledAt(heat.on[1].files, operation)
                // The exception stands for the death of the process, so the lock that it leaves is taken over.
                val run = HeatCheckpoints(killed).cairn("drain", "heat.cairn", "--local", "$SCRATCH_ME")
                withClue("operation $operation: ${run.text}${run.complaint}") {
                    heat.drain(1, "--take-over").run { exitCode shouldBe 0 }
                    heat.drain(0, "--take-over").run { exitCode shouldBe 0 }
                    heat.requireCommitted()
                    (0..1).flatMap { heat.localSaves(it) }.shouldBeEmpty()
                }
            }
        }

        test("two calls at once commit the save once") {
            repeat(20) {
                val heat = sealed()
                val together = CyclicBarrier(2)
                val calls =
                    (0..1).map { host ->
                        CompletableFuture.supplyAsync {
                            together.await()
                            heat.drain(host)
                        }
                    }
                val codes = calls.map { it.get() }
                withClue(codes.joinToString { it.text + it.complaint }) { codes.minOf { it.exitCode } shouldBe 0 }
                heat.requireCommitted()
                (0..1).forEach { heat.drain(it).exitCode shouldBe 0 }
                (0..1).flatMap { heat.localSaves(it) }.shouldBeEmpty()
            }
        }

        test("a damaged file is not drained, and nothing is committed") {
            val heat = sealed()
            heat.on[1].files.damage(heat.partOf(2, names[1]))
            heat.drain(0).exitCode shouldBe 3
            heat.drain(1).run {
                exitCode shouldBe 1
                text shouldContain
                    "save 2, step 2: data.sion.000001: not drained: /scratch/me/cairn-$IDENTITY/000002/data.sion.000001: "
                text shouldContain "save 2, step 2: not committed: a file is damaged\n"
            }
            heat.on[0].cairn("ls", "heat.cairn").text shouldContain "on its hosts"
            heat.localSaves(1) shouldBe listOf("000002")
        }

        fun BlockStore.cut(file: Path) = open(file, Access.READ_WRITE).use { it.resize(it.size() / 2) }

        fun BlockStore.clear(file: Path) =
            open(file, Access.READ_WRITE).use { it.write(0, ByteBuffer.allocate(it.size().toInt())) }

        val damages =
            mapOf<String, BlockStore.(Path) -> Unit>(
                "one changed byte" to { damage(it) },
                "a lost half" to { cut(it) },
                "nothing but zeros" to { clear(it) },
            )
        for ((damage, spoil) in damages) {
            test("a drained file with $damage is drained again by the host that has it") {
                val heat = sealed()
                heat.drain(0).exitCode shouldBe 3
                heat.on[0].files.spoil(HEAT.resolve("000002").resolve(names[0]))
                heat.drain(1).run {
                    exitCode shouldBe 3
                    lines.single { it.startsWith("save 2, step 2: data.sion: ") } shouldContain
                        "not on this host, but on node0 below /scratch/me/cairn-$IDENTITY, and what was drained " +
                        "before is of no use: heat.cairn/000002/data.sion: "
                    text shouldContain "save 2, step 2: not committed yet: run this command on the other hosts, too\n"
                }
                (0..1).map { heat.localSaves(it) } shouldBe List(2) { listOf("000002") }
                heat.drain(0).run {
                    exitCode shouldBe 0
                    text shouldContain
                        "save 2, step 2: data.sion: drained from this host, since what was drained before is of no " +
                        "use: heat.cairn/000002/data.sion: "
                }
                heat.requireCommitted()
            }
        }

        for (loss in listOf("lost", "damaged")) {
            test("a file whose manifest on this host is $loss is drained, since the save was sealed") {
                val heat = sealed()
                heat.drain(0).exitCode shouldBe 3
                val manifest = heat.partOf(2, SaveNames.MANIFEST)
                if (loss == "lost") heat.on[1].files.delete(manifest) else heat.on[1].files.damage(manifest)
                heat.drain(1).exitCode shouldBe 0
                heat.requireCommitted()
            }
        }

        test("a host keeps a file whose manifest it has lost, if the committed one is not the same") {
            val heat = sealed()
            heat.drain(0).exitCode shouldBe 3
            heat.drain(1).exitCode shouldBe 0
            heat.on[0].files.damage(HEAT.resolve("000002").resolve(names[0]))
            heat.on[0].files.delete(heat.partOf(2, SaveNames.MANIFEST))
            heat.drain(0).run {
                exitCode shouldBe 1
                text shouldStartWith "save 2: kept on this host, since heat.cairn/000002/data.sion differs from "
            }
            heat.localSaves(0) shouldBe listOf("000002")
        }

        test("another identity of the directory is named") {
            val heat = sealed()
            val identity = HEAT.resolve(SaveNames.IDENTITY)
            heat.on[0].files.delete(identity)
            heat.on[0].files.writeNew(identity, "00000000-0000-0000".encodeToByteArray())
            heat.drain(0).run {
                exitCode shouldBe 3
                text shouldContain
                    "save 2, step 2: not committed: this call looks for cairn-00000000-0000-0000, by the file " +
                    "'identity' of the directory. Give it its former content, the 18 characters behind 'cairn-' in " +
                    "these places, and call again\n"
            }
        }

        test("the line of a file identity that people have written again may end") {
            val heat = sealed()
            val identity = HEAT.resolve(SaveNames.IDENTITY)
            heat.on[0].files.delete(identity)
            heat.on[0].files.writeNew(identity, "$IDENTITY\n".encodeToByteArray())
            heat.drain(0).exitCode shouldBe 3
            heat.drain(1).exitCode shouldBe 0
            heat.requireCommitted()
        }

        test("a file that is damaged both in the directory and on its host is not committed") {
            val heat = sealed()
            heat.drain(0).exitCode shouldBe 3
            heat.on[0].files.damage(HEAT.resolve("000002").resolve(names[0]))
            heat.on[0].files.damage(heat.partOf(2, names[0]))
            heat.drain(1).exitCode shouldBe 3
            heat.drain(0).run {
                exitCode shouldBe 1
                text shouldContain "data.sion: not drained: /scratch/me/cairn-$IDENTITY/000002/data.sion: "
                text shouldContain "save 2, step 2: not committed: a file is damaged\n"
            }
            (0..1).map { heat.localSaves(it) } shouldBe List(2) { listOf("000002") }
        }

        test("a call whose copy another one deletes takes what that one has drained") {
            val heat = sealed()
            heat.copy(2)
            val faster =
                object : BlockStore by heat.on[1].files {
                    override fun rename(from: Path, to: Path) {
                        // The other call gives its copy the name, and deletes this one.
                        if (to.name == names[1]) heat.on[1].files.rename(from, to)
                        heat.on[1].files.rename(from, to)
                    }
                }
            HeatCheckpoints(faster).cairn("drain", "heat.cairn", "--local", "$SCRATCH_ME").run {
                exitCode shouldBe 0
                lines.sorted() shouldBe
                    listOf(
                        "save 2, step 2: data.sion: drained from this host",
                        "save 2, step 2: data.sion.000001: drained before",
                        "save 2, step 2: committed",
                        "save 2: deleted from this host",
                    ).sorted()
            }
            heat.requireCommitted()
        }

        test("of a save whose files are all in the directory, only the commit is said to be missing") {
            val heat = sealed()
            heat.drain(0).exitCode shouldBe 3
            val part = heat.on[1].files.readWhole(heat.partOf(2, names[1]), Int.MAX_VALUE - 8)
            heat.on[1].files.writeNew(HEAT.resolve("000002").resolve(names[1]), checkNotNull(part))
            heat.on[0].cairn("info", "heat.cairn", "2").lines[0] shouldContain
                "no checkpoint yet: all of its files are here, and the next start or 'cairn drain' verifies and " +
                "commits it"
            heat.on[0].cairn("verify", "heat.cairn").run { text + complaint } shouldContain
                "are all here, and the next start or 'cairn drain' verifies and commits it"
        }

        test("a run that owns the directory drains itself") {
            val heat = sealed()
            heat.on[0].own().use {
                heat.drain(0, "--wait", "0").run {
                    exitCode shouldBe 3
                    complaint shouldStartWith
                        "cairn: heat.cairn belongs to process ${ProcessHandle.current().pid()} on "
                    complaint shouldContain ", which drains its saves itself, so nothing was done."
                }
            }
            heat.localSaves(0) shouldBe listOf("000002")
        }

        test("of several sealed saves the newest is committed, and the parts of older ones are deleted from the host") {
            val heat = sealed(3)
            heat.seal(2)
            heat.drain(0).exitCode shouldBe 3
            heat.drain(1).run {
                exitCode shouldBe 0
                text shouldContain
                    "save 3, step 3: committed\nsave 2: not needed, since save 3 is newer and committed\n"
                text shouldContain "save 2: deleted from this host\n"
            }
            heat.requireCommitted(3)
            heat.localSaves(1).shouldBeEmpty()
            heat.on[0].cairn("info", "heat.cairn/2").run {
                lines[0] shouldBe
                    "sealed    heat.cairn/000002, no checkpoint: not needed, since save 3 is newer and committed"
                text shouldEndWith
                    "\nThe save is not needed, since save 3 is newer and committed: its hosts delete their files.\n"
            }
            heat.on[0].cairn("explain", "heat.cairn").text shouldContain
                "save 2: not needed, since save 3 is newer and committed\n"
        }

        test("if the newest cannot be had, the one before it can") {
            val heat = sealed(3)
            heat.seal(2)
            heat.on[1].files.delete(heat.partOf(3, names[1]))
            heat.drain(0).exitCode shouldBe 3
            heat.drain(1).run {
                exitCode shouldBe 3
                text shouldContain "save 3, step 3: not committed yet"
                text shouldContain "save 2, step 2: committed\n"
            }
            heat.requireCommitted(2)
        }

        test("files of a save that was given up are deleted, and those that may be under way are not") {
            val heat = sealed()
            heat.on[0].own().use {
                it
                    .resume(
                        checkpointStore(heat.on[0].files, HEAT).survey().sealed.single(),
                    ).abandon("lost")
            }
            heat.drain(0).text shouldBe "save 2: deleted from this host\n"
            heat.on[0].own().use { it.begin() }
            heat.on[1].files.makeDirectory(heat.partOf(3, "data.sion").parent)
            val stays = "save 3: has not finished; the next start of its program deletes its files on this host\n"
            heat.drain(1).text shouldBe "save 2: deleted from this host\n$stays"
            heat.drain(1).text shouldBe stays
            heat.localSaves(1) shouldBe listOf("000003")
        }

        test("files that are not those of the committed save stay") {
            val heat = sealed()
            heat.copy(2)
            heat.drain(1).exitCode shouldBe 0
            val manifest = heat.partOf(2, SaveNames.MANIFEST)
            heat.on[0]
                .files
                .open(manifest, Access.READ_WRITE)
                .use { it.resize(10) }
            heat.drain(0).exitCode shouldBe 0
            heat.localSaves(0) shouldBe listOf("000002")
        }

        val losses = damages + ("no name any more" to { file: Path -> delete(file) })
        for ((damage, spoil) in losses) {
            test("a host keeps its file if the committed one has $damage") {
                val heat = sealed()
                heat.drain(0).exitCode shouldBe 3
                heat.drain(1).exitCode shouldBe 0
                heat.on[0].files.spoil(HEAT.resolve("000002").resolve(names[0]))
                heat.drain(0).run {
                    exitCode shouldBe 1
                    text shouldBe
                        "save 2: kept on this host, since heat.cairn/000002/data.sion differs from /scratch/me/" +
                        "cairn-$IDENTITY/000002/data.sion: if 'cairn verify heat.cairn 2' calls it damaged, copy the " +
                        "file of this host there\n"
                }
                heat.localSaves(0) shouldBe listOf("000002")
                val target = HEAT.resolve("000002").resolve(names[0])
                heat.on[0].files.deleteIfThere(target)
                heat.on[0].files.writeNew(target, heat.on[0].read(heat.partOf(2, names[0])).array())
                heat.drain(0).exitCode shouldBe 0
                heat.localSaves(0).shouldBeEmpty()
                heat.requireCommitted()
            }
        }

        test("what is missing is told in one sentence") {
            val heat = sealed()
            heat.on[0].cairn("drain", "heat.cairn", "--local", "/nowhere").run {
                exitCode shouldBe 3
                complaint shouldBe
                    "cairn: /nowhere: there is no such directory on this host. Check the name after --local."
            }
            heat.on[0].files.delete(HEAT.resolve(SaveNames.IDENTITY))
            heat.drain(0).run {
                exitCode shouldBe 3
                complaint shouldBe
                    "cairn: heat.cairn: it has lost its file 'identity', by which hosts keep its saves. 'cairn info " +
                    "heat.cairn 2' shows where save 2 lies: write the 18 characters behind 'cairn-' into the file."
            }
            heat.on[0].cairn("rm", "heat.cairn", "2").exitCode shouldBe 0
            heat.drain(0).run {
                exitCode shouldBe 3
                complaint shouldBe "cairn: heat.cairn: it has no file 'identity', so no host holds a save of it."
            }
        }
    })

/** Fails at an operation, and at all that come after it. */
private class KilledAt(files: BlockStore, private val end: Int) : ForwardingStore(files) {
    var count = 0
        private set

    override fun onOperation(operation: BlockStore.Operation) {
        if (count++ >= end) throw IOException("killed at $operation")
    }
}
