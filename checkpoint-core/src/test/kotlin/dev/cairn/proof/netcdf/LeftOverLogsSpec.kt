package dev.cairn.proof.netcdf

import dev.cairn.grid.Box
import dev.cairn.grid.Shape
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.ranks
import dev.cairn.simulate
import dev.cairn.sion.netcdf.NetcdfReader
import dev.cairn.sion.pnetcdf.BurstExport
import dev.cairn.sion.pnetcdf.BurstLogName
import dev.cairn.sion.pnetcdf.BurstLogSet
import dev.cairn.sion.pnetcdf.BurstReplay
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.CrashOutcome
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.ElementType
import dev.cairn.store.PARENT
import dev.cairn.store.withParent
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe

/** What a killed program left in its logs is exported as logs of PnetCDF, which are replayed into its file. */
class LeftOverLogsSpec :
    FunSpec({
        quietly()

        suspend fun unbroken(): ByteArray {
            val disk = SimulatedDisk().withParent()
            grid(disk, rankCount = 1)
            return disk.files.bytesOf(Waves.FILE)
        }

        suspend fun killed(): SimulatedDisk {
            val disk = SimulatedDisk().withParent()
            var killed = disk
            grid(disk, rankCount = 2) { step ->
                if (step == 3L) killed = disk.afterCrash(CrashOutcome.losing(emptySet()))
            }
            return killed
        }

        test("a replay of left-over logs brings the records that the file of a killed program lacks") {
            val disk = killed()
            disk.recordCount() shouldBe 2
            disk.files.replayLogs()
            disk.recordCount() shouldBe 4
            disk.files.bytesOf(Waves.FILE).contentEquals(unbroken()) shouldBe true
        }

        test("a restart cuts back what was replayed, and ends with the file of an unbroken run") {
            val disk = killed()
            disk.files.replayLogs()
            grid(disk, rankCount = 3)
            disk.files.bytesOf(Waves.FILE).contentEquals(unbroken()) shouldBe true
        }
    })

private val SimulatedDisk.files: BlockStore get() = host("any")

private fun SimulatedDisk.recordCount() = NetcdfReader.open(files, Waves.FILE).use { it.recordCount() }

/** Four records, of which two are in the file when the last one is appended; each rank's cells of one are in its log at once. */
private suspend fun grid(disk: SimulatedDisk, rankCount: Int, atStep: (Long) -> Unit = {}) =
    ranks(rankCount) {
        val ofRank = CELLS / size + if (rank == 0) CELLS % size else 0
        val start = if (rank == 0) 0 else CELLS - ofRank * (size - rank)
        simulate("grid", arrayOf("--dir", "$PARENT/grid.cairn", "--every", "2"), files = disk.host("any")) {
            var time by replicated(0.0)
            val out by netcdf(Waves.FILE) {
                stage = Waves.STAGE
                variable("time") { time }
                variable("u", Shape.of(CELLS), ElementType.DOUBLE) {
                    block(
                        Box.of(longArrayOf(start), longArrayOf(ofRank)),
                        DoubleArray(ofRank.toInt()) { time + start + it },
                    )
                }
            }
            for (step in steps(until = 4)) {
                time += 0.5
                out.append()
                this@ranks.barrier()
                if (rank == 0) atStep(step)
                this@ranks.barrier()
            }
        }
    }

/** On each of two ranks 1 MiB. */
private const val CELLS = 262_144L

private fun BlockStore.replayLogs() {
    val directory = PARENT.resolve("bb").also(::makeDirectory)
    BurstExport.open(this, Waves.FILE, list(Waves.STAGE)).run(directory) { }
    BurstLogSet.open(this, BurstLogName.listIn(this, directory)).use { set ->
        set.losses().shouldBeEmpty()
        set.conflicts().shouldBeEmpty()
        BurstReplay.open(this, Waves.FILE, set).use { it.run(BurstReplay.OverlapOrder.LAST) { }.shouldBeEmpty() }
    }
}
