package dev.cairn.restore

import dev.cairn.CheckpointException
import dev.cairn.comm.Communicator
import dev.cairn.comm.collectively
import dev.cairn.multifile.ROOT
import dev.cairn.reading.readContents
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.CheckpointStore
import dev.cairn.store.Discovery
import dev.cairn.store.Manifest
import dev.cairn.store.ManifestFormat
import dev.cairn.store.SaveNames
import dev.cairn.store.Verdict
import java.io.IOException
import java.lang.System.Logger.Level.INFO
import java.nio.ByteBuffer
import java.nio.file.Path

/** A checkpoint from which all ranks are to restore: the same on all of them. */
internal class Found(
    val manifest: Manifest,
    val contents: ByteBuffer,
    val data: Path,
)

/**
 * Collective: rank 0 looks for the newest good checkpoint and tells all ranks; null if there is none at all.
 *
 * @param rejected those that turned out damaged while they were restored, each with the reason
 * @param passOver hears on rank 0 of each one that is not taken
 */
internal suspend fun Communicator.find(
    store: CheckpointStore,
    files: BlockStore,
    rejected: Map<Int, String>,
    passOver: (Verdict.Rejected) -> Unit,
): Found? {
    val choice =
        collectively("look for a checkpoint") { if (rank == ROOT) choose(store, files, rejected, passOver) else null }
    val manifest = broadcast(ROOT, choice?.manifest ?: NOTHING)
    val contents = broadcast(ROOT, choice?.contents ?: NOTHING)
    if (!manifest.hasRemaining()) return null
    val decoded = shareInProcess { ManifestFormat.decode(store.directory, manifest.array).manifest }
    return Found(decoded, contents, SaveNames.data(store.directory, decoded.save))
}

private class Choice(
    val manifest: ByteBuffer,
    val contents: ByteBuffer,
)

private fun choose(
    store: CheckpointStore,
    files: BlockStore,
    rejected: Map<Int, String>,
    passOver: (Verdict.Rejected) -> Unit,
): Choice? {
    val contents = mutableMapOf<Int, ByteBuffer>()
    val discovery =
        store.discover { candidate ->
            rejected[candidate.number]?.let { throw IOException(it) }
            contents[candidate.number] = files.readContents(candidate)
        }
    discovery.notes.forEach { LOG.log(INFO, it) }
    return when (discovery) {
        is Discovery.None -> {
            null
        }

        is Discovery.DamagedOnly -> {
            discovery.rejected.forEach(passOver)
            throw CheckpointException.DamagedOnly(store.directory, discovery.rejected.map { it.reason })
        }

        is Discovery.Good -> {
            discovery.rejected.forEach(passOver)
            val newest = discovery.newest
            Choice(ByteBuffer.wrap(ManifestFormat.encode(newest.manifest)), contents.getValue(newest.number))
        }
    }
}

private val ByteBuffer.array: ByteArray get() = ByteArray(remaining()).also { duplicate().get(it) }
private val NOTHING: ByteBuffer = ByteBuffer.allocate(0)
private val LOG: System.Logger = System.getLogger(Found::class.java.name)
