package dev.cairn.output

import dev.cairn.grid.Box
import dev.cairn.item.ItemName
import dev.cairn.item.PerRankItem
import dev.cairn.item.Slot
import dev.cairn.ranks.Structure
import dev.cairn.state.Codec
import dev.cairn.state.PerRankRule
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

/**
 * Cells of a rank that a save holds, since they are not in the file of the output yet.
 *
 * @property recordCount how many records the output has with them
 */
internal class WaitingCells(val recordCount: Long, val puts: List<WaitingPut>) {
    companion object {
        val NONE = WaitingCells(0, emptyList())
    }
}

/**
 * Cells of one box.
 *
 * @property variable its number in the header of the file
 * @property bounds for each dimension the start and the extent of the box
 * @property bytes the cells, as they will lie in the file
 */
internal class WaitingPut(val variable: Int, val record: Long, val bounds: LongArray, val bytes: ByteBuffer) {
    constructor(put: Put) : this(put.variable.number, put.record, boundsOf(put.box), put.packed())

    /** @throws IllegalArgumentException if [variables] are others than those of the save */
    fun among(variables: List<FileVariable>): MemoryPut {
        val target = requireNotNull(variables.getOrNull(variable)) { "there is no variable $variable" }
        val box = boxOf(bounds)
        require(
            target.hasRecords && target.shape.dimensions() == box.dimensions() && target.shape.box().contains(box),
        ) {
            "variable '${target.name}' has no cells $box"
        }
        require(target.inBytes(box).cellCount() == bytes.remaining().toLong()) {
            "variable '${target.name}' does not have ${bytes.remaining()} bytes in $box"
        }
        return MemoryPut(target, record, box, bytes)
    }
}

internal fun boundsOf(box: Box) =
    LongArray(2 * box.dimensions()) { if (it % 2 == 0) box.start(it / 2) else box.extent(it / 2) }

/** The box of these [bounds][boundsOf]. */
internal fun boxOf(bounds: LongArray): Box {
    val dimensions = bounds.size / 2
    return Box.of(LongArray(dimensions) { bounds[2 * it] }, LongArray(dimensions) { bounds[2 * it + 1] })
}

/**
 * The waiting cells of an output, in a save that does not wait until they are in its file. Any ranks can put them.
 *
 * @param output the names of the output, with the key of this item
 */
internal fun waitingItem(output: ItemName, staged: StagedOutput): PerRankItem<WaitingCells> {
    fun nameFor(output: String) = "$output (waiting)"
    val id = ItemName(nameFor(output.today), output.key, output.former.map(::nameFor))
    val slot = Slot(id.today, WaitingCodec(staged.plan.variables), { staged.held }, { staged.restored = it })
    return PerRankItem(id, slot, PerRankRule.Merge(::joined))
}

private fun joined(cells: List<WaitingCells>) =
    WaitingCells(cells.maxOfOrNull { it.recordCount } ?: 0, cells.flatMap { it.puts })

private class WaitingCodec(private val variables: List<FileVariable>) : Codec<WaitingCells> {
    override val format get() = "cells of NetCDF variables"

    override fun encode(value: WaitingCells): ByteArray {
        val size = CELLS.size(value)
        require(size <= Int.MAX_VALUE - 8) { "$size bytes of cells wait, and a save holds 2 GiB of each rank" }
        return ByteArray(size.toInt()).also { CELLS.write(value, ByteBuffer.wrap(it).order(LITTLE_ENDIAN)) }
    }

    override fun decode(bytes: ByteBuffer): WaitingCells =
        CELLS.readAll(bytes.slice().order(LITTLE_ENDIAN)).also { cells -> cells.puts.forEach { it.among(variables) } }
}

private val PUT =
    Structure(WaitingPut(0, 0, LongArray(0), ByteBuffer.allocate(0))) {
        WaitingPut(u32(it.variable), u64(it.record), longs(it.bounds), bytes(it.bytes))
    }
private val CELLS = Structure(WaitingCells.NONE) { WaitingCells(u64(it.recordCount), list(it.puts, PUT)) }
