package dev.cairn.save

import dev.cairn.contents.SnapshotMemory
import dev.cairn.dedicated.ClientLine

/** Where the state of a rank is when its program goes on, and the save is not written yet. */
internal sealed interface CopyPlace {
    class Memory(
        val memory: SnapshotMemory,
    ) : CopyPlace

    /** In the memory of a dedicated rank, to which it is sent along [line]. */
    class Dedicated(
        val line: ClientLine,
    ) : CopyPlace
}
