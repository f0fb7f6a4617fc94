package dev.cairn.run

import dev.cairn.item.StateItem
import dev.cairn.item.neverReadBack
import dev.cairn.state.Codecs

/** A warning about those of [items] that only a restart reads; null if there are none. */
internal fun neverReadBack(items: List<StateItem>): String? {
    val unread = items.neverReadBack.map { "'${it.name}'" }
    if (unread.isEmpty()) return null
    val streams = if (unread.size == 1) "the stream ${unread.single()}" else "the streams ${unread.joinToString()}"
    val them = if (unread.size == 1) "it" else "them"
    return "whether $streams can be read is not checked before a restart, since reading changes the program. " +
        "Declare $them with a StreamCodec, such as Codecs.textStream."
}
