package dev.cairn.multifile.task

import dev.cairn.comm.MessageFields
import dev.cairn.sion.ChunkWriter
import dev.cairn.sion.GroupWindows
import dev.cairn.sion.TaskGroup
import dev.cairn.sion.TaskSlot
import dev.cairn.sion.TaskUsage
import dev.cairn.sion.store.PositionedOutput
import dev.cairn.structure.flag

/**
 * Each task's bytes go to its own chunk; its collector writes those of all its ranks, window by window. Ranks with few bytes
 * bring them at once, the others when they are asked.
 */
internal class WindowWriting(
    private val ranks: GroupRanks,
    group: TaskGroup,
    slot: TaskSlot,
    private val file: PositionedOutput,
) : GroupWriting {
    private val windows = GroupWindows.of(slot, WINDOW_SIZE)
    private val held = HeldWrites(file)

    /** The most that a rank brings without being asked, so that all of them together are no more than a window. */
    private val mostAtOnce = WINDOW_SIZE / group.taskCount()

    override val chunks: ChunkWriter = ChunkWriter.of(held, slot)

    override suspend fun end(outcome: Result<TaskUsage>): Result<TaskUsage> {
        val kept = held.fragments()
        val brought = kept.takeIf { ranks.isCollector || held.byteCount <= mostAtOnce }
        val holding = Holding(held.isDirect, kept.lastOrNull()?.end ?: 0, brought.orEmpty())
        val report = if (outcome.isSuccess) Report(stays = brought == null, HOLDING.encode(holding)) else null
        val written = ranks.collect(report, { FRAGMENTS.encode(kept.within(window(it))) }, ::write)
        return outcome.mapCatching { usage -> usage.also { written.getOrThrow() } }
    }

    private fun window(number: Long) = windows.start(number) until windows.end(number)

    private suspend fun write(
        others: GroupRanks,
        reports: List<Report>,
    ): Result<Unit> {
        val holdings = reports.map { HOLDING.decode(it.content) }
        val brought = holdings.flatMap { it.brought }.sortedBy { it.position }
        // Where some rank writes for itself, bytes that were not kept may be its own.
        val someAreDirect = holdings.any { it.isDirect }
        return others.askAll(0 until windows.countBefore(holdings.maxOf { it.end })) { number, answers ->
            val fragments = brought.within(window(number)) + answers.flatMap(FRAGMENTS::decode)
            for (each in if (someAreDirect) fragments else fragments.filled()) file.write(each.position, each.bytes)
        }
    }

    private companion object {
        /** The most that a collector writes at once, and so the memory that it needs. */
        const val WINDOW_SIZE = 4L shl 20
    }
}

/**
 * What a rank of a group has.
 *
 * @property isDirect whether it wrote for itself
 * @property end where the last byte that it has kept goes, and one more
 * @property brought what it keeps, unless it waits to be asked for that
 */
private class Holding(
    val isDirect: Boolean,
    val end: Long,
    val brought: List<Fragment>,
)

private val HOLDING =
    MessageFields("what a rank of a group keeps", Holding(false, 0, emptyList())) {
        Holding(flag(it.isDirect), u64(it.end), list(it.brought, FRAGMENT))
    }

private val FRAGMENTS = MessageFields("what a rank keeps of a window", emptyList<Fragment>()) { list(it, FRAGMENT) }
