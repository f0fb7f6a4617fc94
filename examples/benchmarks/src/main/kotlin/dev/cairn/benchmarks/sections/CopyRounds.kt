package dev.cairn.benchmarks.sections

import dev.cairn.Checkpoints
import dev.cairn.checkpoints
import dev.cairn.event.SaveOutcome
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.DrainRule
import dev.cairn.options.LocalCopies
import dev.cairn.options.Wait
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.runRanks

/** The times of two saves on the disks of the hosts, in seconds. */
internal class CopyRound(val withCopy: Double, val without: Double)

/** Local saves of a [field] with a copy on another host and without take turns. None is drained, so that no drain slows the next one down. */
internal class CopyRounds(
    private val hosts: SimulatedHosts,
    private val field: SavedField,
    private val options: CheckpointOptions,
) {
    /** Runs rounds, of which the first [warmUpCount] are not returned. The last save with a copy is restored and checked. */
    fun run(warmUpCount: Int, count: Int): List<CopyRound> {
        field.begin()
        hosts.make()
        val rounds =
            runRanks(hosts.plan()) {
                val found =
                    open(LocalCopies.none()).use { without ->
                        open(LocalCopies.exactly(1)).use { withCopy ->
                            rounds(warmUpCount, count) { round(withCopy, without, it) }
                        }
                    }
                open(LocalCopies.exactly(1)).use { requireRestored(it) }
                found
            }
        hosts.delete()
        return rounds.first()
    }

    private suspend fun Communicator.open(copies: LocalCopies): Checkpoints {
        val locally =
            CheckpointOptions(options) {
                wait = Wait.LOCAL
                local = hosts.local
                localCopies = copies
                localKeep = 1
                drain = DrainRule.none()
            }
        return checkpoints(hosts.store("copies-$copies"), locally, hosts.filesOf(rank)) { field.declare(this, rank) }
    }

    private suspend fun Communicator.round(withCopy: Checkpoints, without: Checkpoints, number: Int): CopyRound {
        val (copied, alone) = inTurn(number, { save(withCopy, number) }, { save(without, number) })
        return CopyRound(copied, alone)
    }

    private suspend fun Communicator.save(checkpoints: Checkpoints, number: Int): Double =
        timed(this) {
            val outcome = checkpoints.saveAsync(number.toLong()).outcome
            check(outcome is SaveOutcome.UnderWay && outcome.isSealed) { "$outcome" }
        }

    private suspend fun Communicator.requireRestored(checkpoints: Checkpoints) {
        val array = field.arrays[rank]
        array.fill(-1.0)
        checkNotNull(checkpoints.restore())
        for (index in array.indices) check(array[index] == index * 0.5) { "cell $index is ${array[index]}" }
    }
}
