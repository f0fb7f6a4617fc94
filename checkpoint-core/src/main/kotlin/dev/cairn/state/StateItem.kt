package dev.cairn.state

import dev.cairn.cells.CellDigester
import dev.cairn.grid.Box
import java.nio.ByteBuffer

/** One declared piece of a rank's state. [key] is its number in the rank's stream, from 1 in the order of declaration. */
internal sealed interface StateItem {
    val name: String
    val key: Int

    /** The names that it had in earlier versions of the program. */
    val formerNames: List<String>

    /** What is said of it in the manifest, apart from sizes and digest. */
    val schema: Schema

    /** Whether all ranks must have the same. */
    val isReplicated: Boolean get() = this is ReplicatedItem<*>

    /** What this rank has of it now, ready to be written. Holds until the state is changed. */
    fun capture(rank: Int): Capture
}

/** What a stored item and a declared one must have in common. */
internal data class Schema(
    val kind: String,
    val elementType: String,
    val shape: List<Long>,
)

/** One rank's bytes of one item. */
internal interface Capture {
    val size: Long
    val boxes: List<Box>

    /** How many elements the rank contributes to the item. */
    val elementCount: Long

    /**
     * Fills [target] with the bytes from [start] on. Both are multiples of the element size.
     *
     * @param digester takes the elements up, in whatever order
     */
    fun read(
        start: Long,
        target: ByteBuffer,
        digester: CellDigester,
    )

    /** Digests what the rank has, but leaves to another rank to store. */
    fun digestUnstored(digester: CellDigester) = Unit
}
