package dev.cairn.item

import dev.cairn.store.Parameter

/**
 * The declarations of one rank: its [items], the names of [removed] items and parameters, the names that these had [formerly], the
 * [parameters] with which the program was started, the names of those that may be [changing] within a run, the name of the
 * [program], if Cairn keeps its loop, and what is called [beforeSave] and [afterRestore]. Its
 * [witnesses] are no state.
 */
internal class Declared(
    val items: List<StateItem>,
    val removed: Set<String>,
    val formerly: Map<String, List<String>>,
    val parameters: List<Parameter>,
    val changing: Set<String>,
    val program: String?,
    val beforeSave: Hooks,
    val afterRestore: Hooks,
    val witnesses: List<Witness>,
)
