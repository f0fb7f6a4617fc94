package dev.cairn.house.planted.circle.save

import dev.cairn.house.planted.circle.store.Store

class Saver {
    fun begin(): Any = Store(null)
}
