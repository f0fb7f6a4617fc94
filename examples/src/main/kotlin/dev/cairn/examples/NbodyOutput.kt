package dev.cairn.examples

import dev.cairn.Simulation
import dev.cairn.simulation
import java.nio.file.Path

/** The program of Nbody.kt, which also writes a NetCDF file: FILE, and then the options. */
internal suspend fun main(args: Array<String>) =
    simulation("nbody-output", args.drop(1).toTypedArray()) { nbody(Path.of(args.first()), until = 1_000, every = 10) }

// region output

/** Before each step that is a multiple of [every], appends the places of all particles to [file], in the order of their ids. */
internal suspend fun Simulation.nbody(file: Path, until: Long, every: Long) {
    var own = emptyList<Particle>()
    val out by netcdf(file) {
        table("particle", PARTICLE_COUNT, { own }, Particle::id) {
            variable("x") { it.x }
            variable("y") { it.y }
        }
    }
    nbody(until) { step, particles ->
        own = particles
        if (step % every == 0L) out.append()
    }
}
// endregion
