package dev.cairn.item

import dev.cairn.checkpoint.ItemRecords
import dev.cairn.checkpoint.SnapshotMemory
import dev.cairn.checkpoint.TableOfContents
import dev.cairn.checkpoint.distribution
import dev.cairn.concentrate.Concentrators
import dev.cairn.event.CheckpointException
import dev.cairn.event.counted
import dev.cairn.grid.Box
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ProgramCode
import dev.cairn.ranks.allReduce
import dev.cairn.redistribution.CellDigest
import dev.cairn.redistribution.CellDigester
import dev.cairn.redistribution.Cells
import dev.cairn.redistribution.Distribution
import dev.cairn.redistribution.FieldPlan
import dev.cairn.redistribution.Image
import dev.cairn.redistribution.Runs
import dev.cairn.state.ElementType
import dev.cairn.state.PropertyChanges
import dev.cairn.state.elementTypeOf
import dev.cairn.store.Manifest
import dev.cairn.store.ManifestItem
import java.nio.ByteBuffer

/**
 * A global array, of which this rank has some blocks. The program returns their list for each save and each restore, since they
 * may change in between.
 */
internal class FieldItem(
    override val id: ItemName,
    val type: ElementType,
    override val shape: Shape,
    override val coverage: Coverage,
    override val concentrators: Concentrators? = null,
    private val currentBlocks: () -> List<CellBlock>,
) : CellItem {
    override val kind get() = FieldKind

    private val place get() = "the function of the $word '$name'"

    /** This rank's boxes at the last check that those of all ranks make up the field. */
    private var checkedBoxes: List<Box>? = null

    override fun blocks(): List<CellBlock> = ProgramCode.run(place) { currentBlocks() }

    override fun savedObjects(): List<Any?> = saving(place) { currentBlocks().map { it.held() } }

    override fun requireTiled(tables: List<TableOfContents>) =
        coverage.requireTiled(name, shape, tables.map { it.entry(key)?.boxes.orEmpty() })

    override fun acceptTiling(boxes: List<Box>) {
        checkedBoxes = boxes
    }

    override val schema get() = Schema(kind.name, type.toString(), List(shape.dimensions()) { shape.extent(it) })

    override val layout get() = coverage.layout

    override val terms: List<String> get() = coverage.layout.values + listOfNotNull(concentrators?.toString())

    private val gathering = FieldGathering(name, shape, type)

    override fun conversionFrom(stored: ManifestItem, manifest: Manifest, changes: PropertyChanges) =
        fieldConversion(this, stored, manifest)

    override fun capture(rank: Int): Capture = FieldCapture(saving(place) { currentBlocks() })

    /** @param expectedDigest of the blocks of all ranks, if these have been gathered and are no longer the program's */
    private inner class FieldCapture(
        private val blocks: List<CellBlock>,
        override val expectedDigest: CellDigest? = null,
    ) : SingleCapture,
        SharedCapture {
        override val boxes = blocks.map { it.box }
        override val key get() = this@FieldItem.key
        private val ends = boxes.runningFold(0L) { end, box -> Math.addExact(end, box.cellCount()) }

        override val elementCount get() = ends.last()
        override val size = Math.multiplyExact(elementCount, type.size.toLong())

        override val hasMoved get() = boxes != checkedBoxes

        override fun acceptTiling() = acceptTiling(boxes)

        override suspend fun concentrated(
            ranks: Communicator,
            concentrators: Concentrators?,
            digest: suspend (Capture) -> CellDigest,
        ): Capture {
            val chosen = this@FieldItem.concentrators ?: concentrators
            if (chosen == null || coverage == Coverage.SPARSE) return this
            val own = digest(this)
            val all = ranks.allReduce(longArrayOf(own.first, own.second, elementCount), Long::plus)
            if (all[2] != shape.cellCount()) throw notTiled(all[2])
            return FieldCapture(gathering.gather(ranks, chosen, blocks), CellDigest(all[0], all[1]))
        }

        private fun notTiled(cellCount: Long) =
            invalid(
                name,
                "$word '$name' has ${counted(shape.cellCount(), "cell")}, but the blocks of all ranks have " +
                    "$cellCount. Let each cell have one owner",
            )

        override fun copy(memory: SnapshotMemory): Capture? = if (expectedDigest != null) this else copyBlocks(memory)

        private fun copyBlocks(memory: SnapshotMemory): Capture? =
            memory.allOrNothing {
                val copies = blocks.map { it.copy(memory, type.size) }
                if (null in copies) null else FieldCapture(copies.filterNotNull())
            }

        override fun read(start: Long, target: ByteBuffer, digester: CellDigester) {
            val first = start / type.size
            val end = first + target.remaining() / type.size
            val stored = Cells.of(target, type.size)
            for ((index, block) in blocks.withIndex()) {
                if (ends[index] < end && ends[index + 1] > first) {
                    for (part in Image(block.box, ends[index]).between(first, end)) {
                        block.copy(part.box, target, part)
                        stored.digest(digester, Runs.of(part.box, part, Image.of(shape.box())))
                    }
                }
            }
            target.position(target.limit())
        }
    }
}

/** The conversion of the cells of a stored field to those of [field]: of the same shape, and as wide or wider. */
internal fun fieldConversion(field: FieldItem, stored: ManifestItem, manifest: Manifest): Conversion {
    if (stored.shape != field.schema.shape) throw reshaped(field, stored, manifest)
    val widening =
        elementTypeOf(stored.elementType)?.wideningTo(field.type) ?: throw differs(field, stored, manifest)
    val note = "'${field.name}' is widened from ${stored.elementType} to ${field.type}."
    return Conversion(listOf(widening), notes = if (widening.isNone) emptyList() else listOf(note))
}

private fun reshaped(field: FieldItem, stored: ManifestItem, manifest: Manifest): CheckpointException {
    val (found, wanted) = stored.shape.joinToString("x") to field.schema.shape.joinToString("x")
    return notFitting(
        stored.name,
        "save ${manifest.save} holds the ${field.word} '${stored.name}' with the shape $found, but the program " +
            "declares '${field.name}' with $wanted. The cells of one shape cannot be restored into another: restore " +
            "the ${field.word} with the stored shape, and copy it into a new ${field.word} of another name.",
    )
}

/** Global arrays: on any number of ranks, their cells are sent to the ranks that request them. */
internal object FieldKind : ItemKind("field", StoredForm.CELLS) {
    override fun isReadable(stored: ManifestItem) = elementTypeOf(stored.elementType) != null

    /** Assumes equal shares of the rows, since the blocks of the program are not known. */
    override fun plan(item: ItemRecords, reads: RestartReads): PlannedItem {
        val stored = item.described
        val cellSize = checkNotNull(elementTypeOf(stored.elementType)).size
        val rows = Decomposition.rows(Shape.of(*stored.shape.toLongArray()), reads.newCount)
        val held = item.state.contents.distribution(item.key)
        val plan = FieldPlan.of(held, Distribution.of(rows.boxes()), cellSize, TableOfContents.FRAME_SIZE)
        reads.add(plan, cellSize)
        val share = if (Coverage.of(stored.layout) == Coverage.SPARSE) "what was stored of its rows" else "its rows"
        return item.planned("${counted(plan.frameCount(), "frame")}, each read once; then every rank gets $share")
    }
}
