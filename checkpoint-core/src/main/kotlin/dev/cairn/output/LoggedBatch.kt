package dev.cairn.output

import dev.cairn.concentrate.Request
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore

/**
 * A batch whose cells are in the logs of one host. One rank of the host writes them, in the order of the file.
 *
 * @param file which this rank has opened to write; null if it writes nothing
 * @param logs of all ranks of the host
 * @param gaps what this rank writes where [others] do not: fill values and padding
 * @param others where ranks of other hosts write, as far as it may lie in [gaps]
 */
internal class LoggedBatch(
    private val store: BlockStore,
    private val file: BlockFile?,
    override val records: LongRange,
    private val plan: OutputPlan,
    private val logs: List<LogPlace> = emptyList(),
    private val gaps: List<Request> = emptyList(),
    private val others: List<Request> = emptyList(),
) : Batch {
    private var isWritten = file == null

    @Synchronized
    override fun write() {
        if (isWritten) return
        val target = checkNotNull(file)
        LoggedPuts(store, plan.variables).use { logged ->
            val puts = logs.groupBy { it.identity.rank }.values.flatMap { puts(logged, it) }
            OrderedWriting(gaps, others, puts.map { it.request() }).write(target, windowFor(logs.size))
            target.force()
        }
        isWritten = true
        close()
    }

    private fun puts(logged: LoggedPuts, ofRank: List<LogPlace>): List<Put> =
        PendingPuts().also { puts -> ofRank.forEach { logged.addTo(puts, it) } }.puts

    /** So large that a window usually takes whole frames of each log. */
    private fun windowFor(logCount: Int) = (2L * logCount shl 20).coerceIn(LEAST_WINDOW, LARGEST_WINDOW).toInt()

    @Synchronized
    override fun close() {
        file?.close()
    }
}

private const val LEAST_WINDOW = 4L shl 20
private const val LARGEST_WINDOW = 64L shl 20
