package dev.cairn.stored

import dev.cairn.contents.Contents
import dev.cairn.redistribution.Distribution

/** Which rank has which boxes of an item. */
internal fun Contents.distribution(key: Int): Distribution =
    Distribution.of(tables.map { it.entry(key)?.boxes.orEmpty() })
