package dev.cairn.item

import dev.cairn.checkpoints
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.shouldThrowFor
import dev.cairn.grid.Box
import dev.cairn.grid.Shape
import dev.cairn.grid.shape
import dev.cairn.grid.tiling
import dev.cairn.manifestOf
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.fixture.withRandom
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.ElementType
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import kotlinx.coroutines.runBlocking
import java.nio.file.Path
import kotlin.random.Random

/** Fields of which the ranks have only some cells, such as the levels of an adaptive mesh. */
class SparseFieldsSpec :
    FunSpec({
        val shape = Shape.of(8, 6)
        val directory = Path.of("sparse")

        /** This rank's part of a sparse field, with the program's arrays. */
        suspend fun Communicator.open(
            disk: SimulatedDisk,
            boxes: List<Box>,
            arrays: List<LongArray>,
            of: Shape = shape,
            isSparse: Boolean = true,
        ) = checkpoints(directory, files = disk.host(host)) {
            field("level", of, ElementType.LONG) {
                if (isSparse) sparse()
                boxes.zip(arrays) { box, array -> block(box, array) }
            }
        }

        fun arraysFor(boxes: List<Box>, of: Shape = shape, value: (Long) -> Long = { it + 1 }) =
            boxes.map { box -> LongArray(box.cellCount().toInt()) { value(of.index(*box.cell(it.toLong()))) } }

        suspend fun saved(vararg boxes: List<Box>) =
            SimulatedDisk().also { disk ->
                ranks(boxes.size) { open(disk, boxes[rank], arraysFor(boxes[rank])).use { it.save(1) } }
            }

        suspend fun savedAndRestored(random: Random) {
            val whole = random.shape(200)
            val (old, new) = random.twoTilingsOfTheSame(whole)
            val disk = SimulatedDisk()
            ranks(old.size) { open(disk, old[rank], arraysFor(old[rank], whole), whole).use { it.save(1) } }
            val item = manifestOf(disk.host("any"), directory, 1).items.single()
            item.elementCount shouldBe old.flatten().sumOf { it.cellCount() }
            item.layout shouldBe mapOf("coverage" to "sparse")
            ranks(new.size) {
                val arrays = arraysFor(new[rank], whole) { -1 }
                open(disk, new[rank], arrays, whole).use { it.restore() }
                arrays.map { it.toList() } shouldBe arraysFor(new[rank], whole).map { it.toList() }
            }
        }

        test("what the ranks have comes back on any number of ranks, in blocks of other shapes") {
            withRandom { random ->
                repeat(60) {
                    runBlocking { savedAndRestored(random) }
                }
            }
        }

        test("a cell that no rank had is refused, with the rank that asks for it") {
            val disk = saved(listOf(Shape.of(2, 6).box()), listOf(Shape.of(2, 3).at(4, 0)))
            val wanted = listOf(listOf(Shape.of(2, 6).box()), emptyList(), listOf(Shape.of(2, 4).at(4, 0)))
            ranks(3) {
                val arrays = arraysFor(wanted[rank]) { -1 }
                val failure =
                    shouldThrow<CheckpointException> { open(disk, wanted[rank], arrays).use { it.restore() } }
                failure.cause.shouldBeInstanceOf<CheckpointException.Mismatch>().message shouldBe
                    "rank 2 requests the cells [4..6)x[3..4) of 'level', but no rank stored them in save 1, which " +
                    "holds 18 cells of it. Request the blocks that were stored: keep their boxes in a replicated " +
                    "value, which is restored before the fields."
                arrays.forEach { array -> array.all { it == -1L } shouldBe true }
            }
        }

        test("a stored cell that no rank requests is not dropped in silence") {
            val disk = saved(listOf(Shape.of(2, 6).box()), listOf(Shape.of(2, 3).at(4, 0)))
            ranks(1) {
                val boxes = listOf(Shape.of(2, 6).box())
                shouldThrow<CheckpointException> { open(disk, boxes, arraysFor(boxes)).use { it.restore() } }
                    .cause!!
                    .message shouldContain
                    "save 1 holds the cells [4..6)x[0..3) of 'level', which no rank requests: state is never " +
                    "dropped in silence."
            }
        }

        test("a whole field does not take a sparse one, nor zeros for what is missing") {
            val disk = saved(listOf(Shape.of(2, 6).box()))
            ranks(1) {
                val boxes = listOf(shape.box())
                shouldThrow<CheckpointException> {
                    open(disk, boxes, arraysFor(boxes), isSparse = false).use { it.restore() }
                }.cause!!.message shouldContain "rank 0 requests the cells [2..8)x[0..6) of 'level'"
            }
        }

        test("a sparse field whose blocks hold all cells, and a whole field, take each other's place") {
            val disk = saved(listOf(shape.box()))
            val boxes = listOf(shape.box())
            ranks(1) {
                val arrays = arraysFor(boxes) { -1 }
                open(disk, boxes, arrays, isSparse = false).use {
                    it.restore()
                    it.save(2)
                }
                arrays.single() shouldBe arraysFor(boxes).single()
                open(disk, boxes, arrays).use { it.restore()?.step shouldBe 2 }
            }
        }

        test("overlaps are refused when they are declared and when they are saved") {
            val disk = SimulatedDisk()
            ranks(2) {
                val overlapping = listOf(Shape.of(3, 3).at(rank * 2L, 1))
                val refusal =
                    "level: the box [0..3)x[1..4) of rank 0 and the box [2..5)x[1..4) of rank 1 overlap in " +
                        "[2..3)x[1..4); a cell has one owner, and halos do not count."
                shouldThrow<CheckpointException> { open(disk, overlapping, arraysFor(overlapping)) }
                    .cause
                    .shouldBeInstanceOf<CheckpointException.InvalidDeclaration>()
                    .message shouldBe refusal
                var boxes = listOf(Shape.of(2, 3).at(rank * 2L, 1))
                checkpoints(directory, files = disk.host(host)) {
                    field("level", shape, ElementType.LONG) {
                        sparse()
                        boxes.zip(arraysFor(boxes)) { box, array -> block(box, array) }
                    }
                }.use { checkpoints ->
                    checkpoints.save(1)
                    boxes = overlapping
                    shouldThrow<CheckpointException> { checkpoints.save(2) }.cause!!.message shouldBe refusal
                    boxes = emptyList()
                    checkpoints.save(3)
                }
            }
            manifestOf(disk.host("any"), directory, 3).items.single().elementCount shouldBe 0
        }

        test("a field is sparse on all ranks, and always") {
            val disk = SimulatedDisk()
            ranks(2) {
                shouldThrow<CheckpointException.InvalidDeclaration> {
                    val boxes = if (rank == 0) listOf(shape.box()) else emptyList()
                    open(disk, boxes, arraysFor(boxes), isSparse = rank == 0)
                }.message shouldContain
                    "Rank 0 declares the field 'level' of long with the shape 8x6 (sparse)"
            }
            ranks(1) {
                var isSparse = true
                checkpoints(directory, files = disk.host(host)) {
                    field("level", shape, ElementType.LONG) { if (isSparse) sparse() }
                }.use { checkpoints ->
                    checkpoints.save(1)
                    isSparse = false
                    shouldThrow<CheckpointException.InvalidDeclaration> { checkpoints.save(2) }.message shouldContain
                        "field 'level' was declared sparse, but now its blocks are given without sparse(): declare " +
                        "sparse() every time"
                }
            }
        }
    })

/** The same cells of [whole], some left out, cut and dealt in two ways. */
private fun Random.twoTilingsOfTheSame(whole: Shape): Pair<List<List<Box>>, List<List<Box>>> {
    val old = tiling(whole, nextInt(1, 5)).map { boxes -> boxes.filter { nextInt(3) > 0 } }
    val cuts = tiling(whole, nextInt(1, 6))
    val new = cuts.map { cut -> cut.flatMap { box -> old.flatten().map(box::intersection) }.filterNot { it.isEmpty } }
    return old to new
}
