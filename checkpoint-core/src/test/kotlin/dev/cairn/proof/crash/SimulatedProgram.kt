package dev.cairn.proof.crash

import dev.cairn.options.CheckpointOptions
import dev.cairn.options.Wait
import dev.cairn.proof.state.Known
import dev.cairn.proof.state.SMALL_OPTIONS
import dev.cairn.proof.state.saveKnown
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.RunReport
import dev.cairn.ranks.attemptRanks
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.Scene

/** A parallel program of [rankCount] ranks, two on a host of [scene]. Its order is drawn from [seed]. */
internal class SimulatedProgram(
    val scene: Scene,
    private val seed: Long,
    private val rankCount: Int = 3,
    first: Phase = Phase.BEGIN,
    private val known: Known = Known.SMALL,
    private val options: CheckpointOptions = SMALL_OPTIONS,
    private val wait: Wait = Wait.COMMITTED,
    private val through: (host: String, BlockStore) -> BlockStore = { _, door -> door },
) {
    val watch = PhaseWatch(scene.disk, first)
    private val doors = mutableMapOf<String, BlockStore>()

    /** Restores what is there, and saves at each of [steps]. */
    suspend fun run(steps: LongRange): RunReport<Unit> =
        attemptRanks(RankPlan(rankCount, Schedule.Deterministic(seed), hosts = { "node${it / 2}" })) {
            saveKnown(known, door(host), steps, options = options, wait = wait) {
                scene.promises.committed = it.number
            }
        }

    /** The ranks of a host share one door, so that they share its open files. */
    private fun door(host: String) = doors.getOrPut(host) { watch.door(through(host, scene.host(host))) }
}
