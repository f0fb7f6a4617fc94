package dev.cairn

import dev.cairn.event.CheckpointException
import dev.cairn.grid.Box
import dev.cairn.grid.Shape
import dev.cairn.options.CheckpointOptions
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.state.Codecs
import dev.cairn.state.ElementType
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path
import java.util.concurrent.atomic.AtomicBoolean
import kotlin.io.path.listDirectoryEntries

private const val FRAME = 1 shl 20
private const val CELLS = 3 * FRAME / Double.SIZE_BYTES
private val SHAPE = Shape.of(CELLS.toLong())

/** What a checkpoint holds of state that another thread changes while it is saved. */
class MovingStateSpec :
    FunSpec({
        fun directory(): Path = tempdir().toPath().resolve("moving.cairn")

        val verifying = CheckpointOptions { verifySnapshot = true }

        test(
            "the digest of a field is that of the bytes that were written, although the array is another one every time",
        ) {
            val directory = directory()
            val arrays = List(2) { number -> DoubleArray(CELLS) { it + number * 0.5 } }
            var calls = 0
            ranks(1) {
                checkpoints(directory) {
                    field("u", SHAPE, ElementType.DOUBLE) { block(SHAPE.box()) { arrays[calls++ % 2] } }
                }.use { it.save(1) }
            }
            val restored = DoubleArray(CELLS)
            ranks(1) { open(directory, restored = restored).use { it.restore() }?.step shouldBe 1 }
            restored.indices.all { restored[it] == arrays[0][it] || restored[it] == arrays[1][it] } shouldBe true
        }

        test("a cell that changes after it was written is saved as it was, and goes unnoticed") {
            val directory = directory()
            val cells = DoubleArray(CELLS) { it.toDouble() }
            ranks(1) { open(directory, StateChangingStore { cells[0] = -1.0 }, restored = cells).use { it.save(1) } }
            cells[0] shouldBe -1.0
            ranks(1) { open(directory, restored = cells).use { it.restore() } }
            cells[0] shouldBe 0.0
        }

        test("with verify-snapshot such a save is refused on all ranks, and leaves no checkpoint") {
            val directory = directory()
            val cells = List(2) { DoubleArray(CELLS) }
            val store = StateChangingStore { cells.forEach { it[7] = 1.0 } }
            val failures =
                ranks(2) {
                    shouldThrow<CheckpointException.StateDiffers> {
                        checkpoints(directory, verifying, store) {
                            val box = Box.of(longArrayOf(rank.toLong() * CELLS), longArrayOf(CELLS.toLong()))
                            field("u", Shape.of(2L * CELLS), ElementType.DOUBLE) { block(box, cells[rank]) }
                        }.use { it.save(1) }
                    }
                }
            for (failure in failures) {
                failure.items shouldBe listOf("u")
                failure.message shouldContain
                    "'u' changed while it was saved. Nothing was saved: let no other thread write to the state until " +
                    "the save has returned."
            }
            directory.listDirectoryEntries("0*/manifest.json") shouldBe emptyList()
        }

        test("with verify-snapshot values and tables that change are named, and what stays is not") {
            val directory = directory()
            val cells = DoubleArray(CELLS)
            val values = mutableMapOf("time" to "1 s", "name" to "heat", "mine" to "a")
            val rows = longArrayOf(1, 2, 3)
            val store =
                StateChangingStore {
                    values += mapOf("time" to "2 s", "mine" to "b")
                    rows[2] = 4
                }
            ranks(1) {
                shouldThrow<CheckpointException.StateDiffers> {
                    checkpoints(directory, verifying, store) {
                        replicated("name", Codecs.TEXT, { values.getValue("name") }, {})
                        replicated("time", Codecs.TEXT, { values.getValue("time") }, {})
                        perRank("mine", Codecs.TEXT, { values.getValue("mine") }, {})
                        table("rows") { column("id", { rows }, {}).also { positionFree() } }
                        stream("log", { it.write(7) }, {})
                        field("u", SHAPE, ElementType.DOUBLE) { block(SHAPE.box(), cells) }
                    }.use { it.save(1) }
                }.items shouldBe listOf("time", "mine", "rows")
            }
        }

        test("with verify-snapshot state that stays is saved, with streams and outputs") {
            val directory = directory()
            val output = directory.resolveSibling("energies.txt")
            ranks(3) {
                checkpoints(directory, verifying) {
                    replicated("time", Codecs.TEXT, { "1 s" }, {})
                    table("rows") { column("id", { longArrayOf(rank.toLong()) }, {}).also { positionFree() } }
                    stream("log", { it.write(ByteArray(FRAME + rank)) }, {})
                    appendedFile("energies", output)
                }.use { it.save(1) }
            }
            manifestOf(FileBlockStore(), directory, 1).items.size shouldBe 4
        }

        test("rows that change between their two readings are refused, with no setting") {
            val directory = directory()
            val x = DoubleArray(CELLS)
            ranks(1) {
                shouldThrow<CheckpointException.StateDiffers> {
                    checkpoints(directory, files = StateChangingStore { x[0] = 1.0 }) {
                        table("bodies") { column("x", { x }, {}).also { positionFree() } }
                    }.use { it.save(1) }
                }.items shouldBe listOf("bodies")
            }
        }
    })

private suspend fun Communicator.open(
    directory: Path,
    files: BlockStore = FileBlockStore(),
    restored: DoubleArray,
): Checkpoints =
    checkpoints(directory, files = files) {
        field("u", SHAPE, ElementType.DOUBLE) { block(SHAPE.box(), restored) }
    }

/** Calls [move], which changes the state as another thread might, during the write of the first whole frame. */
private class StateChangingStore(private val move: () -> Unit) : ForwardingStore(FileBlockStore()) {
    private val hasMoved = AtomicBoolean()

    override fun onOperation(operation: BlockStore.Operation) {
        val isFrame = operation.kind() == BlockStore.Operation.Kind.WRITE && operation.length() == FRAME.toLong()
        if (isFrame && hasMoved.compareAndSet(false, true)) move()
    }
}
