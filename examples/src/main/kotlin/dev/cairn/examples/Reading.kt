package dev.cairn.examples

import dev.cairn.grid.Box
import dev.cairn.reading.StoredCheckpoints
import dev.cairn.reading.StoredSave
import java.nio.file.Path

/** What the command line names is looked at: the saves of a heat equation, and the hottest cell of the newest. */
internal fun main(args: Array<String>) {
    val directory = Path.of(args.firstOrNull() ?: "heat.cairn")
    historyOf(directory).forEach(::println)
    println("at most ${hottest(directory)} in the upper rows")
}

// region list

/** A line for each save. */
internal fun historyOf(directory: Path): List<String> =
    StoredCheckpoints(directory).saves().map { save ->
        if (save is StoredSave.Good) {
            "${save.number}: step ${save.step} at ${save.time}, ${save.rankCount} ranks"
        } else {
            "${save.number}: ${save.state}" + save.reason?.let { ", $it" }.orEmpty()
        }
    }
// endregion

// region box

/** The highest temperature in the upper rows of the newest good checkpoint. */
internal fun hottest(directory: Path): Double =
    StoredCheckpoints(directory).openNewest().use { checkpoint ->
        val u = checkpoint.field("u")
        val rows = Box.of(longArrayOf(0, 0), longArrayOf(minOf(10, u.shape.extent(0)), u.shape.extent(1)))
        u.read<DoubleArray>(rows).max()
    }
// endregion

// region items

/** The bodies of save 3 of the program drift, how often they have moved, and how far its output had come. */
internal fun summaryOf(directory: Path): String =
    StoredCheckpoints(directory).open(3).use { checkpoint ->
        val x = checkpoint.table("bodies").column("x").read<DoubleArray>()
        val moves = checkpoint.rankValues("moves").decodeAll<Long>().sum()
        val seed = checkpoint.seed("noise")
        "${x.size} bodies, $moves moves, seed $seed, ${checkpoint.outputLength("log")} bytes of output"
    }
// endregion
