package dev.cairn.redistribution

import dev.cairn.grid.Box
import dev.cairn.grid.Shape
import dev.cairn.grid.cells
import io.kotest.matchers.shouldBe
import java.nio.ByteBuffer
import java.nio.ByteOrder

/**
 * A field written and brought back without files: what each writer stores and each reader must get
 * comes from a formula over the cell, and only what lies between comes from the plan.
 */
internal class Rehearsal(
    private val shape: Shape,
    private val stored: List<List<Box>>,
    private val wanted: List<List<Box>>,
    private val elementSize: Int,
    private val frameSize: Int,
) {
    private val plan = FieldPlan.of(Distribution.of(stored), Distribution.of(wanted), elementSize, frameSize)
    private val shares = wanted.indices.map(plan::share)

    private val cellsOfWriter = stored.map { boxes -> boxes.flatMap { it.cells() } }

    /** Pieces on their way, by sender and receiver. */
    private val messages = HashMap<Pair<Int, Int>, ArrayDeque<ByteBuffer>>()

    /** Bytes that went from one rank to another one. */
    var bytesSent = 0L
        private set

    /** For each rank, how many bytes of frames it read. */
    val bytesRead = LongArray(wanted.size)

    fun run() {
        val framesRead = wanted.indices.flatMap(::sendAll)
        framesRead.sortedWith(compareBy({ it.first }, { it.second })) shouldBe neededFrames()
        wanted.indices.forEach(::receiveAll)
        messages.values.all { it.isEmpty() } shouldBe true
    }

    private fun sendAll(rank: Int): List<Pair<Int, Long>> =
        shares[rank].reads().map { number ->
            val frame = plan.frame(number)
            val bytes = bytesOf(frame)
            bytesRead[rank] += frame.size().toLong()
            frame.pieces().forEach { send(rank, it, bytes) }
            frame.writer() to frame.index()
        }

    private fun send(rank: Int, piece: Piece, frame: ByteBuffer) {
        val message = ByteBuffer.allocate(elementSize * piece.cells().cellCount().toInt())
        Cells.of(frame, elementSize).copyTo(message, Runs.of(piece.cells(), piece.source(), Image.of(piece.cells())))
        messages.getOrPut(rank to piece.rank()) { ArrayDeque() } += message
        if (rank != piece.rank()) bytesSent += message.capacity().toLong()
    }

    /** Each box has its own array with a halo of one cell. */
    private fun receiveAll(rank: Int) {
        val arrays = wanted[rank].map { box -> Image.of(box.withHalo()) }
        val memory = arrays.map { ByteBuffer.allocate(elementSize * it.box().cellCount().toInt()) }
        val arrivals = arrays.map { IntArray(it.box().cellCount().toInt()) }
        for (source in shares[rank].sources() + rank) {
            for (piece in shares[rank].from(source).flatMap { plan.pieces(it, rank) }) {
                piece.rank() shouldBe rank
                val array = arrays[piece.boxNumber()]
                val runs = Runs.of(piece.cells(), array, Image.of(piece.cells()))
                Cells
                    .of(
                        memory[piece.boxNumber()],
                        elementSize,
                    ).copyFrom(messages.getValue(source to rank).removeFirst(), runs)
                piece.cells().cells().forEach {
                    arrivals[piece.boxNumber()][
                        array
                            .box()
                            .index(
                                *it.toLongArray(),
                            ).toInt(),
                    ]++
                }
            }
        }
        wanted[rank].forEachIndexed { number, box ->
            val indices = box.cells().map { arrays[number].box().index(*it.toLongArray()).toInt() }
            arrivals[number].indices.filter { arrivals[number][it] > 0 } shouldBe indices
            arrivals[number].all { it <= 1 } shouldBe true
            indices.map { at ->
                memory[number].array().copyOfRange(at * elementSize, (at + 1) * elementSize).toList()
            } shouldBe
                box.cells().map { valueAt(it).toList() }
        }
    }

    /** The frame as it is on disk, of which the plan tells the place. */
    private fun bytesOf(frame: Frame): ByteBuffer {
        val cells = cellsOfWriter[frame.writer()].chunked(frameSize / elementSize)[frame.index().toInt()]
        frame.position() shouldBe frame.index() * frameSize
        frame.size() shouldBe cells.size * elementSize
        return ByteBuffer.allocate(frame.size()).also { bytes -> cells.forEach { bytes.put(valueAt(it)) } }.flip()
    }

    private fun neededFrames(): List<Pair<Int, Long>> {
        val wantedCells = wanted.flatten().flatMap { it.cells() }.toSet()
        return cellsOfWriter.flatMapIndexed { writer, cells ->
            cells.chunked(frameSize / elementSize).mapIndexedNotNull { index, frame ->
                (writer to index.toLong()).takeIf { frame.any { it in wantedCells } }
            }
        }
    }

    /** The first bytes of a mixed number that no other cell has. */
    private fun valueAt(cell: List<Long>): ByteArray {
        val mixed = (shape.index(*cell.toLongArray()) + 1) * -0x61c8864680b583ebL
        return ByteBuffer
            .allocate(
                Long.SIZE_BYTES,
            ).order(ByteOrder.BIG_ENDIAN)
            .putLong(mixed)
            .array()
            .copyOf(elementSize)
    }

    private fun Box.withHalo() =
        Box.of(
            LongArray(dimensions()) { start(it) - 1 },
            LongArray(dimensions()) {
                extent(it) +
                    2
            },
        )
}
