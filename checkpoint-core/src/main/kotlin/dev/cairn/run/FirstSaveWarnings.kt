package dev.cairn.run

import dev.cairn.event.counted
import dev.cairn.item.StateItem
import dev.cairn.item.neverReadBack
import dev.cairn.state.Codecs
import dev.cairn.store.CheckpointStore

/** A warning if there are no [items]; null if there are some. A program may do with the number of steps, but rarely does. */
internal fun noState(items: List<StateItem>): String? {
    if (items.isNotEmpty()) return null
    return "the program declares no state, so a restart gets the number of steps back, and nothing else. Declare " +
        "what the steps change, unless none of them needs what those before have done."
}

/** A warning about those of [items] that only a restart reads; null if there are none. */
internal fun neverReadBack(items: List<StateItem>): String? {
    val unread = items.neverReadBack.map { "'${it.name}'" }
    if (unread.isEmpty()) return null
    val streams = if (unread.size == 1) "the stream ${unread.single()}" else "the streams ${unread.joinToString()}"
    val them = if (unread.size == 1) "it" else "them"
    return "whether $streams can be read is not checked before a restart, since reading changes the program. " +
        "Declare $them with a StreamCodec, such as Codecs.textStream."
}

/**
 * The warning at the first save of a program that has restored nothing although the [store] holds checkpoints: a program with a loop
 * of its own that forgets to restore looks like a new run. Null if the store is empty.
 */
internal fun earlierRunIn(store: CheckpointStore): String? {
    val earlier = store.survey().saves
    if (earlier.isEmpty()) return null
    return "${store.directory}: it holds ${counted(earlier.size, "checkpoint")} of an earlier run, the newest of " +
        "which is save ${earlier.first().number}, but the program saves without having restored any. That begins a " +
        "new run, and those of the earlier one are deleted as soon as there are keep-last newer ones. To continue " +
        "from it, let restore() succeed before the first save; for a new run, use another directory."
}
