package dev.cairn.proof.netcdf

import dev.cairn.Checkpoints
import dev.cairn.NetcdfOutput
import dev.cairn.checkpoints
import dev.cairn.event.CheckpointException
import dev.cairn.event.ExitCode
import dev.cairn.event.SaveOutcome
import dev.cairn.grid.Box
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.DrainRule
import dev.cairn.options.Wait
import dev.cairn.proof.log.loggedBy
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RunFailedException
import dev.cairn.ranks.ranks
import dev.cairn.simulate
import dev.cairn.sion.netcdf.NetcdfReader
import dev.cairn.sion.netcdf.NetcdfType
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.CrashOutcome
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.sion.stripe.Hyperslab
import dev.cairn.state.ElementType
import dev.cairn.store.withParent
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.file.Path

/** What is put waits in logs on the disks of hosts. */
class LoggedOutputSpec :
    FunSpec({
        quietly()
        val unbroken = UnbrokenWaves()

        test("ranks whose disks have no room for their logs send their cells, and the file is the same") {
            for (room in listOf(0L, 100, 1_000, 3_000)) {
                val disk = SimulatedDisk().withParent()
                Waves(stage = Waves.STAGE, through = { host, door ->
                    if (host ==
                        "node1"
                    ) {
                        NarrowStage(door, room)
                    } else {
                        door
                    }
                })
                    .run(disk, RankPlan(4).withHosts { "node${it % 2}" }, "--every", "10")
                unbroken.flawOfEnd(disk) shouldBe null
            }
        }

        test("a record that reached its log although the append failed, and could not be cut off, counts once") {
            for (room in listOf(100L, 500, 1_000, 3_000)) {
                val disk = SimulatedDisk().withParent()
                Waves(stage = Waves.STAGE, through = { host, door ->
                    if (host ==
                        "node1"
                    ) {
                        UncutStage(door, room)
                    } else {
                        door
                    }
                })
                    .run(disk, RankPlan(4).withHosts { "node${it % 2}" }, "--every", "10")
                unbroken.flawOfEnd(disk) shouldBe null
            }
        }

        test("a scratch disk that stays full costs no run: the ranks flush before too many cells wait in memory") {
            val disk = SimulatedDisk().withParent()
            ranks(2) {
                val files = NarrowStage(disk.host(host), room = 0)
                simulate("full", arrayOf("--dir", "/run/full.cairn"), files = files) {
                    val v by doubles(Decomposition.rows(Shape.of(2000), size)) { (i) -> i.toDouble() }
                    val out by netcdf(Waves.FILE) {
                        stage = Waves.STAGE
                        memory = 1 shl 12
                        variable(v, "v")
                    }
                    for (step in steps(until = 300)) out.append()
                } shouldBe ExitCode.FINISHED
            }
            NetcdfReader.open(disk.host("any"), Waves.FILE).use { it.recordCount() shouldBe 300 }
        }

        test("settings say where an output waits, whatever it declares") {
            val logged = SimulatedDisk().withParent()
            Waves().run(logged, RankPlan(2), "--stage", "${Waves.STAGE}")
            logged.host("any").exists(Waves.STAGE) shouldBe true
            unbroken.flawOfEnd(logged) shouldBe null
            val inMemory = SimulatedDisk().withParent()
            Waves(stage = Waves.STAGE).run(inMemory, RankPlan(2), "--stage", "memory")
            inMemory.host("any").exists(Waves.STAGE) shouldBe false
            unbroken.flawOfEnd(inMemory) shouldBe null
        }

        test("a setting says how much of an output waits in logs") {
            val disk = SimulatedDisk().withParent()
            val settings = arrayOf("--dir", "/run/steps.cairn", "--stage", "${Waves.STAGE}", "--stage-room", "16")
            ranks(1) {
                simulate("steps", settings, files = disk.host(host)) {
                    val out by netcdf(Waves.FILE) { variable("step") { 1.0 } }
                    for (step in steps(until = 5)) {
                        out.append()
                        NetcdfReader.open(state.files, Waves.FILE).use { it.recordCount() shouldBe step / 2 * 2 }
                    }
                }
            }
        }

        test("a byte that changes in a log does not reach the file") {
            val disk = SimulatedDisk().withParent()
            val failure =
                shouldThrow<RunFailedException> {
                    probes(disk) { out, rank ->
                        out.putHalf(rank)
                        if (rank == 1) disk.host("any").changeLastByte()
                        out.flush()
                    }
                }
            failure.message shouldContain "no later save of this run can succeed"
            failure.message shouldContain "s000000.log"
            NetcdfReader.open(disk.host("any"), Waves.FILE).use { it.recordCount() shouldBe 0 }
        }

        test("where one rank has no room for its log, a byte that changes in that of another is told by both") {
            val disk = SimulatedDisk().withParent()
            val told = arrayOfNulls<String>(2)
            val door = { rank: Int -> if (rank == 0) NarrowStage(disk.host("any"), room = 0) else disk.host("any") }
            shouldThrow<RunFailedException> {
                probes(disk, door) { out, rank ->
                    out.putHalf(rank)
                    if (rank == 1) disk.host("any").changeLastByte()
                    told[rank] = runCatching { out.flush() }.exceptionOrNull()?.message
                }
            }.message shouldContain "no later save of this run can succeed"
            told[0] shouldContain "s000000.log"
            told[1] shouldBe told[0]
        }

        test("a log that is gone is missed") {
            val disk = SimulatedDisk().withParent()
            val failure =
                shouldThrow<RunFailedException> {
                    probes(disk) { out, rank ->
                        out.putHalf(rank)
                        if (rank == 1) disk.host("any").deleteLogs()
                        out.flush()
                    }
                }
            failure.message shouldContain
                "cells that wait in this log are lost, so no later save of this run can succeed. Start the " +
                "program again: it goes on from its last checkpoint. The reason: the log of rank 1 should have 2 " +
                "records, but 0 of it can be read."
        }

        test("a log that cannot be read once costs a save, and the next one has its cells") {
            val disk = SimulatedDisk().withParent()
            var isFailing = false
            val door =
                object : ForwardingStore(disk.host("any")) {
                    override fun onOperation(operation: BlockStore.Operation) {
                        if (!isFailing || operation.kind() != BlockStore.Operation.Kind.READ) return
                        if ("${operation.path()}".endsWith(".log")) throw IOException("Input/output error")
                    }
                }
            logged(door) { out, checkpoints ->
                out.putHalf(rank = 0)
                isFailing = true
                checkpoints.trySave(1).shouldBeInstanceOf<SaveOutcome.Failed>().reason shouldContain
                    "Input/output error"
                isFailing = false
                checkpoints.save(2)
            }
            NetcdfReader.open(disk.host("any"), Waves.FILE).use { it.recordCount() shouldBe 1 }
        }

        test("a log that has lost cells ends the program, since no save could succeed") {
            val disk = SimulatedDisk().withParent()
            shouldThrow<CheckpointException.NotSaved> {
                logged(disk.host("any")) { out, checkpoints ->
                    out.putHalf(rank = 0)
                    disk.host("any").run { logs().forEach(::delete) }
                    checkpoints.trySave(1)
                }
            }.message shouldContain "cells that wait in this log are lost, so no later save of this run can succeed"
        }

        test("a cell that two ranks put is named") {
            val failure =
                shouldThrow<RunFailedException> {
                    probes(SimulatedDisk().withParent()) { out, rank ->
                        out.put("probes", 1, Box.of(longArrayOf(3L * rank), longArrayOf(4)), ByteArray(4))
                        out.flush()
                    }
                }
            failure.message shouldContain
                "ranks 0 and 1 have both put cell [3] of record 1 of variable 'probes'. Let each cell have one owner"
        }

        test("a program that restores twice puts what its save holds once, and all of it") {
            val disk = SimulatedDisk().withParent()
            val options =
                CheckpointOptions {
                    wait = Wait.LOCAL
                    local = Path.of("/run/local")
                    drain = DrainRule.none()
                }

            suspend fun restoring(times: Int, body: suspend (NetcdfOutput, Checkpoints) -> Unit) =
                ranks(RankPlan(2).withHosts { "node0" }) {
                    var out: NetcdfOutput? = null
                    checkpoints(Path.of("/run/twice.cairn"), options, disk.host(host)) {
                        out =
                            netcdf(Waves.FILE, disk.host(host)) {
                                stage = Waves.STAGE
                                variable("v", Shape.of(2L), ElementType.DOUBLE) {
                                    block(Box.of(longArrayOf(rank.toLong()), longArrayOf(1)), doubleArrayOf(7.0 + rank))
                                }
                            }.named("out").value
                    }.use {
                        repeat(times) { _ -> it.restore() }
                        body(checkNotNull(out), it)
                    }
                }
            restoring(times = 1) { out, checkpoints ->
                out.append()
                checkpoints.saveAsync(1)
            }
            restoring(times = 2) { out, _ ->
                out.recordCount shouldBe 0
                out.flush()
            }
            NetcdfReader.open(disk.host("any"), Waves.FILE).use {
                it.readDoubles("v", Hyperslab.WHOLE).toList() shouldBe listOf(7.0, 8.0)
            }
        }

        test("logs whose records a save has written in the background are deleted at its end") {
            val disk = SimulatedDisk().withParent()
            ranks(2) {
                var out: NetcdfOutput? = null
                val own = Box.of(longArrayOf(rank.toLong()), longArrayOf(1))
                checkpoints(Path.of("/run/own.cairn"), files = disk.host(host)) {
                    out =
                        netcdf(Waves.FILE, disk.host(host)) {
                            stage = Waves.STAGE
                            variable("v", Shape.of(2L), ElementType.DOUBLE) { block(own, doubleArrayOf(7.0)) }
                        }.named("out").value
                }.use {
                    it.restore()
                    checkNotNull(out).append()
                    it.saveAsync(1)
                }
            }
            NetcdfReader.open(disk.host("any"), Waves.FILE).use { it.recordCount() shouldBe 1 }
            disk.host("any").list(Waves.STAGE) shouldBe emptyList()
            disk.openFiles() shouldBe emptyList()
        }

        test("files of others stay in the directory of the logs, whatever their names begin with") {
            val disk = SimulatedDisk().withParent()
            var killed = disk
            probes(disk) { out, rank ->
                out.putHalf(rank)
                killed = disk.afterCrash(CrashOutcome.losing(emptySet()))
            }
            val files = killed.host("any")
            val log = files.list(Waves.STAGE).first()
            val notes = log.resolve("notes")
            val others = log.resolveSibling("${log.fileName}.mine")
            files.create(notes).close()
            files.makeDirectory(others)
            files.create(others.resolve("thesis")).close()
            probes(killed) { out, rank -> out.putHalf(rank) }
            files.exists(notes) shouldBe true
            files.exists(others.resolve("thesis")) shouldBe true
        }

        test("a program that ends with records that are not in the file says so") {
            val disk = SimulatedDisk().withParent()
            val lines =
                loggedBy {
                    ranks(1) {
                        var out: NetcdfOutput? = null
                        checkpoints(Path.of("/run/own.cairn"), files = disk.host(host)) {
                            out =
                                netcdf(Waves.FILE, disk.host(host)) { variable("v") { 1.0 } }.named("out").value
                        }.use {
                            it.restore()
                            repeat(3) { checkNotNull(out).append() }
                        }
                    }
                }
            lines.filter { "WARNING" in it }.single() shouldContain
                "records 0 to 2, which were put after the last save or flush, are not in the file"
        }

        test("cells that wait when it is killed are deleted by the next run") {
            val disk = SimulatedDisk().withParent()
            var killed = disk
            probes(disk) { out, rank ->
                out.putHalf(rank)
                killed = disk.afterCrash(CrashOutcome.losing(emptySet()))
            }
            killed.host("any").logs().shouldNotBeEmpty()
            probes(killed) { out, rank -> out.putHalf(rank) }
            killed.host("any").list(Waves.STAGE) shouldBe emptyList()
        }
    })

