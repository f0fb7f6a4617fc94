@file:JvmSynthetic

package dev.cairn.multifile

import dev.cairn.ranks.Communicator
import dev.cairn.sion.ChunkWriter
import dev.cairn.sion.Content
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.RecordWriter
import dev.cairn.sion.TaskUsage
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore

/**
 * Collective: the ranks create a multifile, each one writes its own task's stream of plain bytes, and the multifile is
 * closed. Returns on all ranks when it is complete. If anything fails on any rank, all ranks throw the same
 * [dev.cairn.event.RankFailedException], and the multifile stays unfinished: every reader refuses it.
 *
 * [write] may call collectives of this communicator. A rank that throws between them leaves the others waiting, so work
 * there that can fail belongs inside [dev.cairn.ranks.collectively].
 *
 * @param spec what to create; the same on all ranks. Its content is set here. By default all tasks are in one file, into which file
 *     systems let one rank write at a time; with [dev.cairn.sion.FileMapping.auto] there are as many as ranks that can write at once
 * @param chunkSize the bytes that this rank requests in each block; the ranks may request different sizes
 * @param store where the files are; the ranks of a process may share one
 */
public suspend fun Communicator.writeMultifile(
    spec: MultifileSpec,
    chunkSize: Long,
    store: BlockStore = FileBlockStore(),
    write: suspend (ChunkWriter) -> Unit,
): Unit =
    writeTask(spec.withContent(Content.BYTES), chunkSize, store) { chunks ->
        write(chunks)
        chunks.usage()
    }

/** Collective: as [writeMultifile], for records of a key and a value. */
public suspend fun Communicator.writeRecords(
    spec: MultifileSpec,
    chunkSize: Long,
    store: BlockStore = FileBlockStore(),
    write: suspend (RecordWriter) -> Unit,
): Unit =
    writeTask(spec.withContent(Content.RECORDS), chunkSize, store) { chunks ->
        val records = RecordWriter.of(chunks)
        write(records)
        records.usage()
    }

private suspend inline fun Communicator.writeTask(
    spec: MultifileSpec,
    chunkSize: Long,
    store: BlockStore,
    write: (ChunkWriter) -> TaskUsage,
) {
    val writing = TaskWriting.begin(this, spec, Result.success(RankRequest(chunkSize)), store)
    writing.end(runCatching { write(writing.open()) })
}
