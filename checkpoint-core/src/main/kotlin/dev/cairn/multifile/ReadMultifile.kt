@file:JvmSynthetic

package dev.cairn.multifile

import dev.cairn.ranks.Communicator
import dev.cairn.sion.GlobalView
import dev.cairn.sion.TaskView
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import java.nio.ByteBuffer
import java.nio.file.Path

/**
 * Collective: the ranks open a multifile, and each rank reads any bytes of any tasks. The number of ranks that wrote it is
 * independent of the number that read it.
 * Rank 0 reads the meta data for all; a physical file is opened when data of it are read, once in each process.
 * If anything fails on any rank, all ranks throw the same [dev.cairn.event.RankFailedException].
 *
 * The view is open until [read] returns. [read] may call collectives of this communicator; work between them that can fail
 * belongs inside [dev.cairn.ranks.collectively].
 *
 * @param path the same on all ranks
 * @param store where the files are; the ranks of a process may share one
 */
public suspend fun <T> Communicator.readMultifile(
    path: Path,
    store: BlockStore = FileBlockStore(),
    read: suspend (GlobalView) -> T,
): T {
    val reading = TaskReading.begin(this, path, store, ReadMode.ANY_TASKS)
    return reading.end(runCatching { read(reading.open()) })
}

/** Collective: as the other [readMultifile], where all ranks have the [meta] data of [path] already. */
internal suspend fun <T> Communicator.readMultifile(
    path: Path,
    store: BlockStore,
    meta: ByteBuffer,
    read: suspend (GlobalView) -> T,
): T {
    val reading = TaskReading.of(this, path, store, meta)
    return reading.end(runCatching { read(reading.open()) })
}

/**
 * Collective: as [readMultifile], but each rank reads the one task that has its number. Refused unless the number of ranks
 * is the number of tasks.
 */
public suspend fun <T> Communicator.readTask(
    path: Path,
    store: BlockStore = FileBlockStore(),
    read: suspend (TaskView) -> T,
): T {
    val reading = TaskReading.begin(this, path, store, ReadMode.OWN_TASK)
    return reading.end(runCatching { read(reading.openTask()) })
}

/**
 * Collective: as [readMultifile], but each rank gets a share of the tasks: consecutive tasks, in numbers that differ by at
 * most one between ranks. If there are more ranks than tasks, some ranks get none.
 */
public suspend fun <T> Communicator.readTasks(
    path: Path,
    store: BlockStore = FileBlockStore(),
    read: suspend (List<TaskView>) -> T,
): T = readMultifile(path, store) { view -> read(shareOf(view.taskCount()).map(view::task)) }

private fun Communicator.shareOf(taskCount: Int): IntRange {
    val start = { of: Int -> (taskCount.toLong() * of / size).toInt() }
    return start(rank) until start(rank + 1)
}
