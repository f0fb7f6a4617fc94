package dev.cairn.sion

import java.util.TreeMap

/**
 * Reads a damaged multifile and compares what it shows with the model. It watches what the reading costs: an endless
 * loop runs into the limit of operations, an allocation that trusts a damaged number into the limit of bytes, and a
 * file that stays open is seen. One thread at a time.
 */
class GuardedReading(
    private val multifile: DamagedMultifile,
) {
    private val intact = multifile.model.open(multifile.path)
    private val counts = TreeMap<String, Int>()

    /** How often each outcome was seen, in words. */
    val histogram: Map<String, Int> get() = counts

    /** All tasks of the multifile, as it is now. */
    fun readWhole() {
        val expected = runCatching { multifile.model.open(multifile.path) }
        val outcome =
            guarded(expected) { content ->
                Multifile.open(multifile.store, multifile.path).use { it.shouldShow(content()) }
            }
        counts.merge(outcome ?: if (expected.getOrThrow().looksLike(intact)) UNCHANGED else CHANGED, 1, Int::plus)
    }

    /** One task alone, which may be in order where another one is not. */
    fun readTask(task: Int) {
        val expected = runCatching { multifile.model.openTask(multifile.path, task) }
        val outcome =
            guarded(expected) { model ->
                Multifile.openTask(multifile.store, multifile.path, task).use { listOfNotNull(it.shouldShow(model())) }
            }
        counts.merge("one task ${outcome ?: "read"}", 1, Int::plus)
    }

    /** The first time loads classes; an allocation that a damaged number asks for happens again. */
    private fun <T> guarded(
        expected: Result<T>,
        read: (() -> T) -> List<SionException>,
    ): String? {
        var outcome: String? = null
        val reading = { outcome = outcomeOf(expected, read) }
        if (allocatedBy(reading) > mostBytes()) {
            val again = allocatedBy(reading)
            check(again <= mostBytes()) { "$again bytes were allocated, more than ${mostBytes()}" }
        }
        check(multifile.disk.openFiles().isEmpty()) { "still open: ${multifile.disk.openFiles()}" }
        return outcome
    }

    private fun mostBytes() = SMALL_CHANGE + BYTES_PER_FILE_BYTE * multifile.size()

    private fun allocatedBy(reading: () -> Unit): Long {
        multifile.disk.crashAt(multifile.disk.operationCount() + MOST_OPERATIONS)
        val before = allocatedBytes()
        reading()
        val after = allocatedBytes()
        multifile.disk.crashAt(Long.MAX_VALUE)
        return after - before
    }

    /** How it was refused, or null if it was read. */
    private fun <T> outcomeOf(
        expected: Result<T>,
        read: (() -> T) -> List<SionException>,
    ): String? =
        try {
            val refusals = read { expected.getOrThrow() }
            refusals.onEach(::shouldSayWhere).firstOrNull()?.let { "records refused: ${it.javaClass.simpleName}" }
        } catch (refusal: SionException) {
            shouldSayWhere(refusal)
            if (expected.exceptionOrNull() !is Refused) throw AssertionError("refused without need", refusal)
            "refused: ${refusal.javaClass.simpleName}"
        } catch (refused: Refused) {
            throw AssertionError("should be refused: ${refused.message}", refused)
        } catch (wrongUse: IllegalArgumentException) {
            if (expected.exceptionOrNull() !is NoSuchTask) throw wrongUse
            "not there"
        }

    private fun shouldSayWhere(refusal: SionException) {
        check(refusal.message.orEmpty().startsWith("${refusal.file()}: ")) { "no file in: ${refusal.message}" }
        if (refusal is SionException.Corrupt) {
            val size = multifile.bytesOf(refusal.file()).size
            check(refusal.offset() in 0 until size) { "no such byte: ${refusal.message}" }
            check(refusal.field().isNotBlank()) { "no field in: ${refusal.message}" }
        }
    }

    private companion object {
        const val UNCHANGED = "read unchanged"
        const val CHANGED = "read as changed"

        /** Far more than any of these small multifiles needs. */
        const val MOST_OPERATIONS = 2_000L

        /** Objects whose size does not depend on the file: views, paths, messages, stack traces. */
        const val SMALL_CHANGE = 64 * 1024

        /**
         * Per byte of the files: one for the bytes read ahead, at most six for tables (a task or a block takes 8 bytes
         * on disk, and up to 48 in tables that grow by doubling), and three for the copies and boxes of the comparison.
         */
        const val BYTES_PER_FILE_BYTE = 10
    }
}
