package dev.cairn.proof.netcdf

import dev.cairn.Simulation
import dev.cairn.comm.plan.RankPlan
import dev.cairn.comm.plan.RunFailedException
import dev.cairn.event.ExitCode
import dev.cairn.proof.log.quietly
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.withParent
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

/** The files of runs that leave an older save on another course, and of outputs whose saves often have no new record. */
class NetcdfBranchesSpec :
    FunSpec({
        quietly()

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

        for (wait in listOf("committed", "copied", "local")) {
            for (stage in listOf("memory", "${Waves.STAGE}")) {
                test("an output that only gets puts keeps its records, with --wait $wait and what waits in $stage") {
                    for (every in 1..4) {
                        withClue("every $every steps") {
                            val disk = SimulatedDisk().withParent()
                            val local = if (wait == "local") arrayOf("--local", "/run/local") else emptyArray()
                            val saves = arrayOf("--every", "$every", "--wait", wait, "--stage", stage, *local)
                            val plan = RankPlan(3).withHosts { "node0" }
                            disk.runUntil(14, Waves(cells = Cells.PUT), *saves)
                            Waves(cells = Cells.PUT).run(disk, plan, *saves) {
                                check(it >= 8) { "the run should go on from a late save" }
                            }.distinct() shouldBe listOf(ExitCode.FINISHED)
                            UnbrokenWaves(Cells.PUT).flawOfEnd(disk) shouldBe null
                        }
                    }
                }
            }
        }
    })
