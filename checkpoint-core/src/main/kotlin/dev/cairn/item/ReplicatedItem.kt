package dev.cairn.item

import dev.cairn.ranks.ROOT
import dev.cairn.state.Renames
import java.nio.ByteBuffer

/** The same value on every rank; rank 0 stores it. */
internal class ReplicatedItem<T>(
    override val id: ItemName,
    private val slot: Slot<T>,
    override val kind: ItemKind = ReplicatedKind,
) : SharedItem {
    override val schema get() = Schema(kind.name, slot.format, emptyList())

    override val valueSchema get() = slot.schema

    override val isReplicated get() = true

    override fun capture(rank: Int): Capture =
        BytesCapture(key, saving { slot.encode() }, firstIndex = 0, isStored = rank == ROOT)

    override fun heldObject() = saving { slot.heldObject() }

    override fun savedObjects(): List<Any?> = saving { listOf(slot.present) }

    override fun loss() = saving { slot.loss() }?.let { "the codec or serializer of '$name' $it" }

    override fun assign(bytes: ByteBuffer, renames: Renames) = restoring { slot.assign(slot.decode(bytes, renames)) }
}

/** Values that are the same on every rank, on any number of ranks. */
internal object ReplicatedKind : SharedKind("replicated", StoredForm.VALUE)
