package dev.cairn.benchmarks.sections

import dev.cairn.Checkpoints
import dev.cairn.StateBuilder
import dev.cairn.checkpoints
import dev.cairn.concentrate.Concentrators
import dev.cairn.concentrate.DedicatedRanks
import dev.cairn.concentrate.dedicate
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.options.CheckpointOptions
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.runRanks
import dev.cairn.state.ElementType

/**
 * The times of one round, in seconds.
 *
 * @property inSaveAsync until the program goes on
 * @property inCairn of all calls of the program for a save that it does not wait for
 * @property committed from the begin of that save until the program learns that it is committed
 * @property stepMeanwhile of one step while the save is under way
 * @property step of one step while there is none
 * @property saved of a save that the program waits for
 * @property bare of the bare job of the tier
 */
internal class SaveRound(
    val inSaveAsync: Double,
    val inCairn: Double,
    val committed: Double,
    val stepMeanwhile: Double,
    val step: Double,
    val saved: Double,
    val bare: Double,
)

/** A copy on another host takes two ranks. */
private const val LEAST_WITH_COPIES = 2

/** A field of doubles on as many ranks as processors: a rank that waited for the thread of another one would take its steps for time in Cairn. */
internal class SavedField(
    val byteCount: Long,
    val rankCount: Int = maxOf(LEAST_WITH_COPIES, Runtime.getRuntime().availableProcessors()),
) {
    private val shape = Shape.of(byteCount / Double.SIZE_BYTES)
    private val boxes = Decomposition.rows(shape, rankCount).let { rows -> List(rankCount) { rows.boxes(it).single() } }

    /** One for each rank. */
    val arrays = boxes.map { box -> DoubleArray(box.cellCount().toInt()) }

    /** As it is before the first step. */
    fun begin() = arrays.forEach { array -> for (index in array.indices) array[index] = index * 0.5 }

    fun declare(builder: StateBuilder, rank: Int) =
        builder.field("state", shape, ElementType.DOUBLE) { block(boxes[rank], arrays[rank]) }
}

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
                if (tier.dedicatedCount == 0) return@runRanks rounds(warmUpCount + count, dedicated = null)
                val last = Concentrators.ranks(*(field.rankCount until size).toList().toIntArray())
                dedicate(last, hosts.files, field.byteCount) { rounds(warmUpCount + count, it) }.orEmpty()
            }
        hosts.delete()
        return rounds.first().drop(warmUpCount)
    }

    private suspend fun Communicator.rounds(count: Int, dedicated: DedicatedRanks?): List<SaveRound> =
        open(dedicated).use { checkpoints ->
            val saving = SavingRank(this, checkpoints, field.arrays[rank])
            List(count) { round(saving, it) }.also { saving.checkRestored() }
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
            return behind.round(step, saved, bare())
        }
        val bare = bare()
        val saved = saving.save()
        val step = saving.steps(saving.lastStepCount)
        return saving.saveBehind().round(step, saved, bare)
    }

    /** On rank 0, while the other ranks wait. */
    private suspend fun Communicator.bare(): Double {
        val time = timed(this) { if (rank == 0) tier.runBareJob() }
        if (rank == 0) tier.settle()
        barrier()
        return time
    }
}
