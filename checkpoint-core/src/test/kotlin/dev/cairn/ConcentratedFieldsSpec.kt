package dev.cairn

import dev.cairn.concentrate.Concentrators
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.grid.Box
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.grid.shape
import dev.cairn.grid.tiling
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.Wait
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.ranks
import dev.cairn.sion.Multifile
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
import java.util.concurrent.Callable
import kotlin.random.Random

/** Fields that some ranks save for all. */
class ConcentratedFieldsSpec :
    FunSpec({
        quietly()

        test("a field comes back on any ranks, whoever has saved it, with the digest of a direct save") {
            withRandom { random -> repeat(20) { runBlocking { random.saveAndRestore() } } }
        }

        test("every concentrator has stripes of a large field, and no other rank has any bytes of it") {
            val disk = SimulatedDisk()
            val shape = Shape.of(600, 700)
            ranks(6) {
                columns(shape).let { boxes ->
                    open(disk, boxes, valuesOf(shape, boxes), shape).use { it.save(1) }
                }
            }
            val manifest = manifestOf(disk.host("any"), DIRECTORY, 1)
            manifest.rankCount shouldBe 6
            disk.bytesByTask(6).map { it > 100_000 } shouldBe listOf(true, false, false, true, false, false)
            ranks(4) {
                val boxes = columns(shape)
                val arrays = boxes.map { LongArray(it.cellCount().toInt()) }
                open(disk, boxes, arrays, shape).use { it.restore()?.step shouldBe 1 }
                arrays.map { it.toList() } shouldBe valuesOf(shape, boxes).map { it.toList() }
            }
        }

        test("a field without cells is saved and restored, also where stripes lie near their ranks") {
            for (concentrators in listOf(Concentrators.total(1), Concentrators.total(1).near())) {
                val disk = SimulatedDisk()
                val shape = Shape.of(0, 8)
                ranks(2) {
                    val none = listOf(LongArray(0))
                    open(disk, columns(shape), none, shape, concentrators).use { it.save(1) }
                    open(disk, columns(shape), none, shape, concentrators).use { it.restore()?.step shouldBe 1 }
                }
            }
        }

        test("the setting concentrates all fields that do not say otherwise") {
            val disk = SimulatedDisk()
            val shape = Shape.of(600, 700)
            val options = CheckpointOptions { concentrators = Concentrators.ranks(1) }
            ranks(3) {
                val boxes = columns(shape)
                open(disk, boxes, valuesOf(shape, boxes), shape, null, options).use { it.save(1) }
            }
            disk.bytesByTask(3).map { it > 100_000 } shouldBe listOf(false, true, false)
        }

        test("overlapping writers, or none: blocks that do not make up the field any more are refused on all ranks") {
            val disk = SimulatedDisk()
            val shape = Shape.of(10, 10)
            ranks(2) {
                var boxes = columns(shape)
                val arrays = boxes.map { LongArray(it.cellCount().toInt()) }
                checkpoints(DIRECTORY, files = disk.host(host)) {
                    // region concentrate
                    field("u", shape, ElementType.LONG) {
                        concentrate(Concentrators.perHost(1))
                        boxes.zip(arrays) { box, array -> block(box, array) }
                    }
                    // endregion
                }.use { checkpoints ->
                    checkpoints.save(1)
                    if (rank == 1) boxes = emptyList()
                    val gap = shouldThrow<CheckpointException> { checkpoints.save(2) }
                    gap.shouldBeInstanceOf<CheckpointException.InvalidDeclaration>().message shouldContain
                        "field 'u' has 100 cells, but the blocks of all ranks have 50. Let each cell have one owner"
                    boxes = listOf(Box.of(longArrayOf(0, 2L * rank), longArrayOf(10, 5)))
                    shouldThrow<InvalidDeclaration> { checkpoints.save(3) }.message shouldBe
                        "byte 16, and perhaps others, would be written by both ranks 0 and 1. Let each have one writer"
                }
            }
        }

        test("cells that change while they are gathered are noticed") {
            val disk = SimulatedDisk()
            val shape = Shape.of(10)
            ranks(2) {
                var calls = 0L
                val box = Box.of(longArrayOf(5L * rank), longArrayOf(5))
                checkpoints(DIRECTORY, files = disk.host(host)) {
                    field("u", shape, ElementType.LONG) {
                        concentrate(Concentrators.ranks(1))
                        block(box, array = Callable { LongArray(5) { calls++ } })
                    }
                }.use { checkpoints ->
                    shouldThrow<CheckpointException> { checkpoints.save(1) }
                        .shouldBeInstanceOf<CheckpointException.StateDiffers>()
                }
            }
        }

        test("concentrators that the program does not have are refused when it opens its checkpoints") {
            val shape = Shape.of(10, 10)
            val options = CheckpointOptions { concentrators = Concentrators.ranks(0, 9) }
            ranks(2) {
                val boxes = columns(shape)
                shouldThrow<InvalidDeclaration> {
                    open(
                        SimulatedDisk(),
                        boxes,
                        valuesOf(shape, boxes),
                        shape,
                        null,
                        options,
                    )
                }.message shouldContain
                    "ranks:0+9, but the largest rank is 1. Name other ranks"
            }
        }

        test("a sparse field cannot be concentrated") {
            ranks(1) {
                val failure =
                    shouldThrow<InvalidDeclaration> {
                        checkpoints(DIRECTORY, files = SimulatedDisk().host(host)) {
                            field("u", Shape.of(10), ElementType.LONG) {
                                sparse()
                                concentrate()
                            }
                        }
                    }
                failure.message shouldContain
                    "field 'u' is sparse, and concentrators write whole fields only: leave out concentrate() or sparse()"
            }
        }
    })

