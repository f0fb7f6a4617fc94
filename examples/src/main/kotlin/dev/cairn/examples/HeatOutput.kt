package dev.cairn.examples

import dev.cairn.Simulation
import dev.cairn.simulation
import java.nio.file.Path

/**
 * The program of Heat.kt, which also writes a NetCDF file: FILE, and then the options. With the environment variable `HEAT_STAGE` what
 * waits is kept in that directory of each host.
 */
internal suspend fun main(args: Array<String>) =
    simulation("heat-output", args.drop(1).toTypedArray()) {
        val stage = System.getenv("HEAT_STAGE")?.let(Path::of)
        heat(Path.of(args.first()), size = 512, until = 2_000, every = 50, stage)
    }

/**
 * Appends a record to [file] before each step that is a multiple of [every].
 *
 * @param scratch a directory of each host for what waits; null to let it wait in memory
 */
internal suspend fun Simulation.heat(file: Path, size: Long, until: Long, every: Long, scratch: Path? = null) {
    val u by doubles(rows = size, columns = size, halo = 1) { i, _ -> if (i < 0) 100.0 else 0.0 }
    var time by replicated(0.0)
    // region output
    val out by netcdf(file) {
        stage = scratch
        variable("time", units = "s") { time }
        variable(u, "temperature", units = "degree_Celsius")
    }
    // endregion
    for (step in steps(until)) {
        if (step % every == 0L) out.append()
        u.exchangeHalo()
        u.update { i, j -> u[i, j] + 0.2 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4 * u[i, j]) }
        time = (step + 1) * 0.1
    }
}
