package dev.cairn.proof.local

import dev.cairn.options.CheckpointOptions
import dev.cairn.options.Wait
import dev.cairn.proof.state.Known
import dev.cairn.proof.state.restoreKnown
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.attemptRanks
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.ForwardingStore
import java.nio.file.Path

/** The [nth] operation of this [kind] on a file that [isMeant], counted over all hosts. */
internal class Point(
    private val kind: BlockStore.Operation.Kind,
    private val nth: Int = 1,
    private val isMeant: (Path) -> Boolean,
) {
    /** Says of each operation of a job whether it is the one. */
    fun search(): (BlockStore.Operation) -> Boolean {
        var count = 0
        return { it.kind() == kind && isMeant(it.path()) && ++count == nth }
    }
}

/**
 * The disks of four ranks on three hosts whose save 1 is committed, and all of whose processes are killed in save 2, before the
 * operation at [point].
 */
internal suspend fun killedAt(point: Point, seed: Long, options: CheckpointOptions = LOCALLY): HostDisks {
    val disks = HostDisks()
    ranks(plan(4, seed)) { save(Known.SMALL, disks.door(host), 1L..1, Wait.LOCAL, options) }
    val isLast = point.search()
    var isKilled = false
    val doors =
        disks.watched {
            isKilled = isKilled || isLast(it)
            if (isKilled) throw Killed()
        }
    attemptRanks(plan(4, seed)) { save(Known.SMALL, doors.getValue(host), 2L..2, Wait.LOCAL, options) }
    check(isKilled) { "the job has not come to the point where it should be killed" }
    return disks
}

/** No [java.io.IOException], with which a program would go on. */
private class Killed : RuntimeException("the process is killed")

/** A door for each host: [look] sees each operation before it takes place, and what it throws is the operation's end. */
internal fun HostDisks.watched(look: (BlockStore.Operation) -> Unit): Map<String, BlockStore> =
    hosts.associateWith { host ->
        object : ForwardingStore(door(host)) {
            override fun onOperation(operation: BlockStore.Operation) = look(operation)
        }
    }

/** The step that [count] ranks restore on all hosts but those that are [missing], in another order than that of the job; null if none. */
internal suspend fun restoredFrom(
    disks: HostDisks,
    count: Int = 5,
    missing: Set<String> = emptySet(),
    options: CheckpointOptions = LOCALLY,
    known: Known = Known.SMALL,
): Long? {
    val there = hosts.reversed() - missing
    val plan = RankPlan(count, Schedule.Deterministic(1), hosts = { there[it % there.size] })
    return ranks(plan) { restoreKnown(known, disks.door(host), options = options)?.step }.distinct().single()
}
