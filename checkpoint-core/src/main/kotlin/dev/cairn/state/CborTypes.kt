package dev.cairn.state

// The parts of an item's first byte, by the names of RFC 8949: the major type in the upper three bits, and in the lower
// five the argument itself, or how many bytes it takes.

internal const val MAJOR_SHIFT = 5
internal const val INFO_MASK = 31

internal const val UNSIGNED = 0
internal const val NEGATIVE = 1
internal const val BYTES = 2
internal const val TEXT = 3
internal const val ARRAY = 4
internal const val MAP = 5
internal const val TAG = 6
internal const val SIMPLE = 7

internal const val INFO_8 = 24
internal const val INFO_16 = 25
internal const val INFO_32 = 26
internal const val INFO_64 = 27
internal const val INFO_INDEFINITE = 31

internal const val FALSE: Byte = 0xf4.toByte()
internal const val TRUE: Byte = 0xf5.toByte()
internal const val NULL: Byte = 0xf6.toByte()
internal const val BREAK: Byte = 0xff.toByte()

/** The form of a null object of a class in checkpoints of format 1.0. */
internal const val EMPTY_MAP: Byte = 0xa0.toByte()

/** A level takes about 1 KiB of the thread's stack, of which there may be 1 MiB. */
internal const val MOST_DEPTH = 500

internal fun initial(major: Int, info: Int): Byte = (major shl MAJOR_SHIFT or info).toByte()
