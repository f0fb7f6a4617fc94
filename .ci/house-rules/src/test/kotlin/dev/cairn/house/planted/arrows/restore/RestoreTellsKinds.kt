package dev.cairn.house.planted.arrows.restore

import dev.cairn.house.planted.arrows.item.ItemKind
import dev.cairn.house.planted.arrows.item.SeedItem
import dev.cairn.house.planted.arrows.item.SeedKind
import dev.cairn.house.planted.arrows.item.SharedItem
import dev.cairn.house.planted.arrows.item.StateItem

class RestoreAsksWays {
    fun isShared(item: StateItem) = item is SharedItem

    fun name(kind: ItemKind) = kind.name
}

class RestoreChoosesByItem {
    fun step(item: StateItem) =
        when (item) {
            is SeedItem -> "read the seed"
            else -> "read"
        }
}

class RestoreFiltersItems {
    fun seeds(items: List<StateItem>) = items.filterIsInstance<SeedItem>()
}

class RestoreChoosesByKind {
    fun isSeed(kind: ItemKind) = kind == SeedKind
}
