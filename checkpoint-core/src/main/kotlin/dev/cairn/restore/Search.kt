package dev.cairn.restore

import dev.cairn.comm.Communicator
import dev.cairn.comm.collectively
import dev.cairn.multifile.ROOT
import dev.cairn.reading.readContents
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.CheckpointStore
import dev.cairn.store.Discovery
import dev.cairn.store.Flaw
import dev.cairn.store.Inspection
import dev.cairn.store.KnownFlaw
import dev.cairn.store.Manifest
import dev.cairn.store.ManifestFormat
import dev.cairn.store.SaveNames
import dev.cairn.store.Verdict
import dev.cairn.store.toException
import java.lang.System.Logger.Level.INFO
import java.lang.System.Logger.Level.WARNING
import java.nio.ByteBuffer
import java.nio.file.Path

/** A checkpoint from which all ranks are to restore: the same on all of them. */
internal class Found(
    val manifest: Manifest,
    val contents: ByteBuffer,
    val data: Path,
)

/**
 * Which checkpoint a program wants, and what became of those that it tried: rank 0 alone needs to know of these, and then
 * decides for all.
 *
 * @property number that of the one that somebody has chosen; null for the newest good one
 */
internal class Choice(
    val number: Int?,
) {
    private val tried = mutableMapOf<Int, KnownFlaw>()

    /** The checkpoint [number] came up to the ranks, and turned out not to be good. */
    fun reject(
        number: Int,
        flaw: Flaw,
        reason: String,
    ) {
        tried[number] = KnownFlaw(flaw, reason)
    }

    fun requireUntried(number: Int) {
        tried[number]?.let { throw it }
    }
}

/**
 * Collective: rank 0 looks for the checkpoint of [choice] and tells all ranks; null if there is none at all.
 *
 * @param passOver hears on rank 0 of each one that is not taken
 */
internal suspend fun Communicator.find(
    store: CheckpointStore,
    files: BlockStore,
    choice: Choice,
    passOver: (Verdict.Rejected) -> Unit,
): Found? {
    val chosen =
        collectively("look for a checkpoint") { if (rank == ROOT) choose(store, files, choice, passOver) else null }
    val manifest = broadcast(ROOT, chosen?.manifest ?: NOTHING)
    val contents = broadcast(ROOT, chosen?.contents ?: NOTHING)
    if (!manifest.hasRemaining()) return null
    val decoded = shareInProcess { ManifestFormat.decode(store.directory, manifest.array).manifest }
    return Found(decoded, contents, SaveNames.data(store.directory, decoded.save))
}

private class Chosen(
    val manifest: ByteBuffer,
    val contents: ByteBuffer,
)

private fun choose(
    store: CheckpointStore,
    files: BlockStore,
    choice: Choice,
    passOver: (Verdict.Rejected) -> Unit,
): Chosen? {
    val contents = mutableMapOf<Int, ByteBuffer>()
    val inspection =
        Inspection { candidate ->
            choice.requireUntried(candidate.number)
            contents[candidate.number] = files.readContents(candidate)
        }
    val discovery = choice.number?.let { store.discover(it, inspection) } ?: store.discover(inspection)
    discovery.notes.forEach { LOG.log(INFO, it) }
    return when (discovery) {
        is Discovery.None -> {
            null
        }

        is Discovery.Unsupported -> {
            discovery.rejected.forEach(passOver)
            throw discovery.newest.failure
        }

        is Discovery.DamagedOnly -> {
            discovery.rejected.forEach(passOver)
            throw discovery.toException(store.directory)
        }

        is Discovery.Good -> {
            discovery.rejected.forEach(passOver)
            discovery.aside.forEach {
                LOG.log(
                    WARNING,
                    "${it.path}: passed over: $it did not lead to the newest checkpoint",
                )
            }
            val newest = discovery.newest
            Chosen(ByteBuffer.wrap(ManifestFormat.encode(newest.manifest)), contents.getValue(newest.number))
        }
    }
}

private val ByteBuffer.array: ByteArray get() = ByteArray(remaining()).also { duplicate().get(it) }
private val NOTHING: ByteBuffer = ByteBuffer.allocate(0)
private val LOG: System.Logger = System.getLogger(Found::class.java.name)
