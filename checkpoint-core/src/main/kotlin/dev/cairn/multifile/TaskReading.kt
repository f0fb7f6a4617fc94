package dev.cairn.multifile

import dev.cairn.event.CallsDifferException
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.MessageFields
import dev.cairn.ranks.NOTHING
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.collectively
import dev.cairn.ranks.decide
import dev.cairn.ranks.inStep
import dev.cairn.ranks.text
import dev.cairn.ranks.together
import dev.cairn.sion.GlobalView
import dev.cairn.sion.MultifileMeta
import dev.cairn.sion.TaskView
import dev.cairn.sion.store.BlockStore
import java.nio.ByteBuffer
import java.nio.file.Path

/**
 * One rank's part in reading a multifile together. All ranks [begin], each reads through the view from [open], and all [end].
 */
internal class TaskReading private constructor(
    private val ranks: Communicator,
    private val store: BlockStore,
    private val views: OpenViews,
) {
    /** The view that the ranks of this process share. */
    fun open(): GlobalView = views.open(store)

    /** The task of this rank. Refused unless there are as many ranks as tasks. */
    fun openTask(): TaskView {
        val view = open()
        require(view.taskCount() == ranks.size) {
            "${view.info().path()}: it has ${view.taskCount()} tasks, but ${ranks.size} ranks request one each. " +
                "Use as many ranks as tasks, or readMultifile, with which every rank reads any bytes of any task."
        }
        return view.task(ranks.rank)
    }

    /** Collective: returns the [outcome] of this rank if all ranks have succeeded, and throws on all ranks otherwise. */
    suspend fun <T> end(outcome: Result<T>): T = views.use { ranks.together("read", outcome.inStep()) }

    companion object {
        /** Collective: rank 0 reads the meta data for all. Returns when all ranks have them. */
        suspend fun begin(ranks: Communicator, path: Path, store: BlockStore, mode: ReadMode): TaskReading {
            val bytes = ranks.during(ranks.nested("opening a multifile")).shareMeta(path, store, mode)
            return of(ranks, path, store, bytes)
        }

        /** Not collective: all ranks have the [meta] data of [path] already. */
        fun of(ranks: Communicator, path: Path, store: BlockStore, meta: ByteBuffer): TaskReading {
            val named = ranks.during(ranks.nested("reading $path"))
            val views = named.shareInProcess { rankCount -> OpenViews(MultifileMeta.of(path, meta), rankCount) }
            return TaskReading(named, store, views)
        }
    }
}

/** The tasks that a rank is going to read. */
internal enum class ReadMode(private val text: String) {
    OWN_TASK("its own task"),
    ANY_TASKS("any task"),
    ;

    fun of(path: Path): String = "$text of $path"
}

/** Collective: rank 0 reads the meta data for all; refused on all ranks if they specify different multifiles or modes. */
private suspend fun Communicator.shareMeta(path: Path, store: BlockStore, mode: ReadMode): ByteBuffer {
    val target = mode.of(path)
    val ofRoot = decide("open", OPENED_META) { OpenedMeta(target, MultifileMeta.read(store, path).bytes()) }
    collectively("open") {
        if (target == ofRoot.target) return@collectively
        throw CallsDifferException(
            "rank $rank reads $target, but rank $ROOT ${ofRoot.target}. Pass the same on all ranks.",
        )
    }
    return ofRoot.meta
}

/** The target of rank 0 in words, and the meta data that it has read: one payload, since every broadcast is a wait. */
private class OpenedMeta(val target: String, val meta: ByteBuffer)

private val OPENED_META =
    MessageFields("the multifile that rank 0 has opened", OpenedMeta("", NOTHING)) {
        OpenedMeta(text(it.target), bytes(it.meta))
    }
