package dev.cairn.save

import dev.cairn.ranks.MessageFields
import dev.cairn.ranks.NOTHING
import dev.cairn.ranks.Structure
import dev.cairn.ranks.one
import dev.cairn.redistribution.CellDigest
import java.nio.ByteBuffer
import kotlin.time.Duration
import kotlin.time.Duration.Companion.nanoseconds

/**
 * The report of a rank to rank 0: its items, and the time that it took to write them.
 *
 * @property notCopied the bytes that were written while the program waited, since there was no room for a copy of them
 */
internal class Summary(val items: List<Part>, val time: Duration, val notCopied: Long = 0) {
    class Part(val digest: CellDigest, val elementCount: Long, val byteCount: Long)

    companion object {
        fun of(written: List<WrittenItem>, time: Duration, notCopied: Long = 0) =
            Summary(written.map { Part(it.digest, it.elementCount, it.byteCount) }, time, notCopied)
    }
}

/** The report of a rank to rank 0 after it has written. */
internal class RankReport(val table: ByteBuffer, val summary: Summary)

internal val DIGEST = Structure(CellDigest.NONE) { CellDigest(u64(it.first), u64(it.second)) }

private val PART =
    Structure(Summary.Part(CellDigest.NONE, 0, 0)) {
        Summary.Part(one(it.digest, DIGEST), u64(it.elementCount), u64(it.byteCount))
    }

internal val DURATION = Structure(Duration.ZERO) { u64(it.inWholeNanoseconds).nanoseconds }

private val SUMMARY =
    Structure(Summary(emptyList(), Duration.ZERO)) {
        Summary(list(it.items, PART), one(it.time, DURATION), u64(it.notCopied))
    }

internal val RANK_REPORT =
    MessageFields("the items that a rank has written", RankReport(NOTHING, SUMMARY.blank)) {
        RankReport(bytes(it.table), one(it.summary, SUMMARY))
    }
