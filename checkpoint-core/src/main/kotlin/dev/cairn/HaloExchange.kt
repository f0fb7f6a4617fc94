@file:JvmSynthetic

package dev.cairn

import dev.cairn.event.CallsDifferException
import dev.cairn.grid.Box
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Halo
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.MessageTags
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.broadcastText
import dev.cairn.ranks.collectively
import dev.cairn.redistribution.Cells
import dev.cairn.redistribution.HaloPlan
import dev.cairn.redistribution.Holders
import dev.cairn.state.ArrayKind
import dev.cairn.state.ElementType
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

/**
 * Fills the halos of arrays that hold one block of a decomposition each, edges and corners alike. It is made once, and serves
 * any number of arrays of any primitive types, one exchange after another. It belongs to one rank; every rank has one, of the
 * same decomposition and halo. Its messages are never mixed up with those of the program.
 *
 * @property box the cells that this rank owns; it may be empty
 * @property within the cells that the arrays of this rank hold, row by row: the box and its halo
 */
public class HaloExchange internal constructor(
    private val ranks: Communicator,
    decomposition: Decomposition,
    halo: Halo,
) {
    public val box: Box = decomposition.boxOf(ranks.rank)
    public val within: Box = halo.around(box)

    private val wire =
        HaloWire(ranks, "$decomposition with the halo $halo") {
            val blocks = decomposition.boxes(ranks.rank)
            HaloPlan.of(decomposition.shape(), halo, blocks, ranks.rank, Holders.of(decomposition))
        }

    /**
     * Collective: fetches the cells of the halos from the ranks that own them. Where the array ends and is not periodic, the
     * cells of the halo stay as they are.
     *
     * @param arrays such as a `DoubleArray`, of one cell for each of [within], in row-major order. All ranks pass the
     *     same number, of the same types and in the same order; several are exchanged with as many messages as one.
     * @throws dev.cairn.event.CallsDifferException if a neighbour passes arrays of other types
     */
    public suspend fun exchange(vararg arrays: Any): Unit = wire.exchange(arrays.map(::cellsOf))

    private fun cellsOf(array: Any): HaloCells {
        val kind = ArrayKind.ofArrays(array.javaClass)
        val size = kind.size(array)
        require(size.toLong() == within.cellCount()) {
            "rank ${ranks.rank} exchanges the halo of a ${array.javaClass.typeName} of $size cells, but with " +
                "its halo the block $box has the ${within.cellCount()} cells of $within"
        }
        return HaloCells(kind.type, listOf(kind.cells(array)))
    }
}

/** The exchange for halos of [decomposition], which must have as many blocks as there are ranks. Sends no message. */
public fun Communicator.haloExchange(decomposition: Decomposition, halo: Halo): HaloExchange {
    require(decomposition.rankCount() == size) {
        "the decomposition is one for ${decomposition.rankCount()} ranks, but $name has $size"
    }
    return HaloExchange(this, decomposition, halo)
}

/** The exchange for halos of [decomposition] that are [halo] cells wide and end where the array ends. */
public fun Communicator.haloExchange(decomposition: Decomposition, halo: Int): HaloExchange =
    haloExchange(decomposition, Halo.of(halo))

/** The block of a rank; an empty box if it has none. */
internal fun Decomposition.boxOf(rank: Int): Box =
    boxes(rank).firstOrNull() ?: LongArray(shape().dimensions()).let { Box.of(it, it) }

/** The cells of this rank's [blocks], all of one [type]. */
internal class HaloCells(val type: ElementType, val blocks: List<Cells>)

/**
 * The messages of a plan. The communicator of its own that it needs is made at the first exchange, since all ranks must
 * take part in that; so is the plan. Then ranks also compare their [halos]. A message is, little-endian:
 *
 * ```
 * u32 number of arrays for each of them, u8: the place of its type in ElementType   for each of them, the cells
 * ```
 */
