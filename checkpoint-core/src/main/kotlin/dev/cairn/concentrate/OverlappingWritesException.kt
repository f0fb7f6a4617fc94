package dev.cairn.concentrate

/** Two ranks write the same bytes in one call. */
internal class OverlappingWritesException(
    message: String,
) : IllegalArgumentException(message)
