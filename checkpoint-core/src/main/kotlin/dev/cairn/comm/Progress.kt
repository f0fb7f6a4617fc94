package dev.cairn.comm

/**
 * A snapshot of all ranks during a run.
 *
 * @property busyCount live ranks that do not wait for others
 * @property nextToExpire the open call whose limit passes first
 * @property operationCount how many operations all ranks have begun
 * @property hasHelpers whether a rank has coroutines of its own, so that it may be busy although it waits
 */
internal class Progress(
    val busyCount: Int,
    val nextToExpire: Waiting?,
    private val operationCount: Long,
    private val hasHelpers: Boolean,
) {
    /**
     * Whether no rank can make progress. If two snapshots show all ranks waiting and the same number of operations, all
     * ranks stayed in the same calls; and since a completed wait does not open again, none was about to leave.
     */
    fun isStuckSince(before: Progress): Boolean =
        busyCount == 0 && before.busyCount == 0 && operationCount == before.operationCount && !hasHelpers
}

internal fun Run<*>.progress(): Progress {
    var busyCount = 0
    var operationCount = 0L
    var next: Waiting? = null
    for (seat in seats) {
        operationCount += seat.operationCount
        if (!seat.isLive) continue
        val call = seat.nextToExpire()
        if (call == null) busyCount++
        if (call != null && (next == null || call.deadline < next.deadline)) next = call
    }
    return Progress(busyCount, next, operationCount, busyCount == 0 && seats.any { it.hasHelpers })
}

private fun RankSeat.nextToExpire(): Waiting? {
    var next: Waiting? = null
    var call = latest?.nextOpen()
    while (call != null) {
        if (next == null || call.deadline < next.deadline) next = call
        call = call.below?.nextOpen()
    }
    return next
}
