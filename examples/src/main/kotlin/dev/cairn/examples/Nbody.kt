package dev.cairn.examples

import dev.cairn.Simulation
import dev.cairn.grid.RandomStreams
import dev.cairn.ranks.bytesOf
import dev.cairn.ranks.doublesOf
import dev.cairn.simulation
import java.nio.ByteBuffer
import kotlin.math.sqrt

/** A cloud of particles turns around its middle. They pull each other, and are kicked at random. */
internal suspend fun main(args: Array<String>) = simulation("nbody", args) { nbody(until = 1_000) }

// region nbody

/** A row of a table: a particle in the plane. */
@JvmRecord
internal data class Particle(val id: Long, val x: Double, val y: Double, val vx: Double, val vy: Double) {
    /** The rank on whose stripe of the plane it is; the outer stripes have no outer edge. */
    fun home(rankCount: Int): Int = ((x + 1) / 2 * rankCount).toInt().coerceIn(0, rankCount - 1)
}

/** [atStep] is called with the particles of this rank before each step. */
internal suspend fun Simulation.nbody(
    until: Long,
    atStep: suspend (step: Long, particles: List<Particle>) -> Unit = { _, _ -> },
) {
    val chance by randomStreams(seed = 7)
    val own = (0L until PARTICLE_COUNT).map(chance::place).filter { it.home(size) == rank }
    var particles by rows(own) { owner(Particle::home) }
    for (step in steps(until)) {
        atStep(step, particles)
        // Sums of doubles depend on the order, and that of the ids is the same on any number of ranks.
        val all = ranks.allGather(packed(particles)).flatMap(::unpacked).sortedBy { it.id }
        val moved = particles.map { p -> p.moved(all) { chance.normal(p.id, step, it) } }.groupBy { it.home(size) }
        particles = ranks.allToAll(List(size) { packed(moved[it].orEmpty()) }).flatMap(::unpacked)
    }
}
// endregion

internal const val PARTICLE_COUNT = 300L

internal fun RandomStreams.place(id: Long): Particle {
    val x = 2 * uniform(id, 0, 4) - 1
    val y = 2 * uniform(id, 0, 5) - 1
    return Particle(id, x, y, vx = -y, vy = x)
}

/** Where it is after a hundredth of a unit of time. What comes very close does not pull without bounds. */
private fun Particle.moved(all: List<Particle>, kick: (draw: Long) -> Double): Particle {
    var newVx = vx + 0.001 * kick(0)
    var newVy = vy + 0.001 * kick(1)
    for (other in all) {
        val dx = other.x - x
        val dy = other.y - y
        val square = dx * dx + dy * dy + 0.01
        val pull = 0.01 / (all.size * square * sqrt(square))
        newVx += pull * dx
        newVy += pull * dy
    }
    return Particle(id, x + 0.01 * newVx, y + 0.01 * newVy, newVx, newVy)
}

private fun packed(particles: List<Particle>): ByteBuffer =
    bytesOf(*particles.flatMap { listOf(it.id.toDouble(), it.x, it.y, it.vx, it.vy) }.toDoubleArray())

private fun unpacked(bytes: ByteBuffer): List<Particle> =
    doublesOf(bytes).asList().chunked(5) { (id, x, y, vx, vy) -> Particle(id.toLong(), x, y, vx, vy) }
