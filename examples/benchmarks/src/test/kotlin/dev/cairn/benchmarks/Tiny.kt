package dev.cairn.benchmarks

import dev.cairn.benchmarks.sections.Scale

/** Sizes with which every section takes little time. */
internal val TINY =
    Scale(
        streamBytes = 1 shl 19,
        throttledBytes = 1 shl 19,
        largePiece = 1 shl 17,
        smallPiece = 1 shl 12,
        taskCount = 50,
        rankCounts = listOf(40, 10),
        concentratedBytes = 1 shl 20,
        concentratedRanks = listOf(4),
        groupedRanks = 40,
        checkpointRanks = listOf(12),
        collectiveRanks = 3 to 12,
        loopSide = 8,
        loopRounds = 3,
        stepCount = 50,
        objectCount = 1_000,
        smallSaves = 5,
    )
