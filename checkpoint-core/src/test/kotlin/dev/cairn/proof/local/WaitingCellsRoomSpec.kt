package dev.cairn.proof.local

import dev.cairn.NetcdfOutput
import dev.cairn.checkpoints
import dev.cairn.grid.Box
import dev.cairn.grid.Shape
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.DrainRule
import dev.cairn.options.OnFull
import dev.cairn.options.Wait
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.ranks
import dev.cairn.sion.netcdf.NetcdfReader
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.ElementType
import dev.cairn.store.withParent
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import java.util.Collections

/** Saves on the disks of hosts hold what waits for a NetCDF file, so each would need more than the last. */
class WaitingCellsRoomSpec :
    FunSpec({
        quietly()

        test("cells for which a host has no room are written into their file, and no save is skipped") {
            val disk = SimulatedDisk().withParent()
            val file = Path.of("/run/v.nc")
            val outcomes = Collections.synchronizedList(mutableListOf<String>())
            val options =
                CheckpointOptions {
                    wait = Wait.LOCAL
                    local = Path.of("/run/local")
                    drain = DrainRule.none()
                    localLimit = 40_000
                    onFull = OnFull.SKIP
                    listener { outcomes += it.kind }
                }
            ranks(RankPlan(2).withHosts { "node0" }) {
                val own = Box.of(longArrayOf(512L * rank), longArrayOf(512))
                lateinit var out: NetcdfOutput
                checkpoints(Path.of("/run/m.cairn"), options, disk.host(host)) {
                    out =
                        netcdf(file, disk.host(host)) {
                            variable("v", Shape.of(1024L), ElementType.DOUBLE) { block(own, DoubleArray(512) { 1.0 }) }
                        }.named("out").value
                }.use {
                    it.restore()
                    for (step in 1L..12) {
                        out.append()
                        it.trySave(step)
                    }
                    out.recordCount shouldBeGreaterThan 0
                    out.flush()
                }
            }
            outcomes shouldNotContain "Skipped"
            NetcdfReader.open(disk.host("node0"), file).use { it.recordCount() shouldBe 12 }
        }
    })
