package dev.cairn.save

import dev.cairn.base.Structure
import dev.cairn.base.one
import dev.cairn.base.text
import dev.cairn.comm.MessageFields
import dev.cairn.comm.ROOT
import dev.cairn.item.StateItem
import dev.cairn.redistribution.CellDigest
import dev.cairn.store.HostPlace
import dev.cairn.store.Manifest
import java.nio.ByteBuffer
import kotlin.time.Duration

/**
 * The data written by all ranks, as known on rank 0.
 *
 * @property fileCount the number of physical files
 * @property fileReason why there are as many, if the ranks chose it
 */
internal class WrittenState(
    val contentsRoot: String,
    val items: List<ItemTotal>,
    val fileCount: Int,
    val fileReason: String?,
    val slowest: Slowest,
)

/** The work of rank 0 alone, after all ranks have written. */
internal interface Conclusion {
    /** The manifest of the [written] data; the index gets a copy of it. */
    fun describe(written: WrittenState): Manifest

    /** The data are complete on the hosts at these [places]. */
    fun seal(
        manifest: Manifest,
        places: List<HostPlace>,
    )

    /** The multifile is complete in the shared store: makes it a checkpoint. */
    fun commit(manifest: Manifest)
}

/**
 * The data of all ranks, complete with their index, on rank 0.
 *
 * @property contents the tables of contents of all ranks
 * @property committed the result of the save, if it is committed now
 */
internal class CompleteSave(
    val manifest: Manifest,
    val contents: ByteBuffer,
    val committed: () -> CommittedSave,
)

/**
 * The result of a committed save, known on all ranks.
 *
 * @property time until it was committed
 * @property notCopied the bytes that were written before the program went on, since there was no room for a copy of them
 * @property files how many physical files it has, and why, if the ranks chose it
 * @property waited how long the program waited for it
 */
internal class CommittedSave(
    val byteCount: Long,
    val time: Duration,
    val slowest: Slowest,
    val notCopied: Long,
    val files: String,
    val waited: Duration = time,
) {
    fun after(waited: Duration) = CommittedSave(byteCount, time, slowest, notCopied, files, waited)
}

/** The rank that took longest to write its items. */
internal data class Slowest(
    val rank: Int,
    val time: Duration,
)

private val SLOWEST = Structure(Slowest(ROOT, Duration.ZERO)) { Slowest(u32(it.rank), one(it.time, DURATION)) }

internal val COMMITTED_SAVE =
    MessageFields("that a save was committed", CommittedSave(0, Duration.ZERO, SLOWEST.blank, 0, "")) {
        CommittedSave(
            u64(it.byteCount),
            one(it.time, DURATION),
            one(it.slowest, SLOWEST),
            u64(it.notCopied),
            text(it.files),
            one(it.waited, DURATION),
        )
    }

/** The sums of an item over all ranks. */
internal class ItemTotal(
    val item: StateItem,
    val digest: CellDigest,
    val elementCount: Long,
    val byteCount: Long,
)
