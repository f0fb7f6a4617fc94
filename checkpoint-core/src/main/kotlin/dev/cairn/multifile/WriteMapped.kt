package dev.cairn.multifile

import dev.cairn.ranks.Communicator
import dev.cairn.sion.ChunkWriter
import dev.cairn.sion.Content
import dev.cairn.sion.FileMapping
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.RecordWriter
import dev.cairn.sion.TaskUsage
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore

/**
 * A task of a mapped multifile that a rank writes. Immutable; made by that rank.
 *
 * @property task its number, from 0 without gaps over all ranks
 * @property chunkSize the bytes requested for it in each block
 * @property place the physical file and the local rank in it; the local ranks of a file have no gaps
 */
public class MappedTask(public val task: Int, public val chunkSize: Long, public val place: FileMapping.TaskPlace) {
    public constructor(task: Int, chunkSize: Long, fileNumber: Int, localRank: Int) :
        this(task, chunkSize, FileMapping.TaskPlace(fileNumber, localRank))
}

/**
 * Collective: the ranks write a mapped multifile, each any number of its tasks, at the places that the program specifies.
 * Otherwise as [writeMultifile]. [write] receives a writer for each of [tasks], in their order.
 *
 * @param spec what to create, made by [MultifileSpec.mapped]; the same on all ranks
 * @param tasks the tasks of this rank; may be empty
 */
@JvmSynthetic
public suspend fun Communicator.writeMapped(
    spec: MultifileSpec,
    tasks: List<MappedTask>,
    store: BlockStore = FileBlockStore(),
    write: suspend (List<ChunkWriter>) -> Unit,
): Unit =
    writeTasks(spec.withContent(Content.BYTES), tasks, store) { chunks ->
        write(chunks)
        chunks.map { it.usage() }
    }

/** Collective: as [writeMapped], for records of a key and a value. */
@JvmSynthetic
public suspend fun Communicator.writeMappedRecords(
    spec: MultifileSpec,
    tasks: List<MappedTask>,
    store: BlockStore = FileBlockStore(),
    write: suspend (List<RecordWriter>) -> Unit,
): Unit =
    writeTasks(spec.withContent(Content.RECORDS), tasks, store) { chunks ->
        val records = chunks.map(RecordWriter::of)
        write(records)
        records.map { it.usage() }
    }

private suspend inline fun Communicator.writeTasks(
    spec: MultifileSpec,
    tasks: List<MappedTask>,
    store: BlockStore,
    write: (List<ChunkWriter>) -> List<TaskUsage>,
) {
    val writing = MappedWriting.begin(this, spec, tasks, store)
    writing.end(runCatching { write(writing.open()) })
}
