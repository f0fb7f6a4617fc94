package dev.cairn.save

import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.item.StateItem
import dev.cairn.ranks.MessageFields
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.one
import dev.cairn.ranks.text
import dev.cairn.redistribution.CellDigest
import dev.cairn.store.Manifest
import dev.cairn.store.StoredManifest
import java.nio.ByteBuffer
import kotlin.time.Duration

/**
 * The data written by all ranks, as known on rank 0.
 *
 * @property fileCount the number of physical files
 * @property fileReason the reason for that number, if the ranks chose it
 */
internal class WrittenState(
    val contentsRoot: String,
    val items: List<ItemTotal>,
    val fileCount: Int,
    val fileReason: String?,
    val slowest: Slowest,
) {
    val byteCount: Long get() = items.sumOf { it.byteCount }
}

/**
 * The data of all ranks, complete with their index, on rank 0.
 *
 * @property contents the tables of contents of all ranks
 * @property notCopied the bytes that were written while the program waited, since there was no room for a copy of them
 */
internal class CompleteSave(
    val stored: StoredManifest,
    val contents: ByteBuffer,
    val written: WrittenState,
    val notCopied: Long,
) {
    val manifest: Manifest get() = stored.manifest
    val manifestBytes: ByteBuffer get() = stored.bytes.duplicate()

    /** The save, committed [time] after its beginning, during which the program waited. */
    fun saved(time: Duration) =
        Saved(
            manifest.save,
            manifest.step,
            manifest.phase,
            written.byteCount,
            time,
            written.slowest.rank,
            written.slowest.time,
            waited = time,
        )
}

/** The same, if the program has waited for this time only. */
internal fun Saved.after(waited: Duration) =
    Saved(number, step, phase, byteCount, time, slowestRank, slowestTime, waited)

/** The rank that took longest to write its items. */
internal data class Slowest(val rank: Int, val time: Duration)

internal val SAVED =
    MessageFields("that a save was committed", Saved(0, 0, "", 0, Duration.ZERO, ROOT, Duration.ZERO, Duration.ZERO)) {
        Saved(
            u32(it.number),
            u64(it.step),
            text(it.phase),
            u64(it.byteCount),
            one(it.time, DURATION),
            u32(it.slowestRank),
            one(it.slowestTime, DURATION),
            one(it.waited, DURATION),
        )
    }

/** The sums of an item over all ranks. */
internal class ItemTotal(val item: StateItem, val digest: CellDigest, val elementCount: Long, val byteCount: Long)
