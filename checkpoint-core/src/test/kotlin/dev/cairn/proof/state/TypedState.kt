package dev.cairn.proof.state

import dev.cairn.Checkpoints
import dev.cairn.Field
import dev.cairn.checkpoints
import dev.cairn.grid.Box
import dev.cairn.grid.Shape
import dev.cairn.options.CheckpointOptions
import dev.cairn.proof.failure.fill
import dev.cairn.ranks.Communicator
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.state.ElementType
import java.nio.file.Path
import java.util.Objects

/** Cells of each type as a formula of their global number, as an array, and as another program prints them. */
internal enum class Sample(
    val type: ElementType,
    val cell: (Long) -> Any,
    val parse: (String) -> Any,
    private val array: (List<Any>) -> Any,
    private val block: Field.Builder.(Box, Any) -> Unit,
) {
    BOOLEANS(
        ElementType.BOOLEAN,
        { it % 3 == 0L },
        String::toBooleanStrict,
        { all -> BooleanArray(all.size) { all[it] as Boolean } },
        { box, array -> block(box, array as BooleanArray) },
    ),
    BYTES(
        ElementType.BYTE,
        { (it * 37).toByte() },
        String::toByte,
        { all -> ByteArray(all.size) { all[it] as Byte } },
        { box, array -> block(box, array as ByteArray) },
    ),
    SHORTS(
        ElementType.SHORT,
        { (it * -1301).toShort() },
        String::toShort,
        { all -> ShortArray(all.size) { all[it] as Short } },
        { box, array -> block(box, array as ShortArray) },
    ),
    CHARS(
        ElementType.CHAR,
        { (it * 1009).toInt().toChar() },
        { it.toInt().toChar() },
        { all -> CharArray(all.size) { all[it] as Char } },
        { box, array -> block(box, array as CharArray) },
    ),
    INTS(
        ElementType.INT,
        { (it * -100_000_007).toInt() },
        String::toInt,
        { all -> IntArray(all.size) { all[it] as Int } },
        { box, array -> block(box, array as IntArray) },
    ),
    LONGS(
        ElementType.LONG,
        { it * -0x123_4567_89ab_cdefL },
        String::toLong,
        { all -> LongArray(all.size) { all[it] as Long } },
        { box, array -> block(box, array as LongArray) },
    ),
    FLOATS(
        ElementType.FLOAT,
        { 1f / (it + 3) },
        String::toFloat,
        { all -> FloatArray(all.size) { all[it] as Float } },
        { box, array -> block(box, array as FloatArray) },
    ),
    DOUBLES(
        ElementType.DOUBLE,
        { -1.0 / (it + 3) },
        String::toDouble,
        { all -> DoubleArray(all.size) { all[it] as Double } },
        { box, array -> block(box, array as DoubleArray) },
    ),
    ;

    fun cells(box: Box, shape: Shape): Any = array((0 until box.cellCount()).map { cell(shape.index(*box.cell(it))) })

    /** None of the cells is what it should become. */
    fun blank(box: Box): Any = array(List(Math.toIntExact(box.cellCount())) { cell(-1) })

    fun declare(builder: Field.Builder, box: Box, array: Any) = builder.block(box, array)

    companion object {
        val SHAPE: Shape = Shape.of(3, 4, 5)

        /** Irregular, and one rank has nothing. */
        val BOXES: List<List<Box>> =
            listOf(
                listOf(box(0, 0, 0, 1, 4, 5), box(2, 3, 0, 1, 1, 5)),
                listOf(box(1, 0, 0, 2, 3, 2)),
                listOf(),
                listOf(box(1, 0, 2, 2, 3, 3), box(1, 3, 0, 1, 1, 5)),
            )

        private fun box(vararg numbers: Long): Box = Box.of(numbers.copyOfRange(0, 3), numbers.copyOfRange(3, 6))
    }
}

/** One rank's boxes of a field of each of [samples]. */
internal class TypedState(
    private val boxes: List<Box>,
    private val shape: Shape = Sample.SHAPE,
    samples: List<Sample> = Sample.entries,
    fill: Sample.(Box, Shape) -> Any,
) {
    private val arrays = samples.associateWith { sample -> boxes.map { sample.fill(it, shape) } }

    suspend fun Communicator.open(directory: Path, files: BlockStore = FileBlockStore()): Checkpoints =
        checkpoints(directory, CheckpointOptions { blockSize = 64 }, files) {
            for ((sample, ofBoxes) in arrays) {
                field(sample.name.lowercase(), shape, sample.type) {
                    boxes.zip(ofBoxes) { box, array -> sample.declare(this, box, array) }
                }
            }
        }

    fun isRight(): Boolean =
        arrays.all { (sample, ofBoxes) ->
            boxes.indices.all { Objects.deepEquals(ofBoxes[it], sample.cells(boxes[it], shape)) }
        }
}
