package dev.cairn.examples

import dev.cairn.Simulation
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.ranks.allReduce
import dev.cairn.simulation
import java.nio.file.Path

/** Bodies drift at random along a line from 0 until 1: a program with state of most kinds. */
internal suspend fun main(args: Array<String>) = simulation("drift", args) { drift(until = 1_000) }

// region drift

/** A row of a table; its components are the columns. */
@JvmRecord
internal data class Body(val id: Long, val x: Double)

internal suspend fun Simulation.drift(until: Long) {
    var bodies by rows(share(rank, size)) { owner { body, rankCount -> (body.x * rankCount).toInt() } }
    val ground by field<IntArray>(Decomposition.rows(Shape.of(100), size))
    val noise by randomStreams(seed = 7)
    var moves by accumulator(0L, Long::plus)
    val log by output(Path.of("drift.txt"))
    for (step in steps(until)) {
        bodies = bodies.map { it.copy(x = (it.x + noise.uniform(it.id, step, 0)) % 1) }
        for (block in ground.blocks) for (cell in block.cells.indices) block.cells[cell]++
        moves += bodies.size
        val all = ranks.allReduce(moves, Long::plus)
        log.line("step $step: $all moves")
    }
}

/** The bodies that rank [rank] has in the beginning, of a hundred. */
private fun share(rank: Int, rankCount: Int) =
    (0L until 100).filter { (it * rankCount / 100).toInt() == rank }.map { Body(it, it / 100.0) }
// endregion
