package dev.cairn.java

import dev.cairn.HaloExchange
import dev.cairn.grid.Box
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Halo
import dev.cairn.haloExchange

/**
 * A [HaloExchange] for Java, and for other blocking programs. It belongs to the thread of one rank, and owns
 * nothing that must be closed.
 */
public class BlockingHaloExchange private constructor(
    private val ranks: BlockingCommunicator,
    private val exchange: HaloExchange,
) {
    /** The cells that this rank owns; it may be empty. */
    @get:JvmName("box")
    public val box: Box get() = exchange.box

    /** The cells that the arrays of this rank hold, row by row: the box and its halo. */
    @get:JvmName("within")
    public val within: Box get() = exchange.within

    /** Collective: fetches the cells of the halos of these arrays; see [HaloExchange.exchange]. */
    public fun exchange(vararg arrays: Any): Unit = ranks.call { exchange.exchange(*arrays) }

    public companion object {
        /** Fills halos of [decomposition], which must have as many blocks as there are ranks. */
        @JvmStatic
        public fun of(
            ranks: BlockingCommunicator,
            decomposition: Decomposition,
            halo: Halo,
        ): BlockingHaloExchange = BlockingHaloExchange(ranks, ranks.call { haloExchange(decomposition, halo) })
    }
}
