package dev.cairn.multifile

import dev.cairn.base.flag
import dev.cairn.comm.MessageFields
import dev.cairn.sion.ChunkWriter
import dev.cairn.sion.GroupWindows
import dev.cairn.sion.TaskGroup
import dev.cairn.sion.TaskSlot
import dev.cairn.sion.TaskUsage
import dev.cairn.sion.store.PositionedOutput

/**
 * Each task's bytes go to its own chunk; the collector writes those of its whole group, window by window. Ranks with few bytes
 * send them with their report, the others in answer to questions.
 */
internal class WindowWriting(
    private val ranks: GroupRanks,
    group: TaskGroup,
    slot: TaskSlot,
    private val file: PositionedOutput,
) : GroupWriting {
    private val windows = GroupWindows.of(slot, WINDOW_SIZE)
    private val held = HeldWrites(file)

    /** The most bytes that a rank sends with its report, so that those of the whole group are at most a window. */
    private val mostWithReport = WINDOW_SIZE / group.taskCount()

    override val chunks: ChunkWriter = ChunkWriter.of(held, slot)

    override suspend fun end(outcome: Result<TaskUsage>): Result<TaskUsage> {
        val fragments = held.fragments()
        val sent = fragments.takeIf { ranks.isCollector || held.byteCount <= mostWithReport }
        val holding = Holding(held.isDirect, fragments.lastOrNull()?.end ?: 0, sent.orEmpty())
        val report = if (outcome.isSuccess) Report(stays = sent == null, HOLDING.encode(holding)) else null
        val written = ranks.collect(report, { FRAGMENTS.encode(fragments.within(window(it))) }, ::write)
        return outcome.mapCatching { usage -> usage.also { written.getOrThrow() } }
    }

    private fun window(number: Long) = windows.start(number) until windows.end(number)

    private suspend fun write(
        others: GroupRanks,
        reports: List<Report>,
    ): Result<Unit> {
        val holdings = reports.map { HOLDING.decode(it.content) }
        val sent = holdings.flatMap { it.sent }.sortedBy { it.position }
        // If a rank writes to the file itself, bytes between the fragments may be its own.
        val someAreDirect = holdings.any { it.isDirect }
        return others.askAll(0 until windows.countBefore(holdings.maxOf { it.end })) { number, answers ->
            val fragments = sent.within(window(number)) + answers.flatMap(FRAGMENTS::decode)
            for (each in if (someAreDirect) fragments else fragments.filled()) file.write(each.position, each.bytes)
        }
    }

    private companion object {
        /** The most bytes that a collector writes at once, and so the memory that it needs. */
        const val WINDOW_SIZE = 4L shl 20
    }
}

/**
 * The bytes that a rank of a group holds.
 *
 * @property isDirect whether it wrote to the file itself
 * @property end the position behind its last fragment
 * @property sent its fragments; empty if it sends them in answer to questions
 */
private class Holding(
    val isDirect: Boolean,
    val end: Long,
    val sent: List<Fragment>,
)

private val HOLDING =
    MessageFields("the bytes that a rank of a group holds", Holding(false, 0, emptyList())) {
        Holding(flag(it.isDirect), u64(it.end), list(it.sent, FRAGMENT))
    }

private val FRAGMENTS = MessageFields("a rank's fragments of a window", emptyList<Fragment>()) { list(it, FRAGMENT) }
