package dev.cairn.item

import dev.cairn.StateBuilder
import dev.cairn.checkpoints
import dev.cairn.event.CheckpointEvent.Restored
import dev.cairn.event.CheckpointException
import dev.cairn.grid.Box
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ranks
import dev.cairn.redistribution.Cells
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.ElementType
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import java.nio.file.Path

/** Blocks of a field that move from rank to rank while the program runs, as load balancing moves them. */
class MovingBlocksSpec :
    FunSpec({
        val shape = Shape.of(12, 10)
        val directory = Path.of("moving")

        test("blocks are saved where they are, and not where they were when they were declared") {
            val disk = SimulatedDisk()
            ranks(3) {
                val mesh = Mesh(shape, rows(shape))
                mesh.open(this, directory, disk).use { checkpoints ->
                    mesh.move(columns(shape), step = 1)
                    checkpoints.save(1)
                    mesh.move(Decomposition.blocks(shape, size).boxes((rank + 1) % size), step = 2)
                    checkpoints.save(2)
                    mesh.move(if (rank == 2) listOf(shape.box()) else emptyList(), step = 3)
                    checkpoints.save(3)
                }
            }
            ranks(2) {
                val mesh = Mesh(shape, rows(shape))
                mesh.open(this, directory, disk).use { it.restore() } shouldBe Restored(3, 3, 3)
                mesh.requireCells(step = 3)
            }
        }

        test("blocks that changed between the declaration and the restore get their cells") {
            val disk = SimulatedDisk()
            ranks(3) {
                val mesh = Mesh(shape, rows(shape)).apply { move(boxes, step = 7) }
                mesh.open(this, directory, disk).use { it.save(7) }
            }
            ranks(4) {
                val mesh = Mesh(shape, rows(shape))
                mesh.open(this, directory, disk).use { checkpoints ->
                    mesh.move(columns(shape), step = 0)
                    checkpoints.restore()
                }
                mesh.requireCells(step = 7)
            }
        }

        test("blocks may follow from a value, which is restored before them although it is declared later") {
            val disk = SimulatedDisk()

            suspend fun Communicator.open(mesh: Mesh, firstRows: () -> Long, onRestore: (Long) -> Unit) =
                checkpoints(directory, files = disk.host(host)) {
                    mesh.declareIn(this)
                    replicated("firstRows", firstRows, onRestore)
                }
            ranks(2) {
                val mesh = Mesh(shape, cutAt(shape, 5)).apply { move(boxes, step = 4) }
                open(mesh, { 5L }, {}).use { it.save(4) }
            }
            ranks(2) {
                val mesh = Mesh(shape, cutAt(shape, 1))
                open(mesh, { 1L }) { mesh.move(cutAt(shape, it), step = 0) }.use { it.restore() }
                mesh.boxes shouldBe cutAt(shape, 5)
                mesh.requireCells(step = 4)
            }
        }

        test("blocks that no longer make up the field are refused on all ranks, and the save before stays") {
            val disk = SimulatedDisk()
            ranks(3) {
                val mesh = Mesh(shape, rows(shape))
                mesh.open(this, directory, disk).use { checkpoints ->
                    mesh.move(rows(shape), step = 1)
                    checkpoints.save(1)
                    if (rank == 1) mesh.move(emptyList(), step = 2)
                    val failure = shouldThrow<CheckpointException> { checkpoints.save(2) }
                    failure.message shouldContain "u: no rank has the cell (4, 0); missing are at least 40 of the 120"
                    failure.cause.shouldBeInstanceOf<CheckpointException.InvalidDeclaration>()
                    shouldThrow<CheckpointException> { checkpoints.save(3) }.cause shouldBe
                        failure.cause.also { it.shouldBeInstanceOf<CheckpointException.InvalidDeclaration>() }
                    mesh.move(rows(shape), step = 4)
                    checkpoints.save(4).number shouldBe 4
                    checkpoints.restore()?.step shouldBe 4
                }
            }
        }

        test("a restore that asks for overlapping blocks, or not for all, is refused, and is no damage") {
            val disk = SimulatedDisk()
            ranks(2) {
                val mesh = Mesh(shape, rows(shape)).apply { move(boxes, step = 1) }
                mesh.open(this, directory, disk).use { checkpoints ->
                    checkpoints.save(1)
                    checkpoints.save(2)
                    for (wrong in listOf(listOf(shape.box()), emptyList())) {
                        mesh.move(if (rank == 0) rows(shape) else wrong, step = 0)
                        shouldThrow<CheckpointException> { checkpoints.restore() }
                            .cause
                            .shouldBeInstanceOf<CheckpointException.InvalidDeclaration>()
                    }
                }
            }
        }

        test("only blocks that moved since they were compared are compared again") {
            val box = shape.box()
            var boxes = listOf(box)
            val field =
                FieldItem(ItemName("u", 1, emptyList()), ElementType.DOUBLE, shape, Coverage.WHOLE) {
                    boxes.map { CellBlock(it, it, Cells.of(DoubleArray(it.cellCount().toInt()))) }
                }
            field.capture(0).hasMoved shouldBe true
            field.acceptTiling(boxes)
            field.capture(0).hasMoved shouldBe false
            boxes = emptyList()
            field.capture(0).run { hasMoved shouldBe true }
            boxes = listOf(shape.box())
            field.capture(0).hasMoved shouldBe false
        }
    })

/** What a program with its own arrays has: one array for each of its boxes, which it exchanges when they move. */
private class Mesh(private val shape: Shape, var boxes: List<Box>) {
    private var arrays = arraysFor(boxes)

    fun move(boxes: List<Box>, step: Long) {
        this.boxes = boxes
        arrays = arraysFor(boxes)
        for ((box, array) in boxes.zip(arrays)) for (at in array.indices) array[at] = expected(box, at, step)
    }

    private fun arraysFor(boxes: List<Box>) = boxes.map { DoubleArray(it.cellCount().toInt()) }

    private fun expected(box: Box, at: Int, step: Long) = shape.index(*box.cell(at.toLong())) + 1000.0 * step

    fun declareIn(state: StateBuilder) =
        state.field("u", shape, ElementType.DOUBLE) {
            boxes.zip(arrays) { box, array -> block(box, array) }
        }

    suspend fun open(ranks: Communicator, directory: Path, disk: SimulatedDisk) =
        ranks.checkpoints(directory, files = disk.host(ranks.host)) { declareIn(this) }

    fun requireCells(step: Long) {
        for ((box, array) in boxes.zip(arrays)) {
            array.toList() shouldBe array.indices.map { expected(box, it, step) }
        }
    }
}

private fun Communicator.rows(shape: Shape) = Decomposition.rows(shape, size).boxes(rank)

private fun Communicator.columns(shape: Shape) = Decomposition.grid(shape, 1, size).boxes(rank)

private fun Communicator.cutAt(shape: Shape, row: Long) =
    Decomposition.cuts(shape, longArrayOf(row), longArrayOf()).boxes(rank)
