package dev.cairn.save

import dev.cairn.checkpoint.SnapshotMemory
import dev.cairn.concentrate.ClientLine
import dev.cairn.node.HostRoom
import dev.cairn.node.LocalDisks
import dev.cairn.node.MakingByHosts

/**
 * The way of a save. These are its stages; at ‖ the program goes on, and the rest is done in the background and in later meetings:
 *
 * | route | stages |
 * |---|---|
 * | direct | plan · write · commit ‖ retire |
 * | copied | plan · copy ‖ write · commit · retire |
 * | dedicated | plan · send ‖ write · commit · retire |
 * | local, copied | plan · copy ‖ write on the hosts · complete · copy to other hosts · seal · drain · commit · retire |
 * | local | plan · write on the hosts · complete · copy to other hosts · seal ‖ drain · commit · retire |
 */
internal sealed interface Route {
    /** Where the state is copied; null if the program waits until it is written, or a dedicated rank has it. */
    val memory: SnapshotMemory? get() = null

    /** The ranks write into the shared store while the program waits. */
    data object Direct : Route

    /** The state is copied into [memory], from which the ranks' workers write it into the shared store. */
    class Copied(
        override val memory: SnapshotMemory,
    ) : Route

    /** The state is sent along [line] to a dedicated rank, which writes it into the shared store. */
    class Dedicated(
        val line: ClientLine,
    ) : Route

    /**
     * The ranks write to the [disks] of their hosts, from which the save is drained into the shared store.
     *
     * @param rooms of the hosts, on rank 0
     */
    class Local(
        val disks: LocalDisks,
        rooms: List<HostRoom>,
        override val memory: SnapshotMemory?,
    ) : Route {
        /** The files of the hosts. */
        val making = MakingByHosts(disks.hosts, rooms)
    }
}
