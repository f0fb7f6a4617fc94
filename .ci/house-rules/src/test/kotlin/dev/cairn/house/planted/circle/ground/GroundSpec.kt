package dev.cairn.house.planted.circle.ground

import dev.cairn.house.planted.circle.top.Top

class UseByASpec(val top: Top)

class PartOfASpec(val top: Top)
