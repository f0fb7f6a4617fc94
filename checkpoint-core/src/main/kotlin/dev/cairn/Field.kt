package dev.cairn

import dev.cairn.checkpoint.TableOfContents
import dev.cairn.comm.Communicator
import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.grid.Box
import dev.cairn.grid.Halo
import dev.cairn.grid.Shape
import dev.cairn.redistribution.Distribution
import dev.cairn.redistribution.HaloPlan
import dev.cairn.redistribution.Holders
import dev.cairn.state.ArrayKind
import java.nio.ByteBuffer
import java.util.function.Function

/**
 * A global array of [shape], of which this rank owns any number of [blocks]. It belongs to one rank.
 *
 * @param A the primitive arrays in which the cells are
 */
public class Field<A : Any> internal constructor(
    public val shape: Shape,
    public val blocks: List<Block<A>>,
    internal val kind: ArrayKind<A>,
    private val halo: Halo,
    ranks: Communicator,
) {
    /**
     * The cells of a box, and of a halo around it, which is neither saved nor restored.
     *
     * @property box the cells that this rank owns
     * @property within the cells that [cells] holds, row by row: the box and its halo
     */
    public class Block<A : Any> internal constructor(
        public val box: Box,
        public val within: Box,
        public val cells: A,
    )

    private val wire =
        HaloWire(ranks, "$shape with the halo $halo") { it.haloPlan(shape, halo, blocks.map { block -> block.box }) }

    /**
     * Collective: fetches the cells of the halos from the blocks that own them, on other ranks and on this one. The
     * first time, all ranks exchange the boxes that they own.
     */
    public suspend fun exchangeHalo() {
        if (halo.isNone(shape.dimensions())) return
        wire.exchange(listOf(HaloCells(kind.type, blocks.map { kind.cells(it.cells) })))
    }
}

/** Collective: what this rank, which has [boxes], exchanges with the others. */
private suspend fun Communicator.haloPlan(
    shape: Shape,
    halo: Halo,
    boxes: List<Box>,
): HaloPlan {
    val own = TableOfContents.Entry(KEY, 0, boxes, emptyList())
    val tables = allGather(TableOfContents(0, rank, size, listOf(own)).encode())
    val all = shareInProcess { Distribution.of(tables.map(::boxesIn)) }
    return HaloPlan.of(shape, halo, boxes, rank, Holders.of(all))
}

private fun boxesIn(table: ByteBuffer): List<Box> {
    val entry = TableOfContents.decode(table).entry(KEY)
    return entry?.boxes.orEmpty()
}

private const val KEY = 1

internal fun <A : Any> fieldOf(
    ranks: Communicator,
    type: Class<A>,
    shape: Shape,
    boxes: List<Box>,
    halo: Halo,
    create: Function<Box, A>?,
): Field<A> {
    // Also on a rank without boxes: all ranks are refused, or none is.
    halo.requireFor(shape.dimensions())
    val kind = ArrayKind.ofArrays(type) { InvalidDeclaration(Details(it)) }
    val make = create ?: Function { within -> kind.create(Math.toIntExact(within.cellCount())) }
    val blocks = boxes.map { box -> halo.around(box).let { Field.Block(box, it, make.apply(it)) } }
    return Field(shape, blocks, kind, halo, ranks)
}
