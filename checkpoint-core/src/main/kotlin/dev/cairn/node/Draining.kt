package dev.cairn.node

import dev.cairn.checkpoint.FramePool
import dev.cairn.checkpoint.Index
import dev.cairn.checkpoint.StoredState
import dev.cairn.checkpoint.TableOfContents.Companion.FRAME_SIZE
import dev.cairn.checkpoint.damagedMeta
import dev.cairn.checkpoint.missingData
import dev.cairn.checkpoint.ownTables
import dev.cairn.checkpoint.unreadableData
import dev.cairn.sion.ForcePolicy
import dev.cairn.sion.GlobalView
import dev.cairn.sion.Multifile
import dev.cairn.sion.failure.SionException
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.Manifest
import dev.cairn.store.SaveNames
import dev.cairn.store.deleteIfThere
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.file.NoSuchFileException
import java.nio.file.Path
import java.util.UUID
import java.util.zip.CRC32C

/**
 * Copies one physical file of a sealed save, [source], into the store that all ranks share, or verifies it where it lies. It reads the
 * file as a restore does, and copies what it reads: so all meta data, records and frames are checked, and both files are the same. The
 * rest of the file is gaps, which read as zeros.
 *
 * @param isNoteWrong whether not the file is damaged but the note that gives it [metaChecksum], since the file has another one
 * @param pause is called before each frame, with its size
 */
internal class Draining(
    private val files: BlockStore,
    private val source: Path,
    private val manifest: Manifest,
    private val metaChecksum: Int,
    private val pool: FramePool,
    private val durability: ForcePolicy,
    private val isNoteWrong: (found: Int) -> Boolean = { false },
    private val pause: suspend (byteCount: Int) -> Unit,
) {
    /**
     * May be repeated after a failure, also by another program. The copy gets the name [target] when it is whole: a program that was
     * stopped and wakes up, when another one has drained and committed the save, does no harm.
     */
    suspend fun copyTo(target: Path) {
        val part = target.resolveSibling(SaveNames.part(target, UUID.randomUUID()))
        try {
            files.create(part).use { copy ->
                val size = check(CopyingStore(files, copy))
                copy.resize(size)
                if (durability == ForcePolicy.ON_CLOSE) copy.force()
            }
            files.rename(part, target)
        } catch (failure: Exception) {
            deleteAfter(failure, part)
            throw failure
        }
        files.forceDirectory(target.parent)
    }

    /** Reads and checks all that [copyTo] does, and copies nothing. */
    suspend fun verify() {
        check(files)
    }

    private fun deleteAfter(failure: Exception, part: Path) {
        try {
            files.deleteIfThere(part)
        } catch (another: IOException) {
            failure.addSuppressed(another)
        }
    }

    /** Returns the size of the file, which is read through [reading]. */
    private suspend fun check(reading: BlockStore): Long =
        try {
            Multifile.openFile(reading, source).use {
                check(it, reading)
                it.files().single().size()
            }
        } catch (failed: CopyFailed) {
            throw failed.cause
        } catch (damaged: SionException) {
            throw damaged
        } catch (_: NoSuchFileException) {
            throw missingData(source)
        } catch (unreadable: IOException) {
            throw unreadableData(source, unreadable)
        }

    /** The first file holds the index as its last task. */
    private suspend fun check(view: GlobalView, reading: BlockStore) {
        requireMeta(view.files().single(), reading)
        val hasIndex = "${source.fileName}" == SaveNames.DATA
        val rankCount = if (hasIndex) view.taskCount() - 1 else view.taskCount()
        val stored = StoredState(view, manifest, view.ownTables(rankCount, manifest))
        for (rank in 0 until rankCount) {
            stored.requireRecords(rank)
            stored.checkFrames(rank, pool, pause)
        }
        if (hasIndex) {
            val index = Index(view)
            index.contents(manifest)
            index.requireCopyOf(manifest)
        }
    }

    /** The format has no checksum of its own for them. What is checked here is what is copied: it comes through [reading], too. */
    private fun requireMeta(file: GlobalView.FileView, reading: BlockStore) {
        val crc = CRC32C()
        reading.open(source, Access.READ).use {
            crc.add(it, 0, file.metaOneSize())
            crc.add(it, file.metaTwoStart(), file.size())
        }
        val found = crc.value.toInt()
        if (found != metaChecksum && !isNoteWrong(found)) throw damagedMeta(source, metaChecksum, found)
    }

    private fun CRC32C.add(file: BlockFile, from: Long, until: Long) {
        val bytes = ByteBuffer.allocate(minOf(until - from, FRAME_SIZE.toLong()).toInt())
        var position = from
        while (position < until) {
            bytes.clear().limit(minOf(until - position, FRAME_SIZE.toLong()).toInt())
            file.readFully(position, bytes)
            update(bytes.flip())
            position += bytes.limit()
        }
    }
}

/** Distinguishes a failure to write the copy from one to read its source. */
private class CopyFailed(override val cause: IOException) : RuntimeException(cause)

/** Whatever is read from a file here is written to the same place of [copy]. */
private class CopyingStore(private val files: BlockStore, private val copy: BlockFile) : BlockStore by files {
    override fun open(file: Path, access: Access): BlockFile = CopyingFile(files.open(file, access), copy)
}

private class CopyingFile(private val source: BlockFile, private val copy: BlockFile) : BlockFile by source {
    override fun read(position: Long, target: ByteBuffer): Int {
        val start = target.position()
        val count = source.read(position, target)
        if (count > 0) writeCopy(position, target.slice(start, count))
        return count
    }

    override fun readFully(position: Long, target: ByteBuffer) {
        val start = target.position()
        source.readFully(position, target)
        writeCopy(position, target.slice(start, target.position() - start))
    }

    private fun writeCopy(position: Long, bytes: ByteBuffer) =
        try {
            copy.write(position, bytes)
        } catch (failure: IOException) {
            throw CopyFailed(failure)
        }
}
