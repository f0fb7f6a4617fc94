package dev.cairn.faces

import dev.cairn.Columns
import dev.cairn.Simulation
import dev.cairn.event.ExitCode
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.SimulationOptions
import dev.cairn.ranks.allReduce
import dev.cairn.runSimulation
import dev.cairn.state.Codecs
import dev.cairn.state.PerRankRule
import dev.cairn.state.StreamRule
import java.io.ByteArrayOutputStream
import java.nio.file.Path
import kotlin.time.Duration.Companion.minutes

/** The program of FaceInJava, line by line, in Kotlin. */
internal object FaceInKotlin {
    /** Rows in arrays. */
    private class Dust(rank: Int) : Columns() {
        var id by column(longArrayOf(10L * rank, 10L * rank + 1))
        var mass by column(doubleArrayOf(rank.toDouble(), rank + 0.5))
    }

    suspend fun run(
        directory: Path,
        rankCount: Int,
        until: Long,
        heard: MutableList<String>,
        vararg arguments: String,
    ): ExitCode {
        val checkpoints =
            CheckpointOptions {
                keepLast = 3
                limit = 1.minutes
                listener { heard += "options: ${it.javaClass.simpleName}" }
            }
        val options =
            SimulationOptions {
                checkpoints(checkpoints)
                this.directory = directory.resolve("face.cairn")
                this.rankCount = rankCount
                every = 2
            }
        return runSimulation("face", arrayOf(*arguments), options) { play(directory, until, heard) }
    }

    private suspend fun Simulation.play(directory: Path, until: Long, heard: MutableList<String>) {
        listen { heard += "listen: ${it.javaClass.simpleName}" }
        val u by doubles(rows = 8, columns = 6, halo = 1) { i, j -> i + 0.5 * j }
        val cells by field<LongArray>(Decomposition.blocks(Shape.of(9, 7), size), halo = 1) { within ->
            LongArray(within.cellCount().toInt()) { it.toLong() * it }
        }
        val share = Shape.of(18L / size)
        val boxes = listOf(share.at(share.cellCount() * rank), share.at(18 + share.cellCount() * rank))
        val marks by field<ShortArray>(Shape.of(36), boxes)
        var time by replicated(0.0)
        var count by replicated(0L)
        var label by replicated("at first")
        var own by perRank(rank.toLong(), PerRankRule.Merge { it.sum() })
        var heat by accumulator(0.0, Double::plus)
        var visits by accumulator(0L, Math::addExact)
        var seen by accumulator(emptyList<Long>()) { one, other -> one + other }
        val dust by table(Dust(rank)) {
            positionFree()
            uniqueIds("id")
        }
        val grains by rows(grainsOf(rank, size)) { owner { grain, rankCount -> grain.owner(rankCount) } }
        val noise by randomStreams(42)
        val bytes = ByteArrayOutputStream()
        val dealt = StreamRule.Deal { sources -> sources.forEach { bytes.writeBytes(it.readAllBytes()) } }
        stream("journal", bytes::writeTo, { bytes.writeBytes(it.readAllBytes()) }, dealt)
        val line = Codecs.textStream({ out, text: String -> out.write(text) }, { it.readText() })
        var notes by stream("rank $rank\n", line, PerRankRule.Merge { it.joinToString("") })
        val energies by output(directory.resolve("energies.txt"))

        for (step in steps(until = 3, phase = "warming up")) {
            time += 0.5
            bytes.write(step.toInt())
            notes += "step $step\n"
        }
        for (step in steps(until, phase = "running")) {
            time += 0.125
            count += step
            label = "after step $step"
            own += 1
            heat += 0.25
            visits += 1
            seen = seen + step
            u.exchangeHalo()
            u.update { i, j -> 0.5 * (u[i - 1, j] + u[i + 1, j]) + 0.001 * time }
            cells.blocks.forEach { block -> for (at in block.cells.indices) block.cells[at] += step }
            marks.blocks.forEach { block -> for (at in block.cells.indices) block.cells[at]++ }
            for (row in dust.mass.indices) dust.mass[row] += noise.uniform(dust.id[row], step, 0)
            val rows = ranks.allReduce(grains.size.toLong(), Long::plus)
            val total = ranks.allReduce(visits, Long::plus)
            energies.line("step $step: $count, $rows grains, $total")
        }
        if (rank == 0) heard += "last: ${lastSave is Saved}"
    }

    private fun grainsOf(rank: Int, size: Int): List<Grain> =
        List(Grain.COUNT) { Grain(it.toLong(), it / Grain.COUNT.toDouble()) }.filter { it.owner(size) == rank }

    private class Weights : Columns() {
        val weight by column<DoubleArray>() formerly "mass"
    }

    /** A later version of a program: an item, a column and a value have new names, and an item is gone. */
    suspend fun runLater(directory: Path, heard: MutableList<String>): ExitCode =
        runSimulation("later", emptyArray(), SimulationOptions { this.directory = directory }) {
            val clock by replicated(0.0) formerly "t" formerly "time"
            removed("gone")
            val dust by table(Weights()) {
                positionFree()
                removed("id")
            }
            for (step in steps(until = 3)) heard += "step $step: $clock, ${dust.weight[0]}"
        }
}
