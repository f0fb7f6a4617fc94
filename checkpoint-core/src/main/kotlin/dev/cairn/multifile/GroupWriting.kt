package dev.cairn.multifile

import dev.cairn.ranks.MessageFields
import dev.cairn.ranks.NOTHING
import dev.cairn.ranks.Structure
import dev.cairn.ranks.flag
import dev.cairn.ranks.optional
import dev.cairn.sion.ChunkWriter
import dev.cairn.sion.TaskUsage
import java.nio.ByteBuffer

/** Writing by a group of ranks whose tasks share blocks. Each rank has one. */
internal interface GroupWriting {
    /** The writer of this rank's task. */
    val chunks: ChunkWriter

    /**
     * Collective in the group: passes the [outcome] of this rank to the collector, which writes the bytes that the ranks hold.
     * Nothing is written if any rank failed, since then the multifile is not closed.
     */
    suspend fun end(outcome: Result<TaskUsage>): Result<TaskUsage>
}

/**
 * The report of a rank to its group's collector, after the rank has written all.
 *
 * @property questions how many questions it has answers for, if it is to [stay][stays]
 * @property stays whether the rank holds more bytes than it has [sent], and waits for questions
 * @property isDirect whether it wrote to the file itself
 */
internal class Report(
    val questions: Long,
    val stays: Boolean,
    val isDirect: Boolean = false,
    val sent: List<PositionedBytes> = emptyList(),
)

private val REPORT =
    Structure(Report(0, false)) {
        Report(u64(it.questions), flag(it.stays), flag(it.isDirect), list(it.sent, POSITIONED_BYTES))
    }

/** There is none of a rank that failed. */
private val GROUP_REPORT =
    MessageFields<Report?>("the report of a rank to its collector", null) { optional(it, REPORT) }

/**
 * Collective in the group: every rank has a [report], or none if it failed. If all have one, the collector asks the ranks that
 * stay one question after the other, which they [answer], and lets a function from [write] write the answers, until that fails.
 * [write] gets all reports, its own first.
 */
internal suspend fun GroupRanks.collect(
    report: Report?,
    answer: (Long) -> ByteBuffer,
    write: (List<Report>) -> (question: Long, answers: List<ByteBuffer>) -> Unit,
): Result<Unit> {
    val reports = gather(GROUP_REPORT, report)
    if (!isCollector) {
        if (report?.stays == true) answer(answer)
        return Result.success(Unit)
    }
    val staying = only { reports[it + 1]?.stays == true }
    val written = if (null in reports) Result.success(Unit) else staying.askAll(reports.filterNotNull(), write)
    staying.dismiss()
    return written
}

/** Collective in the group: for a rank that failed before it could open its stream. */
internal suspend fun GroupRanks.withdraw() {
    collect(null, { NOTHING }) { { _, _ -> } }
}

private suspend fun GroupRanks.askAll(
    reports: List<Report>,
    write: (List<Report>) -> (question: Long, answers: List<ByteBuffer>) -> Unit,
): Result<Unit> {
    val writeAnswers = write(reports)
    for (question in 0 until reports.maxOf { it.questions }) {
        val answers = ask(question)
        runCatching { writeAnswers(question, answers) }.onFailure { return Result.failure(it) }
    }
    return Result.success(Unit)
}
