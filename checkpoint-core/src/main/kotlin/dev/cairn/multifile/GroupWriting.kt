package dev.cairn.multifile

import dev.cairn.base.flag
import dev.cairn.comm.MessageFields
import dev.cairn.comm.NOTHING
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
 * @property stays whether the rank holds more bytes than are in [content], and waits for questions
 * @property content defined by the kind of group
 */
internal class Report(
    val stays: Boolean,
    val content: ByteBuffer,
)

private val REPORT =
    MessageFields("the report of a rank to its collector", Report(false, NOTHING)) {
        Report(flag(it.stays), bytes(it.content))
    }

/**
 * Collective in the group: every rank has a [report], or none if it failed. If all have one, the collector calls [write] with
 * the ranks that stay, which answer questions, and with all reports, its own first. The others [answer] until they are
 * dismissed.
 */
internal suspend fun GroupRanks.collect(
    report: Report?,
    answer: (Long) -> ByteBuffer,
    write: suspend (GroupRanks, List<Report>) -> Result<Unit>,
): Result<Unit> {
    val payloads = gather(report?.let(REPORT::encode) ?: NOTHING)
    if (!isCollector) {
        if (report?.stays == true) answer(answer)
        return Result.success(Unit)
    }
    // The payload of a rank that failed is empty.
    val reports = payloads.map { if (it.hasRemaining()) REPORT.decode(it) else null }
    val staying = only { reports[it + 1]?.stays == true }
    val written = if (null in reports) Result.success(Unit) else write(staying, reports.filterNotNull())
    staying.dismiss()
    return written
}

/** Collective in the group: for a rank that failed before it could open its stream. */
internal suspend fun GroupRanks.withdraw() {
    collect(null, { NOTHING }) { _, _ -> Result.success(Unit) }
}

/** Collective in the group: sends one question after the other, and writes the answers, until a write fails. */
internal suspend fun GroupRanks.askAll(
    questions: Iterable<Long>,
    write: (question: Long, answers: List<ByteBuffer>) -> Unit,
): Result<Unit> {
    for (question in questions) {
        val answers = ask(question)
        runCatching { write(question, answers) }.onFailure { return Result.failure(it) }
    }
    return Result.success(Unit)
}