/** One rank with checkpoints of its own, and an output that waits in logs. */
private suspend fun logged(files: BlockStore, body: suspend (NetcdfOutput, Checkpoints) -> Unit) =
    ranks(1) {
        lateinit var out: NetcdfOutput
        checkpoints(Path.of("/run/own.cairn"), files = files) {
            out =
                netcdf(Waves.FILE, files) {
                    stage = Waves.STAGE
                    variable("probes", NetcdfType.BYTE, Shape.of(2L shl 20))
                }.named("out").value
        }.use {
            it.restore()
            body(out, it)
        }
    }

/** Two ranks with a variable of 2 MiB, into which they put. */
private suspend fun probes(
    disk: SimulatedDisk,
    files: (rank: Int) -> BlockStore = { disk.host("any") },
    body: suspend (NetcdfOutput, rank: Int) -> Unit,
) = ranks(2) {
    simulate("probes", arrayOf("--dir", "/run/probes.cairn"), files = files(rank)) {
        val (file, scratch) = Waves.FILE to Waves.STAGE
        // region stage
        val out by netcdf(file) {
            stage = scratch
            variable("probes", NetcdfType.BYTE, Shape.of(2L shl 20))
        }
        // endregion
        for (step in steps(until = 1)) body(out, rank)
    }
}

