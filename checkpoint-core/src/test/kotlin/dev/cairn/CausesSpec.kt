package dev.cairn

import dev.cairn.cli.Counting
import dev.cairn.cli.HEAT
import dev.cairn.cli.HeatCheckpoints
import dev.cairn.event.CheckpointEvent.Restored
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.ExitCode
import dev.cairn.event.shouldBeFor
import dev.cairn.event.shouldThrowFor
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.BlockStore.Operation.Kind
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.Codecs
import dev.cairn.state.ElementType
import dev.cairn.store.Manifest
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import java.io.IOException
import kotlin.io.path.createDirectory
import kotlin.io.path.deleteExisting
import kotlin.io.path.writeText

/** Damage leads to an older checkpoint, trouble with the disk is told apart, and neither is taken for the other. */
class CausesSpec :
    FunSpec({
        quietly()
        val directory = tempdir().toPath()

        /** Two saves of three ranks, whose manifests were written as [change] says, with the right checksums everywhere. */
        suspend fun saved(change: (Manifest) -> Manifest) =
            HeatCheckpoints(change = change).apply {
                for (step in 1L..2) {
                    save(3, step, HEAT, 1) { rank, _ ->
                        replicated("time", Codecs.LONG, { step }, {})
                        table("rows") {
                            column("id", { longArrayOf(10 * step + rank) }, {})
                            positionFree()
                        }
                        stream("log", { it.write("$rank of $step".encodeToByteArray()) }, {})
                    }
                }
            }

        /** What is restored, by each rank, and what it has then. */
        suspend fun restored(files: BlockStore) =
            ranks(3) {
                var time = 0L
                var ids = longArrayOf()
                var log = ""
                val restored =
                    checkpoints(HEAT, files = files) {
                        replicated("time", Codecs.LONG, { time }, { time = it })
                        table("rows") {
                            column("id", { ids }, { ids = it })
                            positionFree()
                        }
                        stream("log", { }, { log = it.readBytes().decodeToString() })
                    }.use { it.restore() }
                listOf(restored?.number, time, ids.toList(), log)
            }

        for ((what, change) in WRONG) {
            test("a checkpoint whose $what leads back to the one before, on all ranks, and explain agrees") {
                val heat = saved { if (it.save == 2) change(it) else it }
                restored(heat.files) shouldBe List(3) { listOf(1, 1L, listOf(10L + it), "$it of 1") }
                heat.cairn("explain", "heat.cairn").run {
                    lines[0] shouldStartWith "save 2: rejected: heat.cairn/000002/data.sion: "
                    lines.last() shouldBe "A restart continues from save 1."
                }
                heat.cairn("verify", "heat.cairn").lines[1] shouldStartWith "save 2: damaged; "
            }
        }

        test("an item with a wrong digest does not lead to the state of another step") {
            val heat = saved { manifest -> if (manifest.save == 2) withDigest(manifest, "time") else manifest }
            heat.cairn("rm", "heat.cairn", "1").exitCode shouldBe 0
            ranks(1) {
                shouldThrowFor<CheckpointException.Damaged>(Reason.NONE_GOOD) {
                    checkpoints(HEAT, files = heat.files) {
                        replicated("time", Codecs.LONG, { 0L }, {})
                        removed("rows")
                        removed("log")
                    }.use { it.restore() }
                }.message shouldContain
                    "'time' should have the digest"
            }
        }

        test("data that cannot be read now are passed over, and never called damaged") {
            val count = Counting().apply { run(1, 2) }
            val newest = Counting(Failing(count.files) { it.isRead("000002/data.sion") })
            newest.run() shouldBe Restored(1, 1, 2)
            newest.rejected.single().reason shouldContain "planned trouble"
            val none = Counting(Failing(count.files) { it.isRead("data.sion") })
            none.refusal().shouldBeFor<CheckpointException.Unreadable>(Reason.NONE_GOOD).message shouldContain
                "none is good. Not all are damaged: some cannot be read now. Make them readable, and start again."
            none.simulate(9) shouldBe (ExitCode.UNREADABLE to null)
            none.cairn("explain", "heat.cairn").run {
                lines[0] shouldStartWith "save 2: cannot be read now: "
                lines.last() shouldBe "A restart stops: there are checkpoints, but no good one can be read now."
            }
            count.run() shouldBe Restored(2, 2, 2)
        }

        test("a directory that cannot be listed stops a restart, since nothing tells what it holds") {
            val count = Counting().apply { run(1, 2) }
            val shut = Counting(Failing(count.files) { it.kind() == Kind.LIST && it.path().endsWith("000002") })
            shut.refusal().shouldBeFor<CheckpointException.Unreadable>(Reason.NONE_GOOD)
        }

        test("where one rank alone cannot read, all ranks go back to the one before") {
            val disk = SimulatedDisk()
            val failing = Failing(disk.host("node1")) { it.isRead("000002/data.sion") }
            ranks(RankPlan(2, hosts = { "node$it" })) {
                val own = Decomposition.rows(LARGE, size).boxes(rank).single()
                val cells = LongArray(own.cellCount().toInt())

                suspend fun open(files: BlockStore) =
                    checkpoints(HEAT, files = files) { field("u", LARGE, ElementType.LONG) { block(own, cells) } }
                open(disk.host(host)).use {
                    for (step in 1L..2) {
                        cells.fill(step)
                        it.save(step)
                    }
                }
                open(if (rank == 0) disk.host(host) else failing).use { it.restore() shouldBe Restored(1, 1, 2) }
                cells.distinct() shouldBe listOf(1L)
            }
        }

        test("an output that cannot be read is not the checkpoint's fault, and has its own exit code") {
            val output = directory.resolve("energies.txt")

            suspend fun run(until: Long) =
                runSimulation("x", arrayOf("--dir", "${directory.resolve("x.cairn")}", "--every", "1")) {
                    var n by replicated(0L)
                    val energies by output(output)
                    for (step in steps(until)) {
                        n = step
                        energies.line("step $step")
                    }
                }
            run(3) shouldBe ExitCode.FINISHED
            output.deleteExisting()
            output.createDirectory().resolve("in the way").writeText("")
            run(5) shouldBe ExitCode.UNREADABLE
        }

        test("trouble with the program's own files while it takes a stream is no damage") {
            val heat = saved { it }
            ranks(3) {
                shouldThrowFor<CheckpointException.Mismatch>(Reason.PROGRAM) {
                    checkpoints(HEAT, files = heat.files) {
                        stream("log", { }, { throw IOException("the program's own file") })
                        removed("time")
                        removed("rows")
                    }.use { it.restore() }
                }.message shouldBe
                    "the stream 'log' cannot be restored: the program's own code for it threw java.io.IOException: " +
                    "the program's own file. The checkpoint is not damaged: let that code take what was saved, or " +
                    "declare removed(\"log\") and give the item another name."
            }
        }
    })

