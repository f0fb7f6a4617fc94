package dev.cairn.multifile.task

import dev.cairn.comm.MessageFields
import dev.cairn.comm.NOTHING
import dev.cairn.sion.ChunkWriter
import dev.cairn.sion.TaskUsage
import dev.cairn.structure.flag
import java.nio.ByteBuffer

/** How the ranks whose tasks share blocks write together. Each rank has one. */
internal interface GroupWriting {
    /** The writer that the rank gets. */
    val chunks: ChunkWriter

    /**
     * Collective in the group: brings how this rank fared, and writes what the ranks have kept. Nothing is written if any
     * rank failed, since then the multifile is not closed.
     */
    suspend fun end(outcome: Result<TaskUsage>): Result<TaskUsage>
}

/**
 * What a rank tells its group's collector when all have written.
 *
 * @property stays whether it has more to bring than this, and waits for questions
 * @property content anything
 */
internal class Report(
    val stays: Boolean,
    val content: ByteBuffer,
)

private val REPORT =
    MessageFields("how a rank of a group has written", Report(false, NOTHING)) {
        Report(flag(it.stays), bytes(it.content))
    }

/**
 * Collective in the group: every rank has a [report], or none if it failed. If all have one, the collector writes what
 * they bring: [write] gets the ranks that stay, which can be asked, and all reports, the collector's own first. The others
 * [answer], and leave when there are no more questions.
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
    // A rank that failed brings nothing.
    val reports = payloads.map { if (it.hasRemaining()) REPORT.decode(it) else null }
    val staying = only { reports[it + 1]?.stays == true }
    val written = if (null in reports) Result.success(Unit) else write(staying, reports.filterNotNull())
    staying.dismiss()
    return written
}

/** Collective in the group: for a rank that failed before it had anything to bring. */
internal suspend fun GroupRanks.withdraw() {
    collect(null, { NOTHING }) { _, _ -> Result.success(Unit) }
}

/** Collective in the group: asks one question after the other, and writes what the others answer, until that fails. */
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
