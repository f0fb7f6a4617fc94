package dev.cairn.item

/**
 * The declarations of one rank: its [items], the names of [removed] items, and the names that items had [formerly].
 */
internal class Declared(
    val items: List<StateItem>,
    val removed: Set<String>,
    val formerly: Map<String, List<String>>,
)
