package dev.cairn.examples

import dev.cairn.concentrate.Concentrators
import dev.cairn.grid.Box
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.output.readArrays
import dev.cairn.output.writeArrays
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.collectively
import dev.cairn.ranks.everyRank
import java.nio.file.Path

/**
 * Ranks write a file of arrays, or read one and check it. The arguments: `write` or `read`, the file, and the number of
 * ranks without a launcher.
 */
internal suspend fun main(args: Array<String>) {
    val (job, file, rankCount) = args
    runWeather(WeatherJob.valueOf(job.uppercase()), Path.of(file), rankCount.toInt()).forEach(::println)
}

internal enum class WeatherJob(val told: String, val run: suspend Communicator.(Path) -> Unit) {
    WRITE("wrote", Communicator::writeWeather),
    READ("read and checked", Communicator::readWeather),
}

/** Does the job on [rankCount] ranks, or in each process of a launcher, and returns what rank 0 tells. */
internal suspend fun runWeather(job: WeatherJob, file: Path, rankCount: Int): List<String> =
    everyRank(rankCount) {
        job.run(this, file)
        if (rank == 0) "$size ranks ${job.told} $file" else null
    }.filterNotNull()

private val grid = Shape.of(30, 40, 50)

// region write

/** Collective: writes a temperature, of which each rank owns a block, and the heights of the layers, all of rank 0. */
internal suspend fun Communicator.writeWeather(file: Path) {
    val block = Decomposition.blocks(grid, size).boxes(rank).single()
    val temperature = DoubleArray(block.cellCount().toInt()) { cell -> temperatureOf(block.cell(cell.toLong())) }
    val layers = Shape.of(grid.extent(0))
    val owned = if (rank == 0) layers.box() else Box.of(longArrayOf(0), longArrayOf(0))
    val heights = FloatArray(owned.cellCount().toInt()) { 100f * it }
    writeArrays(file, Concentrators.perHost(1)) {
        array("temperature", grid, block, temperature)
        array("heights", layers, owned, heights)
    }
}
// endregion

// region read

/** Collective: reads a share of the layers on each rank, whatever ranks wrote them, and all heights on all. */
internal suspend fun Communicator.readWeather(file: Path) {
    val share = Decomposition.rows(grid, size).boxes(rank).single()
    val temperature = DoubleArray(share.cellCount().toInt())
    val heights = FloatArray(grid.extent(0).toInt())
    readArrays(file, Concentrators.total(2)) {
        array("temperature", grid, share, temperature)
        array("heights", Shape.of(grid.extent(0)), Shape.of(grid.extent(0)).box(), heights)
    }
    collectively("check what was read") {
        for (cell in temperature.indices) check(temperature[cell] == temperatureOf(share.cell(cell.toLong())))
        check(heights.withIndex().all { (layer, height) -> height == 100f * layer })
    }
}
// endregion

private fun temperatureOf(cell: LongArray): Double = 15.0 - 0.5 * cell[0] + 0.01 * cell[1] - 0.001 * cell[2]
