package dev.cairn.house.planted.arrows.sion.format

import dev.cairn.house.planted.arrows.sion.failure.SionException
import dev.cairn.house.planted.arrows.sion.layout.Extent

class FormatUsesLayout(val extent: Extent)

class FormatComplains : SionException()
