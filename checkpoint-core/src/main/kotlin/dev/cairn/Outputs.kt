package dev.cairn

import dev.cairn.comm.Communicator
import dev.cairn.comm.collectively
import dev.cairn.multifile.ROOT
import dev.cairn.state.OutputItem
import dev.cairn.state.StateItem

/** Collective: the run begins. The outputs among [items] go on if they were [restored], and otherwise begin anew. */
internal suspend fun Communicator.beginOutputs(
    items: List<StateItem>,
    restored: Set<StateItem> = emptySet(),
) {
    val unknown = items.filterIsInstance<OutputItem>().filterNot { it in restored }
    if (unknown.isEmpty()) return
    collectively("begin the outputs") { if (rank == ROOT) unknown.forEach { it.begin() } }
}
