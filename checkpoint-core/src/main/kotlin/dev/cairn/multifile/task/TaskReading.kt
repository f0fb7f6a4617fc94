package dev.cairn.multifile.task

import dev.cairn.comm.Communicator
import dev.cairn.comm.MessageFields
import dev.cairn.comm.NOTHING
import dev.cairn.comm.ROOT
import dev.cairn.failure.CallsDifferException
import dev.cairn.failure.isOutOfStep
import dev.cairn.sion.GlobalView
import dev.cairn.sion.MultifileMeta
import dev.cairn.sion.TaskView
import dev.cairn.sion.store.BlockStore
import dev.cairn.structure.text
import kotlinx.coroutines.CancellationException
import java.nio.ByteBuffer
import java.nio.file.Path

/**
 * One rank's part in reading a multifile together. All ranks [begin], each reads through the view that it gets from
 * [open], and all [end].
 */
internal class TaskReading private constructor(
    private val ranks: Communicator,
    private val store: BlockStore,
    private val views: OpenViews,
) {
    /** The view that the ranks of this process share. */
    fun open(): GlobalView = views.open(store)

    /** This rank's own task, which it only has where there are as many ranks as tasks. */
    fun openTask(): TaskView {
        val view = open()
        require(view.taskCount() == ranks.size) {
            "${view.info().path()}: it has ${view.taskCount()} tasks, but ${ranks.size} ranks want to read one each. " +
                "Use as many ranks as tasks, or readMultifile, which gives every rank any bytes of any task."
        }
        return view.task(ranks.rank)
    }

    /** Collective: returns the [outcome] of this rank when all have one, or throws on all ranks. */
    suspend fun <T> end(outcome: Result<T>): T =
        views.use {
            val failure = outcome.exceptionOrNull()
            if (failure is CancellationException || failure?.isOutOfStep == true) throw failure
            ranks.settleOnce("read", failure)
            outcome.getOrThrow()
        }

    companion object {
        /** Collective: rank 0 reads the meta data for all. Returns when all ranks know them. */
        suspend fun begin(
            ranks: Communicator,
            path: Path,
            store: BlockStore,
            wish: ReadMode,
        ): TaskReading {
            val bytes = ranks.during(ranks.nested("opening a multifile")).shareMeta(path, store, wish)
            return of(ranks, path, store, bytes)
        }

        /** Not collective: all ranks know the [meta] data of [path] already. */
        fun of(
            ranks: Communicator,
            path: Path,
            store: BlockStore,
            meta: ByteBuffer,
        ): TaskReading {
            val named = ranks.during(ranks.nested("reading $path"))
            val views = named.shareInProcess { rankCount -> OpenViews(MultifileMeta.of(path, meta), rankCount) }
            return TaskReading(named, store, views)
        }
    }
}

/** Which tasks a rank wants to read. */
internal enum class ReadMode(
    private val text: String,
) {
    OWN_TASK("its own task"),
    ANY_TASKS("any task"),
    ;

    fun of(path: Path): String = "$text of $path"
}

/** Collective: rank 0 reads the meta data for all; refused on all ranks if they do not want the same. */
private suspend fun Communicator.shareMeta(
    path: Path,
    store: BlockStore,
    wish: ReadMode,
): ByteBuffer {
    val wanted = wish.of(path)
    val meta = if (rank == ROOT) runCatching { MultifileMeta.read(store, path).bytes() } else null
    val ofRoot =
        FINDING.decode(
            broadcast(ROOT, meta?.let { FINDING.encode(Finding(wanted, it.getOrDefault(NOTHING))) }),
        )
    settle("open", meta?.exceptionOrNull() ?: differenceOf(wanted, ofRoot.wanted))
    return ofRoot.meta
}

private fun Communicator.differenceOf(
    wanted: String,
    wantedByRoot: String,
): CallsDifferException? =
    if (wanted == wantedByRoot) {
        null
    } else {
        CallsDifferException(
            "rank $rank wants to read $wanted, but rank $ROOT $wantedByRoot. Pass the same on all ranks.",
        )
    }

/** What rank 0 wants, and the meta data that it has read: one payload, since every rank waits for each. */
private class Finding(
    val wanted: String,
    val meta: ByteBuffer,
)

private val FINDING =
    MessageFields("which multifile rank 0 has opened", Finding("", NOTHING)) {
        Finding(text(it.wanted), bytes(it.meta))
    }
