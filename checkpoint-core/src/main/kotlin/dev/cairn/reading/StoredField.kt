package dev.cairn.reading

import dev.cairn.checkpoint.ItemRecords
import dev.cairn.checkpoint.TableOfContents
import dev.cairn.checkpoint.arrayKind
import dev.cairn.checkpoint.arraySize
import dev.cairn.checkpoint.digestFormula
import dev.cairn.checkpoint.distribution
import dev.cairn.grid.Box
import dev.cairn.grid.Shape
import dev.cairn.item.Coverage
import dev.cairn.redistribution.CellDigest
import dev.cairn.redistribution.CellDigester
import dev.cairn.redistribution.Cells
import dev.cairn.redistribution.DigestFormula
import dev.cairn.redistribution.Distribution
import dev.cairn.redistribution.FieldPlan
import dev.cairn.redistribution.Frame
import dev.cairn.redistribution.Image
import dev.cairn.redistribution.Piece
import dev.cairn.redistribution.Runs
import dev.cairn.state.ElementType
import java.io.IOException
import java.nio.ByteBuffer

/**
 * A global array. It is read as a whole or box by box, independently of its distribution over the ranks, by any thread while its
 * [StoredCheckpoint] is open.
 */
public class StoredField internal constructor(internal override val records: ItemRecords) : StoredItem() {
    @get:JvmName("elementType")
    public val elementType: ElementType = ElementType.valueOf(described.elementType.uppercase())

    @get:JvmName("shape")
    public val shape: Shape = Shape.of(*described.shape.toLongArray())

    internal val coverage: Coverage = Coverage.of(described.layout)

    /** The distribution of the stored boxes. */
    internal val stored: Distribution by lazy { state.contents.distribution(key) }

    private val boxesByRank: List<List<Box>> get() = state.contents.tables.map { it.entry(key)?.boxes.orEmpty() }

    /** Lazy, so that later reads of the field do not check for gaps again. */
    private val soundness: Unit by lazy {
        requireCounts()
        requireTiled()
    }

    /**
     * The cells of [box] in row-major order, in an array such as `double[]`. Beside the array, it needs a frame of 1 MiB of memory.
     * A field with more cells than an array holds is read box by box, and so is a sparse one, whose stored boxes are [boxes].
     *
     * @param type the class of the array, which must hold the field's own [elementType]
     */
    @JvmOverloads
    @Throws(IOException::class)
    public fun <A : Any> read(type: Class<A>, box: Box = shape.box()): A {
        val kind = arrayKind(type, elementType, name)
        require(shape.box().contains(box)) { "'$name' has the shape $shape, in which $box does not lie" }
        requireSound()
        requireStored(box)
        val array = kind.create(arraySize(box.cellCount(), "the box $box of '$name'"))
        val cells = kind.cells(array)
        forEachPiece(planFor(Distribution.of(listOf(listOf(box)))), 0) { frame, piece ->
            cells.copyFrom(frame, Runs.of(piece.cells, Image.of(box), piece.source))
        }
        if (box == shape.box()) requireDigest(digestOf(cells))
        return array
    }

    /** As the other one, for Kotlin: `field.read<DoubleArray>()`. */
    @Throws(IOException::class)
    public inline fun <reified A : Any> read(box: Box = shape.box()): A = read(A::class.java, box)

    /** The boxes that ranks have stored, those of rank 0 first. Unless the field is sparse, they tile its shape. */
    public fun boxes(): List<Box> = boxesByRank.flatten()

    internal override fun countElements() = countBytes() / elementType.size

    internal override fun digest(formula: DigestFormula): CellDigest {
        val digester = formula.cells()
        state.contents.tables.forEach { digest(it, digester) }
        return digester.digest()
    }

    /** A plan to read the field for readers that request these boxes. */
    internal fun planFor(wanted: Distribution): FieldPlan =
        FieldPlan.of(stored, wanted, elementType.size, TableOfContents.FRAME_SIZE)

    /**
     * Reads, frame by frame, the share of [reader] in [plan]; [use] is called with the bytes of a frame and each of the requested
     * pieces.
     */
    internal fun forEachPiece(plan: FieldPlan, reader: Int, use: (frame: ByteBuffer, piece: Piece) -> Unit) {
        val share = plan.share(reader)
        for (number in (share.sources() + reader).flatMap { share.from(it).asList() }.sorted()) {
            val frame = read(plan.frame(number))
            plan.pieces(number, reader).forEach { use(frame, it) }
        }
    }

    /** As [requireTiled]; also fails unless the number of stored cells is that in the manifest. */
    internal fun requireSound() = soundness

    /** Fails unless each cell is stored once, or, if the field is sparse, at most once. */
    internal fun requireTiled() = coverage.requireTiled(name, shape, boxesByRank, "${state.file}: ")

    private fun requireStored(box: Box) {
        if (coverage == Coverage.WHOLE) return
        val gap = stored.gapIn(box)
        require(gap.isEmpty) {
            "'$name' is sparse, and no rank stored ${gap.get()}: read one of the stored boxes"
        }
    }

    private fun read(frame: Frame): ByteBuffer {
        val bytes = ByteBuffer.allocate(frame.size)
        state.readFrame(frame.writer, key, Math.toIntExact(frame.index), bytes)
        return bytes.flip()
    }

    /** Adds the cells of a piece to a digest of the field. */
    internal fun digest(frame: ByteBuffer, piece: Piece, digester: CellDigester) =
        Cells
            .of(frame, elementType.size)
            .digest(digester, Runs.of(piece.cells, piece.source, Image.of(shape.box())))

    private fun digestOf(all: Cells): CellDigest {
        val image = Image.of(shape.box())
        return digestFormula.cells().also { all.digest(it, Runs.of(shape.box(), image, image)) }.digest()
    }

    private fun digest(table: TableOfContents, digester: CellDigester) {
        val boxes = table.entry(key)?.boxes.orEmpty()
        val starts = boxes.runningFold(0L) { start, box -> start + box.cellCount() }
        val images = boxes.zip(starts, ::Image)
        state.forEachFrame(table.rank, key) { start, frame ->
            val first = start / elementType.size
            val cells = Cells.of(frame, elementType.size)
            images
                .flatMap { it.between(first, first + frame.remaining() / elementType.size) }
                .forEach { cells.digest(digester, Runs.of(it.box, it, Image.of(shape.box()))) }
        }
    }
}