/** Its data are more than what is read with the meta data. */
private val LARGE = Shape.of(400_000)

/** What a manifest can say wrong although all its checksums are right. */
private val WRONG: List<Pair<String, (Manifest) -> Manifest>> =
    listOf(
        "digest of a value is wrong" to { manifest -> withDigest(manifest, "time") },
        "digest of a table is wrong" to { manifest -> withDigest(manifest, "rows") },
        "digest of a stream is wrong" to { manifest -> withDigest(manifest, "log") },
        "count of bytes is wrong" to { manifest ->
            manifest.copy(items = manifest.items.map { it.copy(byteCount = it.byteCount + 1) })
        },
        "count of rows is wrong" to { manifest ->
            manifest.copy(items = manifest.items.map { if (it.kind == "table") it.copy(elementCount = 4) else it })
        },
        "count of elements of a value is wrong" to { manifest ->
            manifest.copy(items = manifest.items.map { if (it.name == "time") it.copy(elementCount = 9) else it })
        },
    )

private fun withDigest(manifest: Manifest, name: String) =
    manifest.copy(items = manifest.items.map { if (it.name == name) it.copy(digest = "0".repeat(32)) else it })

private fun BlockStore.Operation.isRead(end: String) = kind() == Kind.READ && "${path()}".endsWith(end)

/** Some of its operations fail. */
private class Failing(target: BlockStore, private val fails: (BlockStore.Operation) -> Boolean) :
    ForwardingStore(target) {
    override fun onOperation(operation: BlockStore.Operation) {
        if (fails(operation)) throw IOException("planned trouble with $operation")
    }
}
