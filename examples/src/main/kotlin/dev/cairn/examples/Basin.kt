package dev.cairn.examples

import dev.cairn.checkpoints
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Halo
import dev.cairn.grid.Shape
import dev.cairn.haloExchange
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.allToAll
import dev.cairn.ranks.everyRank
import dev.cairn.state.ElementType
import java.nio.file.Path
import kotlin.math.floor

/** A basin of water on a grid of three dimensions, dealt to a process grid of two, with tracers that drift: DIR RANKS STEPS. */
internal suspend fun main(args: Array<String>) {
    val (directory, rankCount, steps) = args
    everyRank(rankCount.toInt()) { Basin(this).run(Path.of(directory), steps.toLong(), every = 100) }
}

/** A row of a table: something that floats. */
@JvmRecord
internal data class Tracer(val id: Long, val x: Double, val y: Double) {
    /** The rank that has the water below it. */
    fun home(rankCount: Int): Int = processGrid(rankCount).rankOf(floor(x).toLong(), floor(y).toLong(), 0)
}

private val SHAPE = Shape.of(24, 20, 6)

/** As square as the number of ranks allows; a column of water stays on one rank. */
private fun processGrid(rankCount: Int): Decomposition {
    val columns = (1..rankCount).last { rankCount % it == 0 && it * it <= rankCount }
    return Decomposition.grid(SHAPE, rankCount / columns, columns, 1)
}

// region basin

/** A code as it has grown: its own arrays, its own loop, and now checkpoints. It is a ring from west to east. */
internal class Basin(private val ranks: Communicator) {
    private val halos = ranks.haloExchange(processGrid(ranks.size), Halo.of(1, 1, 0).periodicIn(0))
    private val box = halos.box
    private val within = halos.within
    private var heat = DoubleArray(within.cellCount().toInt()) { warmth(within.cell(it.toLong())) }
    private val salt = DoubleArray(heat.size) { 35.0 + heat[it] / 10 }
    private val flow = FloatArray(heat.size)
    private var tracers = (0L until 200).map(::tracer).filter { it.home(ranks.size) == ranks.rank }

    suspend fun run(directory: Path, until: Long, every: Long) =
        ranks
            .checkpoints(directory) {
                field("heat", SHAPE, ElementType.DOUBLE) { if (!box.isEmpty) block(box, heat, within) }
                field("salt", SHAPE, ElementType.DOUBLE) { if (!box.isEmpty) block(box, salt, within) }
                field("flow", SHAPE, ElementType.FLOAT) { if (!box.isEmpty) block(box, flow, within) }
                rows("tracers", { tracers }, { tracers = it }) { owner(Tracer::home) }
            }.use { checkpoints ->
                val first = checkpoints.restore()?.step ?: 0
                for (step in first until until) {
                    halos.exchange(heat, salt, flow)
                    mix()
                    drift()
                    if ((step + 1) % every == 0L) checkpoints.save(step + 1)
                }
            }

    /** Tracers that have come to another rank's water are sent there. */
    private suspend fun drift() {
        val moved = tracers.map(::moved).groupBy { it.home(ranks.size) }
        val arrived = ranks.allToAll(List(ranks.size) { packed(moved[it].orEmpty()) })
        tracers = arrived.flatMap(::unpacked)
    }
    // endregion

    /** Heat spreads, salt follows the flow, and the flow follows the differences of heat. The new heat takes the place of the old. */
    private fun mix() {
        val next = heat.copyOf()
        for (own in 0 until box.cellCount()) {
            val at = within.index(*box.cell(own)).toInt()
            val (west, east) = at - stride(0) to at + stride(0)
            val (north, south) = at - stride(1) to at + stride(1)
            next[at] = heat[at] + 0.1 * (heat[west] + heat[east] + heat[north] + heat[south] - 4 * heat[at])
            flow[at] = 0.9f * flow[at] + 0.01f * (heat[west] - heat[east]).toFloat()
            salt[at] += 0.01 * flow[at] * (next[at] - 10)
        }
        heat = next
    }

    private fun stride(dimension: Int): Int =
        (dimension + 1 until 3).fold(1) { cells, inner -> cells * within.extent(inner).toInt() }

    private fun moved(tracer: Tracer): Tracer {
        val current = flow[within.index(floor(tracer.x).toLong(), floor(tracer.y).toLong(), 0).toInt()]
        val x = (tracer.x + 0.3 + current).mod(SHAPE.extent(0).toDouble())
        return tracer.copy(x = x, y = (tracer.y + 0.1 * current).coerceIn(0.0, SHAPE.extent(1) - 0.01))
    }
}

private fun warmth(cell: LongArray): Double {
    val (i, j, k) = cell
    return if (j in 0 until SHAPE.extent(1)) (i * 7 + j * 3) % 20 - 0.5 * k else 4.0
}

private fun tracer(id: Long) = Tracer(id, id * 0.618 % SHAPE.extent(0), id * 0.414 % SHAPE.extent(1))

private fun packed(tracers: List<Tracer>): DoubleArray =
    tracers.flatMap { listOf(it.id.toDouble(), it.x, it.y) }.toDoubleArray()

private fun unpacked(numbers: DoubleArray): List<Tracer> =
    numbers.asList().chunked(3) { (id, x, y) -> Tracer(id.toLong(), x, y) }
