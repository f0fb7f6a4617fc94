package dev.cairn.house.planted.sion.format

import dev.cairn.house.planted.sion.failure.SionException
import dev.cairn.house.planted.sion.layout.Extent

class FormatUsesLayout(
    val extent: Extent,
)

class FormatComplains : SionException()
