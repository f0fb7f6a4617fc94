package dev.cairn.proof.netcdf

import dev.cairn.house.Campaign
import dev.cairn.house.OUTSIDE
import dev.cairn.house.needs
import dev.cairn.sion.netcdf.NetcdfTools
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path
import java.util.concurrent.TimeUnit.MINUTES
import kotlin.random.Random

/**
 * Real processes that write a NetCDF file die by SIGKILL, wherever the signal reaches them, and go on with other ranks. `-Dcairn.seed=N`
 * repeats their numbers of ranks, and the operations after which the signal is sent.
 */
@Tags(OUTSIDE)
class NetcdfKillSpec :
    FunSpec({
        val seed = Campaign.seed
        val kills by lazy { WavesKills(tempdir().toPath(), Random(seed), most = 6, ::startJvm) { it.killAlone() } }

        test(
            "after ${Campaign.KILLS.count} kills the files are byte for byte that of a program that was not killed",
        ) {
            while (kills.count < Campaign.KILLS.count) kills.killAndGoOn()
            println("NetcdfKillSpec, seed $seed: $kills")
            kills.wrong.shouldBeEmpty()
        }

        test("NetCDF's own programs read the file").config(enabledOrReasonIf = needs { NetcdfTools.areThere() }) {
            NetcdfTools.ncdump("-v", "time", "${kills.unbroken}") shouldContain
                "time = 0.1, 0.4, 0.7, 1, 1.3, 1.6, 1.9 ;"
        }
    })

private fun startJvm(rankCount: Int, arguments: List<String>): Process {
    val java = Path.of(System.getProperty("java.home"), "bin", "java").toString()
    val program = listOf("-cp", System.getProperty("java.class.path"), "dev.cairn.proof.netcdf.WavesProcessKt")
    val options = listOf("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
    return ProcessBuilder(listOf(java) + options + program + arguments + listOf("--ranks", "$rankCount"))
        .redirectErrorStream(true)
        .start()
}

private fun Process.killAlone() {
    // By its handle: the process itself would close the pipe, and with it what was said.
    toHandle().destroyForcibly()
    check(waitFor(1, MINUTES)) { "$this does not die" }
}
