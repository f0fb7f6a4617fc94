package dev.cairn

import dev.cairn.grid.Box
import dev.cairn.grid.Shape
import dev.cairn.options.CheckpointOptions
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.ElementType
import java.nio.file.Path

/** A state on one of three ranks, each part of which is another one at each step. */
internal class Tide(private val ranks: Communicator) {
    val rank = ranks.rank
    val box: Box get() = Box.of(longArrayOf(12L / ranks.size * rank), longArrayOf(12L / ranks.size))
    var time = 0.0
    var cells = LongArray(12 / ranks.size)
    var ids = LongArray(0)
    var name = ""
    var heard = 0

    fun advanceTo(step: Long) {
        time = step * 0.125
        cells.indices.forEach { cells[it] = 1000 * step + 100 * rank + it }
        ids = LongArray(step.toInt() % 7 + rank) { 100L * rank + it + step }
        name = "rank $rank at step $step"
    }

    suspend fun saveAt(step: Long, checkpoints: Checkpoints) {
        advanceTo(step)
        checkpoints.save(step)
    }

    suspend fun open(
        disk: SimulatedDisk,
        options: CheckpointOptions = CHECKING,
        declare: StateBuilder.(Tide) -> Unit = { it.declareIn(this) },
    ): Checkpoints = ranks.checkpoints(STORE, options, disk.host("node0")) { declare(this@Tide) }

    /** Without any fault. */
    fun declareIn(state: StateBuilder) {
        state.field("u", LINE, ElementType.LONG) { block(box, cells) }
        state.replicated("time", { time }, { time = it })
        state.table("rows") {
            column("id", { ids }, { ids = it })
            positionFree()
        }
    }

    override fun toString() = "$time, ${cells.asList()}, ${ids.asList()}, $heard"

    companion object {
        val STORE: Path = Path.of("tides.cairn")
        val LINE: Shape = Shape.of(12)
        val CHECKING = CheckpointOptions { checkRestart = true }
    }
}
