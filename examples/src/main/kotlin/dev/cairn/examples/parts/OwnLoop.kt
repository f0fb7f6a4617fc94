package dev.cairn.examples.parts

import dev.cairn.checkpoints
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.ranks.Communicator
import dev.cairn.state.ElementType
import dev.cairn.state.PerRankRule
import java.nio.file.Path

// region own-loop

/** A code with its own arrays and its own loop: counters, dealt to the ranks, that grow by their own number. */
public suspend fun Communicator.count(directory: Path, until: Long): LongArray {
    val shape = Shape.of(100)
    val own = Decomposition.rows(shape, size).boxes(rank)
    val counters = LongArray(own.sumOf { it.cellCount() }.toInt())
    var total = 0L
    var visits = 0L

    checkpoints(directory) {
        field("counters", shape, ElementType.LONG) { own.forEach { block(it, counters) } }
        replicated("total", { total }, { total = it })
        perRank("visits", { visits }, { visits = it }, PerRankRule.Merge { it.sum() })
    }.use { checkpoints ->
        val first = checkpoints.restore()?.step ?: 0
        for (step in first until until) {
            for (index in counters.indices) counters[index] += own[0].start(0) + index
            total += 99 * 100 / 2
            visits += counters.size
            if ((step + 1) % 5 == 0L) checkpoints.save(step + 1)
        }
    }
    return counters
}
// endregion