private val DIRECTORY = Path.of("concentrated")

private fun valuesOf(shape: Shape, boxes: List<Box>) =
    boxes.map { box -> LongArray(box.cellCount().toInt()) { 3 * shape.index(*box.cell(it.toLong())) + 1 } }

/** How many bytes each rank has saved. */
private fun SimulatedDisk.bytesByTask(rankCount: Int): List<Long> =
    Multifile.open(host("any"), DIRECTORY.resolve("000001/data.sion")).use { view ->
        List(rankCount) { view.task(it).size() }
    }

private fun Communicator.columns(shape: Shape): List<Box> = Decomposition.grid(shape, 1, size).boxes(rank)

private suspend fun Communicator.open(
    disk: SimulatedDisk,
    boxes: List<Box>,
    arrays: List<LongArray>,
    shape: Shape,
    concentrators: Concentrators? = Concentrators.total(2),
    options: CheckpointOptions = CheckpointOptions.DEFAULT,
) = checkpoints(DIRECTORY, options, disk.host(host)) {
    field("u", shape, ElementType.LONG) {
        if (concentrators != null) concentrate(concentrators)
        boxes.zip(arrays) { box, array -> block(box, array) }
    }
}

private suspend fun Random.saveAndRestore() {
    val shape = shape(20_000)
    val (writers, readers) = List(2) { nextInt(1, 7) }
    val written = tiling(shape, writers)
    val waits = listOf(Wait.COMMITTED, Wait.COPIED)
    val options =
        CheckpointOptions {
            verifySnapshot = nextBoolean()
            wait = waits.random(this@saveAndRestore)
        }
    val rules =
        listOf(Concentrators.perHost(1), Concentrators.total(3), Concentrators.everyNth(2)).let {
            it +
                it.map(Concentrators::near)
        }
    val disk = SimulatedDisk()
    val hostCount = nextInt(1, 4)
    val rule = rules.random(this)
    ranks(RankPlan(writers).withHosts { "node${it % hostCount}" }) {
        open(disk, written[rank], valuesOf(shape, written[rank]), shape, rule, options).use {
            it.saveAsync(1).await()
            it.saveAsync(2).await()
        }
    }
    val direct = SimulatedDisk()
    ranks(writers) { open(direct, written[rank], valuesOf(shape, written[rank]), shape, null).use { it.save(1) } }
    for (save in 1..2) {
        manifestOf(disk.host("any"), DIRECTORY, save).items shouldBe manifestOf(direct.host("any"), DIRECTORY, 1).items
    }
    val read = tiling(shape, readers)
    ranks(readers) {
        val arrays = read[rank].map { LongArray(it.cellCount().toInt()) }
        open(disk, read[rank], arrays, shape).use { it.restore()?.step shouldBe 2 }
        arrays.map { it.toList() } shouldBe valuesOf(shape, read[rank]).map { it.toList() }
    }
}
