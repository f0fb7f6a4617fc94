package dev.cairn.house.planted.arrows.item

sealed interface StateItem

interface SharedItem : StateItem

class SeedItem : SharedItem

abstract class ItemKind {
    val name = "a kind"
}

object SeedKind : ItemKind()

class ItemTellsItself {
    fun isSeed(item: StateItem) = item is SeedItem
}
