package dev.cairn.proof.netcdf

import dev.cairn.Simulation
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.ExitCode
import dev.cairn.event.shouldBeFor
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.RunFailedException
import dev.cairn.sion.netcdf.NetcdfReader
import dev.cairn.sion.netcdf.Values
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.sion.stripe.Hyperslab
import dev.cairn.store.withParent
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import kotlinx.coroutines.runBlocking
import java.nio.ByteBuffer

/** The files of runs that leave an older save on another course, and of outputs whose saves often have no new record. */
class NetcdfBranchesSpec :
    FunSpec({
        quietly()

        val ways =
            listOf(
                listOf("--wait", "committed"),
                listOf("--wait", "copied"),
                listOf("--dedicated", "total:1"),
                listOf("--wait", "copied", "--stage", "${Waves.STAGE}"),
            )
        val unbrokenPuts by lazy { UnbrokenWaves(Cells.PUT) }
        val keepAll = arrayOf("--keep-last", "99")

        suspend fun SimulatedDisk.runUntil(
            killed: Long,
            waves: Waves,
            vararg arguments: String,
            atStep: suspend Simulation.(Long) -> Unit = {},
        ) = shouldThrow<RunFailedException> {
            waves.run(this, RankPlan(3).withHosts { "node0" }, *keepAll, *arguments) {
                atStep(it)
                check(it != killed) { "killed" }
            }
        }

        fun recordsOf(disk: SimulatedDisk) = NetcdfReader.open(disk.host("any"), Waves.FILE).use { it.recordCount() }

        for (way in ways) {
            test("a restart from a save of another branch goes on with the file of that branch, with $way") {
                val disk = SimulatedDisk().withParent()
                val saves = arrayOf("--every", "1", *way.toTypedArray())
                disk.runUntil(9, Waves(), *saves)
                disk.runUntil(15, Waves(rise = { 2 }), *saves, "--from", "4")
                recordsOf(disk) shouldBe 5
                Waves().run(disk, RankPlan(2), *keepAll, "--from", "7")
                UnbrokenWaves().flawOfEnd(disk) shouldBe null
            }

            test("a run that began anew and saved nothing is not continued by an earlier one, with $way") {
                val disk = SimulatedDisk().withParent()
                disk.runUntil(17, Waves(), "--every", "5", *way.toTypedArray())
                disk.runUntil(17, Waves(rise = { 2 }), "--every", "never", "--fresh") { step ->
                    if (step == 16L) state.netcdfs.single().flush()
                }
                val length = UnbrokenWaves(course = "1".repeat(5 * disk.host("any").committedWaves().last())).size
                val refusal = shouldThrow<RunFailedException> { Waves().run(disk, RankPlan(2)) }
                refusal.cause?.message shouldBe
                    "${Waves.FILE}: the output 'out' should have the $length bytes that it had when the checkpoint " +
                    "was made, but it has other bytes before that length. Nothing was cut: ${Waves.FILE}.1 has them; " +
                    "it was kept when the output began anew. Rename it to waves.nc, and start again."
            }
        }

        for (way in ways) {
            test("a program that is taken over in any step writes nothing into the file of its successor, with $way") {
                for (stopped in 3L..12L) {
                    withClue("stopped in step $stopped") {
                        val disk = SimulatedDisk().withParent()
                        val successor = Waves(rise = { 2 })
                        val plan = RankPlan(3, Schedule.Deterministic(stopped)).withHosts { "node$it" }
                        shouldThrow<RunFailedException> {
                            Waves().run(disk, plan, *keepAll, "--every", "2", *way.toTypedArray()) {
                                if (it == stopped) {
                                    ranks.barrier()
                                    if (rank == ROOT) successor.takeOver(disk)
                                    ranks.barrier()
                                }
                            }
                        }.cause.shouldBeFor<CheckpointException.InUse>(Reason.TAKEN_OVER)
                        UnbrokenWaves(course = successor.course).flawOfEnd(disk) shouldBe null
                    }
                }
            }
        }

        test("records that do not count are in no save: the file that was kept for it comes back") {
            val disk = SimulatedDisk().withParent()
            disk.runUntil(9, Waves(), "--every", "1")
            disk.runUntil(10, Waves(), "--every", "never", "--from", "8") { step ->
                if (step == 9L) state.netcdfs.single().flush()
            }
            recordsOf(disk) shouldBe 4
            disk.host("any").setRecordCount(3)
            Waves().run(disk, RankPlan(2), *keepAll)
            UnbrokenWaves().flawOfEnd(disk) shouldBe null
        }

        test("a power failure while a run makes its file leaves none, or one with its constants") {
            var left = 0
            var before = 0
            do {
                val disk = SimulatedDisk().withParent()
                val fault = DoorFault(disk, Blow.POWER, "${Waves.FILE.fileName}", before++)
                val waves = Waves(until = 1, through = { _, door -> fault.inFrontOf(door) })
                runCatching { waves.run(disk, RankPlan(1), "--every", "never") }
                for (outcome in disk.crashOutcomes()) {
                    val store = disk.afterCrash(outcome).host("any")
                    if (!store.exists(Waves.FILE)) continue
                    left++
                    val constants = ByteArray(5)
                    NetcdfReader.open(store, Waves.FILE).use { it.read("y", Hyperslab.WHOLE, Values.of(constants)) }
                    constants shouldBe byteArrayOf(0, 2, 4, 6, 8)
                }
            } while (fault.hasStruck)
            left shouldBeGreaterThan 0
        }

        for (wait in listOf("committed", "copied", "local")) {
            for (stage in listOf("memory", "${Waves.STAGE}")) {
                test("an output that only gets puts keeps its records, with --wait $wait and what waits in $stage") {
                    for (every in listOf(1, 2, 4)) {
                        withClue("every $every steps") {
                            val disk = SimulatedDisk().withParent()
                            val local = if (wait == "local") arrayOf("--local", "/run/local") else emptyArray()
                            val saves = arrayOf("--every", "$every", "--wait", wait, "--stage", stage, *local)
                            val plan = RankPlan(3).withHosts { "node0" }
                            disk.runUntil(14, Waves(cells = Cells.PUT), *saves)
                            Waves(cells = Cells.PUT)
                                .run(disk, plan, *saves) {
                                    check(it >= 8) { "the run should go on from a late save" }
                                }.distinct() shouldBe listOf(ExitCode.FINISHED)
                            unbrokenPuts.flawOfEnd(disk) shouldBe null
                        }
                    }
                }
            }
        }
    })

/** As a program leaves it that is killed between its records and their number. */
private fun BlockStore.setRecordCount(count: Int) =
    open(Waves.FILE, Access.READ_WRITE).use {
        it.write(4, ByteBuffer.allocate(Int.SIZE_BYTES).putInt(0, count))
    }

/** Nothing else runs meanwhile. */
private fun Waves.takeOver(disk: SimulatedDisk) =
    runBlocking {
        run(disk, RankPlan(2).withHosts { "peer" }, "--take-over").distinct() shouldBe listOf(ExitCode.FINISHED)
    }
