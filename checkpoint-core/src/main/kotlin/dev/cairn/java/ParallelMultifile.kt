package dev.cairn.java

import dev.cairn.event.RankFailedException
import dev.cairn.multifile.MappedTask
import dev.cairn.multifile.MappedWriting
import dev.cairn.multifile.RankRequest
import dev.cairn.multifile.ReadMode
import dev.cairn.multifile.TaskReading
import dev.cairn.multifile.TaskWriting
import dev.cairn.multifile.filePerGroup
import dev.cairn.multifile.filePerHost
import dev.cairn.multifile.readMultifile
import dev.cairn.multifile.readTask
import dev.cairn.multifile.readTasks
import dev.cairn.multifile.writeMapped
import dev.cairn.multifile.writeMappedRecords
import dev.cairn.multifile.writeMultifile
import dev.cairn.multifile.writeRecords
import dev.cairn.sion.ChunkWriter
import dev.cairn.sion.Content
import dev.cairn.sion.FileMapping
import dev.cairn.sion.GlobalView
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.RecordWriter
import dev.cairn.sion.TaskUsage
import dev.cairn.sion.TaskView
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import java.nio.file.Path

/**
 * Multifiles that ranks write and read together, for Java. Each function is collective: all ranks call it, each on its
 * own thread, and if anything fails on any rank, all throw the same [RankFailedException]. The code of a rank for its
 * writer or view runs on its own thread and may call the communicator.
 */
public object ParallelMultifile {
    /** Writes a multifile of plain bytes; see [writeMultifile]. */
    @JvmStatic
    @JvmOverloads
    @Throws(RankFailedException::class)
    public fun write(
        ranks: BlockingCommunicator,
        spec: MultifileSpec,
        chunkSize: Long,
        store: BlockStore = FileBlockStore(),
        body: Writing<ChunkWriter>,
    ): Unit =
        writeTask(ranks, spec.withContent(Content.BYTES), chunkSize, store) { chunks ->
            body.write(chunks)
            chunks.usage()
        }

    /** Writes a multifile of records; see [writeRecords]. */
    @JvmStatic
    @JvmOverloads
    @Throws(RankFailedException::class)
    public fun writeRecords(
        ranks: BlockingCommunicator,
        spec: MultifileSpec,
        chunkSize: Long,
        store: BlockStore = FileBlockStore(),
        body: Writing<RecordWriter>,
    ): Unit =
        writeTask(ranks, spec.withContent(Content.RECORDS), chunkSize, store) { chunks ->
            val records = RecordWriter.of(chunks)
            body.write(records)
            records.usage()
        }

    /** Writes any number of tasks of a mapped multifile of plain bytes; see [writeMapped]. */
    @JvmStatic
    @JvmOverloads
    @Throws(RankFailedException::class)
    public fun writeMapped(
        ranks: BlockingCommunicator,
        spec: MultifileSpec,
        tasks: List<MappedTask>,
        store: BlockStore = FileBlockStore(),
        body: Writing<List<ChunkWriter>>,
    ): Unit =
        writeTasks(ranks, spec.withContent(Content.BYTES), tasks, store) { chunks ->
            body.write(chunks)
            chunks.map { it.usage() }
        }

    /** Writes any number of tasks of a mapped multifile of records; see [writeMappedRecords]. */
    @JvmStatic
    @JvmOverloads
    @Throws(RankFailedException::class)
    public fun writeMappedRecords(
        ranks: BlockingCommunicator,
        spec: MultifileSpec,
        tasks: List<MappedTask>,
        store: BlockStore = FileBlockStore(),
        body: Writing<List<RecordWriter>>,
    ): Unit =
        writeTasks(ranks, spec.withContent(Content.RECORDS), tasks, store) { chunks ->
            val records = chunks.map(RecordWriter::of)
            body.write(records)
            records.map { it.usage() }
        }

    /** Reads any tasks; see [readMultifile]. */
    @JvmStatic
    @JvmOverloads
    @Throws(RankFailedException::class)
    public fun <T> read(
        ranks: BlockingCommunicator,
        path: Path,
        store: BlockStore = FileBlockStore(),
        body: Reading<GlobalView, T>,
    ): T = readTasks(ranks, path, store, ReadMode.ANY_TASKS) { body.read(it.open()) }

    /** Reads the task that bears the rank's number; see [readTask]. */
    @JvmStatic
    @JvmOverloads
    @Throws(RankFailedException::class)
    public fun <T> readTask(
        ranks: BlockingCommunicator,
        path: Path,
        store: BlockStore = FileBlockStore(),
        body: Reading<TaskView, T>,
    ): T = readTasks(ranks, path, store, ReadMode.OWN_TASK) { body.read(it.openTask()) }

    /** One physical file for the ranks of each group; see the function of this name for coroutines. */
    @JvmStatic
    public fun filePerGroup(
        ranks: BlockingCommunicator,
        group: Int,
    ): FileMapping = ranks.call { filePerGroup(group) }

    /** One physical file for the ranks of each host. */
    @JvmStatic
    public fun filePerHost(ranks: BlockingCommunicator): FileMapping = ranks.call { filePerHost() }

    /** Writes a rank's data. May throw any exception. */
    public fun interface Writing<W> {
        @Throws(Exception::class)
        public fun write(writer: W)
    }

    /** Reads a rank's data. May throw any exception. */
    public fun interface Reading<V, T> {
        @Throws(Exception::class)
        public fun read(view: V): T
    }

    private inline fun writeTask(
        ranks: BlockingCommunicator,
        spec: MultifileSpec,
        chunkSize: Long,
        store: BlockStore,
        write: (ChunkWriter) -> TaskUsage,
    ) {
        val writing = ranks.call { TaskWriting.begin(this, spec, Result.success(RankRequest(chunkSize)), store) }
        val outcome = runCatching { write(writing.open()) }
        ranks.call { writing.end(outcome) }
    }

    private inline fun writeTasks(
        ranks: BlockingCommunicator,
        spec: MultifileSpec,
        tasks: List<MappedTask>,
        store: BlockStore,
        write: (List<ChunkWriter>) -> List<TaskUsage>,
    ) {
        val writing = ranks.call { MappedWriting.begin(this, spec, tasks.map { it.placed() }, store) }
        val outcome = runCatching { write(writing.open()) }
        ranks.call { writing.end(outcome) }
    }

    private inline fun <T> readTasks(
        ranks: BlockingCommunicator,
        path: Path,
        store: BlockStore,
        mode: ReadMode,
        read: (TaskReading) -> T,
    ): T {
        val reading = ranks.call { TaskReading.begin(this, path, store, mode) }
        val outcome = runCatching { read(reading) }
        return ranks.call { reading.end(outcome) }
    }
}
