package dev.cairn.mpi

import dev.cairn.house.Campaign
import dev.cairn.house.needs
import dev.cairn.proof.netcdf.WavesKills
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import java.util.concurrent.TimeUnit.MINUTES
import kotlin.random.Random

/** Jobs that write a NetCDF file die by SIGKILL: one process of them, so that `mpirun` ends the others, or all at once. */
class MpiNetcdfKillSpec :
    FunSpec({
        val trials = (Campaign.KILLS.count + 1) / 2

        test("after $trials kills under mpirun the files are that of a job that was not killed").config(
            enabledOrReasonIf = needs { MpiRun.isThere },
        ) {
            val seed = Campaign.seed
            val random = Random(seed)

            fun start(rankCount: Int, arguments: List<String>) =
                MpiWay.chosen.random(random).start(rankCount, WAVES, *arguments.toTypedArray())
            val kills =
                WavesKills(
                    tempdir().toPath(),
                    random,
                    Campaign.PROCESSES.limit(4),
                    ::start,
                ) { it.killProcesses(random) }
            while (kills.count < trials) kills.killAndGoOn()
            println("MpiNetcdfKillSpec, seed $seed: $kills")
            kills.wrong.shouldBeEmpty()
        }
    })

private const val WAVES = "dev.cairn.proof.netcdf.WavesProcessKt"

private fun Process.killProcesses(random: Random) {
    val ranks = MpiRun.processes(this)
    val victims = if (random.nextBoolean()) ranks + toHandle() else ranks.shuffled(random).take(1)
    victims.forEach { it.destroyForcibly() }
    ranks.forEach { it.onExit().get(1, MINUTES) }
    check(waitFor(1, MINUTES)) { "$this does not die" }
}
