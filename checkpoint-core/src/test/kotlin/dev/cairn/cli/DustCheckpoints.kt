package dev.cairn.cli

import dev.cairn.checkpoints
import dev.cairn.proof.state.DustState
import dev.cairn.proof.state.SMALL_OPTIONS
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.ranks
import java.nio.file.Path

internal val DUST: Path = Path.of("dust.cairn")
private val ENERGIES: Path = Path.of("energies.txt")

/** Saves a [DustState], which has an item of each kind that heat has not. */
internal suspend fun HeatCheckpoints.saveDust(rankCount: Int, step: Long) =
    save(rankCount, step, DUST, fileCount = 1) { rank, size ->
        DustState(rank, size, files, ENERGIES).also { it.advanceTo(step) }.declare(this)
    }

/** Restores the newest dust on other ranks, and saves it from there. */
internal suspend fun HeatCheckpoints.resaveDust(rankCount: Int) {
    ranks(RankPlan(rankCount, hosts = { "node0" })) {
        val state = DustState(rank, size, files, ENERGIES)
        checkpoints(DUST, SMALL_OPTIONS, files) { state.declare(this) }.use {
            it.restore()
            it.save(step = 1)
        }
    }
}
