package dev.cairn.examples.guide

import dev.cairn.StateBuilder
import dev.cairn.checkpoints
import dev.cairn.grid.Box
import dev.cairn.grid.Shape
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ranks
import dev.cairn.state.ElementType
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe

private val FINE = Shape.of(64, 64)

// region adaptive-mesh

/** The fine level of a mesh: patches of 4 x 4 cells. All ranks know where they are, and each has the arrays of its own. */
private class FineLevel(private val ranks: Communicator) {
    var patches = emptyMap<Box, DoubleArray>()
        private set

    /** The numbers of the patches' first cells. Setting them makes new patches. */
    var origins = emptyList<Long>()
        set(value) {
            field = value
            val own = value.filterIndexed { number, _ -> number % ranks.size == ranks.rank }
            patches = own.associate { Shape.of(4, 4).at(*FINE.cell(it)) to DoubleArray(16) }
        }

    fun declareIn(state: StateBuilder) {
        state.replicated("origins", { origins }, { origins = it })
        state.field("fine", FINE, ElementType.DOUBLE) {
            sparse()
            for ((box, cells) in patches) block(box, cells)
        }
    }
}
// endregion

class AdaptiveMeshSpec :
    FunSpec({
        test("patches that came while the program ran are there after a restart on other ranks") {
            val store = tempdir().toPath().resolve("mesh.cairn")
            ranks(3) {
                val level = FineLevel(this)
                checkpoints(store) { level.declareIn(this) }.use { checkpoints ->
                    level.origins = listOf(0, 8, 400, 2048)
                    level.patches.forEach { (box, cells) -> cells.fill(firstCell(box) + 0.5) }
                    checkpoints.save(1)
                }
            }
            val found =
                ranks(2) {
                    val level = FineLevel(this)
                    checkpoints(store) { level.declareIn(this) }.use { it.restore() }
                    level.patches.map { (box, cells) -> firstCell(box) to cells.toSet().single() }
                }
            found.flatten().toMap() shouldBe listOf(0L, 8, 400, 2048).associateWith { it + 0.5 }
        }
    })

private fun firstCell(box: Box) = FINE.index(box.start(0), box.start(1))