internal class HaloWire(
    private val program: Communicator,
    private val halos: String,
    private val makePlan: suspend (Communicator) -> HaloPlan,
) {
    private var opened: Opened? = null

    private class Opened(val ranks: Communicator, val plan: HaloPlan)

    private suspend fun open(): Opened {
        val part = checkNotNull(program.split(0))
        val ranks = part.during("exchanging halos")
        ranks.requireSameHalos()
        return Opened(ranks, makePlan(ranks)).also { opened = it }
    }

    private suspend fun Communicator.requireSameHalos() {
        val ofRoot = broadcastText(ROOT) { halos }
        collectively("compare the halos") {
            if (halos == ofRoot) return@collectively
            throw CallsDifferException(
                "rank $rank fills the halos of $halos, but rank $ROOT those of $ofRoot: all ranks must exchange " +
                    "with the same decomposition and the same halo",
            )
        }
    }

    /** Collective: fills the halos of all [arrays]. */
    suspend fun exchange(arrays: List<HaloCells>) {
        val (ranks, plan) = (opened ?: open()).run { ranks to plan }
        val (own, others) = plan.neighbours().partition { it.rank() == ranks.rank }
        for (neighbour in others) ranks.send(neighbour.rank(), MessageTags.HALO, pack(neighbour, arrays))
        for (neighbour in own) unpack(neighbour, arrays, pack(neighbour, arrays))
        for (neighbour in others) unpack(neighbour, arrays, ranks.receive(neighbour.rank(), MessageTags.HALO))
    }

    private fun pack(neighbour: HaloPlan.Neighbour, arrays: List<HaloCells>): ByteBuffer {
        val message = ByteBuffer.allocate(sizeOf(neighbour.giveCount(), neighbour, arrays)).order(LITTLE_ENDIAN)
        message.putInt(arrays.size)
        for (array in arrays) message.put(array.type.ordinal.toByte())
        for (array in arrays) {
            for (piece in neighbour.gives()) array.blocks[piece.block()].copyTo(message, piece.runs())
            message.position(message.position() + (neighbour.giveCount() * array.type.size).toInt())
        }
        return message.flip()
    }

    private fun unpack(neighbour: HaloPlan.Neighbour, arrays: List<HaloCells>, message: ByteBuffer) {
        val rest = message.duplicate().order(LITTLE_ENDIAN)
        requireSameTypes(neighbour.rank(), sent = typesIn(rest), own = arrays.map { it.type })
        check(message.remaining() == sizeOf(neighbour.wantCount(), neighbour, arrays)) {
            "rank ${neighbour.rank()} sent ${message.remaining()} bytes for the halo of rank ${program.rank}, but " +
                "their plan gives another size: please report this"
        }
        for (array in arrays) {
            for (piece in neighbour.wants()) array.blocks[piece.block()].copyFrom(rest, piece.runs())
            rest.position(rest.position() + (neighbour.wantCount() * array.type.size).toInt())
        }
    }

    private fun typesIn(message: ByteBuffer): List<ElementType> {
        val types = ElementType.values()
        return List(message.getInt()) { types[message.get().toInt()] }
    }

    private fun requireSameTypes(neighbour: Int, sent: List<ElementType>, own: List<ElementType>) {
        if (sent == own) return
        throw CallsDifferException(
            "rank $neighbour exchanges the halos of ${sent.asArrays()}, but rank ${program.rank} those of " +
                "${own.asArrays()}: all ranks must exchange arrays of the same types, in the same order",
        )
    }

    private fun List<ElementType>.asArrays() = if (isEmpty()) "no array" else joinToString { "$it[]" }

    private fun sizeOf(cellCount: Long, neighbour: HaloPlan.Neighbour, arrays: List<HaloCells>): Int {
        val size = Int.SIZE_BYTES + arrays.size + arrays.sumOf { it.type.size * cellCount }
        check(size <= Int.MAX_VALUE) {
            "the halo between the ranks ${program.rank} and ${neighbour.rank()} has $size bytes, and a message holds " +
                "2 GiB: exchange fewer arrays at a time"
        }
        return size.toInt()
    }
}