/** So much that it is in the log when this returns. */
private fun NetcdfOutput.putHalf(rank: Int) {
    val size = 1L shl 20
    put("probes", 0, Box.of(longArrayOf(rank * size), longArrayOf(size)), ByteArray(size.toInt()) { 1 })
}

private fun BlockStore.logs(): List<Path> = list(Waves.STAGE).flatMap(::list)

private fun BlockStore.deleteLogs() = logs().filter { ".1.0" in "$it" }.forEach(::delete)

private fun BlockStore.changeLastByte() {
    val log = logs().first { ".1.0" in "$it" }
    open(log, Access.READ_WRITE).use { it.write(it.size() - 5, ByteBuffer.wrap(byteArrayOf(7))) }
}

/** A disk with room for [room] bytes of logs. */
private class NarrowStage(private val target: BlockStore, private var room: Long) : BlockStore by target {
    override fun create(file: Path): BlockFile {
        val created = target.create(file)
        return if (file.startsWith(Waves.STAGE)) Narrow(created) else created
    }

    private inner class Narrow(private val file: BlockFile) : BlockFile by file {
        override fun write(position: Long, source: ByteBuffer) {
            room -= source.remaining()
            if (room < 0) throw IOException("No space left on device")
            file.write(position, source)
        }
    }
}

/** A store whose logs fail at [room] bytes: the write that fails reaches the file all the same, and the file cannot be cut. */
private class UncutStage(private val target: BlockStore, private var room: Long) : BlockStore by target {
    override fun create(file: Path): BlockFile {
        val created = target.create(file)
        return if (file.startsWith(Waves.STAGE)) Uncut(created) else created
    }

    private inner class Uncut(private val file: BlockFile) : BlockFile by file {
        override fun write(position: Long, source: ByteBuffer) {
            room -= source.remaining()
            file.write(position, source)
            if (room < 0) throw IOException("Input/output error")
        }

        override fun resize(size: Long) = throw IOException("Input/output error")
    }
}
