package dev.cairn

import dev.cairn.grid.Box
import dev.cairn.grid.Shape
import dev.cairn.state.ArrayKind

/**
 * A global array of [shape], of which this rank owns any number of [blocks]. It belongs to one rank.
 *
 * @param A the primitive arrays in which the cells are
 */
public class Field<A : Any> internal constructor(
    public val shape: Shape,
    public val blocks: List<Block<A>>,
    internal val kind: ArrayKind<A>,
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
}

internal fun <A : Any> fieldOf(
    type: Class<A>,
    shape: Shape,
    boxes: List<Box>,
    halo: Int,
    create: ((within: Box) -> A)?,
): Field<A> {
    val kind = ArrayKind.ofArrays(type)
    val make = create ?: { within -> kind.create(Math.toIntExact(within.cellCount())) }
    val blocks = boxes.map { box -> box.grown(halo).let { Field.Block(box, it, make(it)) } }
    return Field(shape, blocks, kind)
}
