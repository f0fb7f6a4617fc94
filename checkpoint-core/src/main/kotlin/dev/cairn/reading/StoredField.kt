package dev.cairn.reading

import dev.cairn.cells.CellDigest
import dev.cairn.cells.CellDigester
import dev.cairn.cells.Cells
import dev.cairn.cells.Image
import dev.cairn.cells.Runs
import dev.cairn.grid.Shape
import dev.cairn.redistribution.Distribution
import dev.cairn.redistribution.FieldPlan
import dev.cairn.redistribution.Frame
import dev.cairn.state.Contents
import dev.cairn.state.Coverage
import dev.cairn.state.ElementType
import dev.cairn.state.TableOfContents
import dev.cairn.store.ManifestItem
import java.nio.ByteBuffer

/** A global array. */
internal class StoredField(
    described: ManifestItem,
    key: Int,
    state: StoredState,
) : StoredItem(described, key, state) {
    val type = ElementType.valueOf(described.elementType.uppercase())
    val shape: Shape = Shape.of(*described.shape.toLongArray())

    val coverage: Coverage = Coverage.of(described.layout)

    /** Who stored which boxes. */
    val stored: Distribution by lazy { state.contents.distribution(key) }

    override fun elementCount() = byteCount() / type.size

    override fun digest(): CellDigest {
        val digester = CellDigester()
        state.contents.tables.forEach { digest(it, digester) }
        return digester.digest()
    }

    /** How it comes to ranks that want these boxes. */
    fun planFor(wanted: Distribution): FieldPlan = FieldPlan.of(stored, wanted, type.size, TableOfContents.FRAME_SIZE)

    fun read(frame: Frame): ByteBuffer {
        val bytes = ByteBuffer.allocate(frame.size)
        state.readFrame(frame.writer, key, Math.toIntExact(frame.index), bytes)
        return bytes.flip()
    }

    private fun digest(
        table: TableOfContents,
        digester: CellDigester,
    ) {
        val boxes = table.entry(key)?.boxes.orEmpty()
        val starts = boxes.runningFold(0L) { start, box -> start + box.cellCount() }
        val images = boxes.zip(starts, ::Image)
        state.forEachFrame(table.rank, key) { start, frame ->
            val first = start / type.size
            val cells = Cells.of(frame, type.size)
            images
                .flatMap { it.between(first, first + frame.remaining() / type.size) }
                .forEach { cells.digest(digester, Runs.of(it.box, it, Image.of(shape.box()))) }
        }
    }
}

/** Which rank has which boxes of an item. */
internal fun Contents.distribution(key: Int): Distribution =
    Distribution.of(tables.map { it.entry(key)?.boxes.orEmpty() })
