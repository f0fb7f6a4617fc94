package dev.cairn.checkpoint

import dev.cairn.redistribution.Distribution

/** The boxes of an item that each rank has. */
internal fun Contents.distribution(key: Int): Distribution =
    Distribution.of(tables.map { it.entry(key)?.boxes.orEmpty() })
