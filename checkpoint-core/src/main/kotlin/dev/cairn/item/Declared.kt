package dev.cairn.item

/**
 * What one rank declares: its [items], the names of items that it does not want any more, and the names that items had before.
 */
internal class Declared(
    val items: List<StateItem>,
    val removed: Set<String>,
    val formerly: Map<String, List<String>>,
)
