package dev.cairn.multifile

import dev.cairn.comm.bytesOf
import dev.cairn.comm.longsOf
import dev.cairn.sion.ChunkWriter
import dev.cairn.sion.TaskUsage
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
 * Collective in the group: the collector asks for the parts that [questions] names, one after the other, and writes each.
 * Returns what it has written last of all, on the collector; the others answer, and get null.
 *
 * @param state what this rank says of itself before, null if it failed
 * @param questions what to ask for, given what all ranks have said
 */
internal suspend fun GroupRanks.collect(
    state: LongArray?,
    questions: (List<LongArray>) -> Iterable<Long>,
    answer: (Long) -> ByteBuffer,
    write: (List<ByteBuffer>) -> Unit,
): Result<Unit> {
    val states = gather(state?.let { bytesOf(*it) } ?: NOTHING)
    if (!isCollector) return Result.success(answer(answer))
    var written = Result.success(Unit)
    if (states.all { it.hasRemaining() }) {
        for (question in questions(states.map(::longsOf))) {
            val parts = ask(question, answer)
            written = written.mapCatching { write(parts) }
            if (written.isFailure) break
        }
    }
    dismiss()
    return written
}

/** Collective in the group: for a rank that failed before it had anything to bring. */
internal suspend fun GroupRanks.withdraw() {
    collect(null, { emptyList() }, { NOTHING }, {})
}
