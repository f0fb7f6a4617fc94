package dev.cairn.checkpoint

import dev.cairn.checkpoint.TableOfContents.Companion.MANIFEST_KEY
import dev.cairn.sion.GlobalView
import dev.cairn.sion.Multifile
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.CheckpointStore
import dev.cairn.store.Manifest
import dev.cairn.store.ManifestFormat
import dev.cairn.store.StoredManifest
import java.nio.ByteBuffer
import java.nio.file.Path

/**
 * The copy of a manifest in the index, the last task of the save's data, behind the tables of contents. It is written before
 * the commit, so it does not make the save a checkpoint, but a lost manifest can be restored from it.
 */
internal object ManifestCopy {
    /** Reads and checks the copy in open data; [data] is used only in error messages. */
    fun read(
        view: GlobalView,
        data: Path,
    ): StoredManifest {
        val records = view.indexRecords(data)
        val size = records.size(MANIFEST_KEY)
        if (size !in 1..ManifestFormat.MOST_BYTES) {
            throw wrongCopy(data, "it has $size bytes")
        }
        val bytes = ByteBuffer.allocate(size.toInt())
        records.read(MANIFEST_KEY, 0, bytes)
        return ManifestFormat.decode(data, bytes.array())
    }

    /** Reads and checks the copy in the data of a save. */
    fun read(
        files: BlockStore,
        data: Path,
    ): StoredManifest = Multifile.open(files, data).use { read(it, data) }

    /** Fails if the copy differs from [manifest] in more than the number of files, which may have changed since. */
    fun requireSame(
        view: GlobalView,
        data: Path,
        manifest: Manifest,
    ) {
        if (manifest.format.major == 1) return
        val copy = read(view, data).manifest
        if (copy.copy(hints = manifest.hints) != manifest) {
            throw wrongCopy(data, "it is that of save ${copy.save}, step ${copy.step}, or was changed")
        }
    }
}

/** The checkpoints in [directory]; a checkpoint that lost its manifest is recognized by the copy in its data. */
internal fun checkpointStore(
    files: BlockStore,
    directory: Path,
) = CheckpointStore(files, directory) { ManifestCopy.read(files, it) }
