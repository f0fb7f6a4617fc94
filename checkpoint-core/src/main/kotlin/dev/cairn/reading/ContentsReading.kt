package dev.cairn.reading

import dev.cairn.CheckpointException
import dev.cairn.sion.GlobalView
import dev.cairn.sion.Multifile
import dev.cairn.sion.store.BlockStore
import dev.cairn.state.Contents
import dev.cairn.state.TableOfContents
import dev.cairn.store.Candidate
import java.io.IOException
import java.nio.ByteBuffer

/** Reads and checks the index of a candidate, on one rank: all that must be good before anything is restored from it. */
internal fun BlockStore.readContents(candidate: Candidate): ByteBuffer =
    Multifile.open(this, candidate.data).use { it.readContents(candidate) }

/** As above, of a candidate whose data are open. */
internal fun GlobalView.readContents(candidate: Candidate): ByteBuffer {
    val packed = readIndex(this, candidate)
    val root = Contents.root(packed)
    if (root != candidate.manifest.contents) {
        throw CheckpointException.WrongContents(candidate.data, candidate.manifest.contents, root)
    }
    requireReadable(packed, candidate)
    return packed
}

/** What cannot be unpacked now could not be restored later. */
private fun requireReadable(
    packed: ByteBuffer,
    candidate: Candidate,
) {
    try {
        Contents.unpack(packed)
    } catch (unfit: IllegalArgumentException) {
        throw IOException("${candidate.data}: its tables of contents cannot be read: ${unfit.message}", unfit)
    }
}

private fun readIndex(
    view: GlobalView,
    candidate: Candidate,
): ByteBuffer {
    val manifest = candidate.manifest
    if (view.taskCount() != manifest.indexTask + 1) {
        throw CheckpointException.WrongTaskCount(candidate.data, manifest.tasks.joinToString(), view.taskCount())
    }
    val records = view.task(manifest.indexTask).records()
    val packed = ByteBuffer.allocate(Math.toIntExact(records.size(TableOfContents.KEY)))
    records.read(TableOfContents.KEY, 0, packed)
    return packed.flip()
}
