package dev.cairn.benchmarks.sections

import dev.cairn.Checkpoints
import dev.cairn.checkpoints
import dev.cairn.concentrate.Concentrators
import dev.cairn.concentrate.DedicatedRanks
import dev.cairn.concentrate.dedicate
import dev.cairn.options.CheckpointOptions
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.runRanks

/**
 * The times of one round, in seconds.
 *
 * @property step of one step while there is no save
 * @property saved of a save that the program waits for
 * @property bare of the bare job of the tier
 */
internal class SaveRound(val behind: SaveBehind, val step: Double, val saved: Double, val bare: Double)

/**
 * A program with a [field]. In a round it saves behind its steps, makes as many steps without a save, waits for a save, and runs the
 * bare job of the [tier]; the next round has the reverse order.
 */
internal class SaveRounds(
    private val hosts: SimulatedHosts,
    private val field: SavedField,
    private val tier: Tier,
    private val options: CheckpointOptions,
) {
    /** Runs rounds, of which the first [warmUpCount] are not returned. The last save is restored and checked. */
    fun run(warmUpCount: Int, count: Int): List<SaveRound> {
        field.begin()
        hosts.make()
        val rounds =
            runRanks(hosts.plan(field.rankCount + tier.dedicatedCount)) {
                if (tier.dedicatedCount == 0) return@runRanks rounds(warmUpCount, count, dedicated = null)
                val last = Concentrators.ranks(*(field.rankCount until size).toList().toIntArray())
                dedicate(last, hosts.files, field.byteCount) { rounds(warmUpCount, count, it) }.orEmpty()
            }
        hosts.delete()
        return rounds.first()
    }

    private suspend fun Communicator.rounds(warmUpCount: Int, count: Int, dedicated: DedicatedRanks?): List<SaveRound> =
        open(dedicated).use { checkpoints ->
            val saving = SavingRank(this, checkpoints, field.arrays[rank])
            rounds(warmUpCount, count) { round(saving, it) }.also { saving.checkRestored() }
        }

    private suspend fun Communicator.open(dedicated: DedicatedRanks?): Checkpoints =
        checkpoints(
            hosts.store("tiers.cairn"),
            tier.options(options),
            hosts.filesOf(rank),
            dedicated,
        ) { field.declare(this, rank) }

    private suspend fun Communicator.round(saving: SavingRank, number: Int): SaveRound {
        if (number % 2 == 0) {
            val behind = saving.saveBehind()
            val step = saving.steps(behind.stepCount)
            val saved = saving.save()
            return SaveRound(behind, step, saved, bare())
        }
        val bare = bare()
        val saved = saving.save()
        val step = saving.steps(saving.lastStepCount)
        return SaveRound(saving.saveBehind(), step, saved, bare)
    }

    /** On rank 0, while the other ranks wait. */
    private suspend fun Communicator.bare(): Double {
        val time = timed(this) { if (rank == 0) tier.runBareJob() }
        if (rank == 0) tier.settle()
        barrier()
        return time
    }
}
