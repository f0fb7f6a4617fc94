package dev.cairn.checkpoint

import dev.cairn.checkpoint.TableOfContents.Companion.MANIFEST_KEY
import dev.cairn.sion.Content
import dev.cairn.sion.GlobalView
import dev.cairn.sion.Multifile
import dev.cairn.sion.RecordView
import dev.cairn.sion.failure.SionException
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.CheckpointStore
import dev.cairn.store.Manifest
import dev.cairn.store.ManifestFormat
import dev.cairn.store.StoredManifest
import java.nio.ByteBuffer
import java.nio.file.Path

/**
 * The index of a save, in the last task of its data: the tables of contents of all ranks, and behind them a copy of the manifest. The copy
 * is written before the commit, so it does not make the save a checkpoint, but a lost manifest can be restored from it.
 */
internal class Index(view: GlobalView) {
    private val data: Path = view.info().path()
    private val records: RecordView = view.recordsOf(view.taskCount() - 1)

    /** The packed tables of contents; refused unless they are those of [manifest]. */
    fun contents(manifest: Manifest): ByteBuffer {
        val packed = records.whole(TableOfContents.KEY)
        val root = Contents.root(packed)
        if (root != manifest.contents) throw wrongContents(data, manifest.contents, root)
        return packed
    }

    /** The tables in the [packed] contents: one for each rank of [manifest]. */
    fun tables(packed: ByteBuffer, manifest: Manifest): Contents {
        val contents = decodedContents(data) { Contents.unpack(packed) }
        val count = contents.tables.size
        if (count == manifest.rankCount) return contents
        throw damagedContents(data, "they are those of $count ranks, not of ${manifest.rankCount}")
    }

    /** The copy of the manifest. */
    fun manifest(): StoredManifest = ManifestFormat.decode(data, manifestBytes().array())

    private fun manifestBytes(): ByteBuffer {
        val size = records.size(MANIFEST_KEY)
        if (size !in 1..ManifestFormat.MOST_BYTES) throw wrongCopy(data, "it has $size bytes")
        return records.whole(MANIFEST_KEY)
    }

    /** Fails if the copy differs from [stored] in more than the number of files, which may have changed since. */
    fun requireCopyOf(stored: StoredManifest) {
        if (stored.manifest.format.major == 1 || manifestBytes() != stored.bytes) requireCopyOf(stored.manifest)
    }

    /** As above. */
    fun requireCopyOf(manifest: Manifest) {
        if (manifest.format.major == 1) return
        val copy = manifest().manifest
        if (copy.copy(hints = manifest.hints) != manifest) {
            throw wrongCopy(data, "it is that of save ${copy.save}, step ${copy.step}, or was changed")
        }
    }

    companion object {
        /** The index of all data of a save, whose tasks must be those of [manifest]. */
        fun of(view: GlobalView, manifest: Manifest): Index {
            if (view.taskCount() == manifest.indexTask + 1) return Index(view)
            throw otherTasks(view.info().path(), manifest.tasks.joinToString(), view.taskCount())
        }
    }
}

/** The records of a task. */
internal fun GlobalView.recordsOf(task: Int): RecordView {
    if (info().content() != Content.RECORDS) {
        throw damagedContents(info().path(), "the multifile declares that it holds plain bytes, no records")
    }
    return try {
        task(task).records()
    } catch (damaged: SionException.Corrupt) {
        throw damagedRecords(damaged)
    }
}

/** All bytes of [key]. */
internal fun RecordView.whole(key: Long): ByteBuffer =
    ByteBuffer.allocate(Math.toIntExact(size(key))).also { read(key, 0, it) }.flip()

/** The copy of the manifest in [data]. */
internal fun BlockStore.copiedManifest(data: Path): StoredManifest =
    Multifile.open(this, data).use { Index(it).manifest() }

/** The checkpoints in [directory]; a checkpoint that lost its manifest is recognized by the copy in its data. */
internal fun checkpointStore(files: BlockStore, directory: Path) =
    CheckpointStore(files, directory, files::copiedManifest)
