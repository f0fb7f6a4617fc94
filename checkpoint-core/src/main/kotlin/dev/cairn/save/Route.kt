package dev.cairn.save

import dev.cairn.checkpoint.SnapshotMemory
import dev.cairn.concentrate.ClientLine
import dev.cairn.node.HostRoom
import dev.cairn.node.LocalDisks
import dev.cairn.node.MakingByHosts

/** The route of a save determines its stages: docs/architecture.md has a table of both. */
internal sealed interface Route {
    /** The memory for copies of the state; null if the program waits for the write, or a dedicated rank has the state. */
    val memory: SnapshotMemory? get() = null

    /** The ranks write into the shared store while the program waits. */
    data object Direct : Route

    /** The state is copied into [memory], from which the ranks' workers write it into the shared store. */
    class Copied(override val memory: SnapshotMemory) : Route

    /** The state is sent along [line] to a dedicated rank, which writes it into the shared store. */
    class Dedicated(val line: ClientLine) : Route

    /**
     * The ranks write to the [disks] of their hosts, from which the save is drained into the shared store.
     *
     * @param rooms the room on each host, on rank 0
     */
    class Local(val disks: LocalDisks, rooms: List<HostRoom>, override val memory: SnapshotMemory?) : Route {
        /** The files of the hosts. */
        val making = MakingByHosts(disks.hosts, rooms)
    }
}
