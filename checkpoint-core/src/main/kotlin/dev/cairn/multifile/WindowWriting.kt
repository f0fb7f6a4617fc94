package dev.cairn.multifile

import dev.cairn.ranks.MessageFields
import dev.cairn.sion.ChunkWriter
import dev.cairn.sion.Grouping
import dev.cairn.sion.TaskSlot
import dev.cairn.sion.TaskUsage
import dev.cairn.sion.store.PositionedOutput

/**
 * Each task's bytes go to its own chunk; the collector writes those of its whole group, window by window. Ranks with few bytes
 * send them with their report, the others in answer to questions.
 */
internal class WindowWriting(
    private val ranks: GroupRanks,
    group: TaskSlot.Group,
    slot: TaskSlot,
    private val file: PositionedOutput,
) : GroupWriting {
    private val windows = Grouping.Windows.of(slot, WINDOW_SIZE)
    private val held = HeldWrites(file)

    /** The most bytes that a rank sends with its report, so that those of the whole group are at most a window. */
    private val mostWithReport = WINDOW_SIZE / group.taskCount()

    override val chunks: ChunkWriter = ChunkWriter.of(held, slot)

    override suspend fun end(outcome: Result<TaskUsage>): Result<TaskUsage> {
        val report = if (outcome.isSuccess) report() else null
        val written =
            ranks.collect(report, { RUNS_OF_WINDOW.encode(held.runs.within(window(it))) }) { reports ->
                val sent = reports.flatMap { it.sent }.sortedBy { it.position }
                val someAreDirect = reports.any { it.isDirect }
                return@collect { number, answers ->
                    write(sent.within(window(number)) + answers.flatMap(RUNS_OF_WINDOW::decode), someAreDirect)
                }
            }
        return outcome.mapCatching { usage -> usage.also { written.getOrThrow() } }
    }

    private fun report(): Report {
        val stays = !ranks.isCollector && held.byteCount > mostWithReport
        val questions = windows.countBefore(held.runs.lastOrNull()?.end ?: 0)
        return Report(questions, stays, held.isDirect, if (stays) emptyList() else held.runs)
    }

    private fun window(number: Long) = windows.start(number) until windows.end(number)

    /** Bytes of a window that no rank has written are zero, as they are in the file, or those of ranks that write to it themselves. */
    private fun write(runs: List<PositionedBytes>, someAreDirect: Boolean) =
        when {
            someAreDirect -> runs.joined().forEach(file::write)
            runs.isNotEmpty() -> file.write(runs.filled())
            else -> Unit
        }
}

/** The most bytes that a collector writes at once, and so the memory that it needs. */
private const val WINDOW_SIZE = 4L shl 20

private val RUNS_OF_WINDOW =
    MessageFields("the bytes of a rank in a window", emptyList<PositionedBytes>()) { list(it, POSITIONED_BYTES) }
