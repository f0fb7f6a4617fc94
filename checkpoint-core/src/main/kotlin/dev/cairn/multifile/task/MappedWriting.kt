package dev.cairn.multifile.task

import dev.cairn.comm.Communicator
import dev.cairn.comm.ROOT
import dev.cairn.failure.CallsDifferException
import dev.cairn.failure.isOutOfStep
import dev.cairn.failure.rankText
import dev.cairn.sion.ChunkWriter
import dev.cairn.sion.Dialect
import dev.cairn.sion.FileMapping
import dev.cairn.sion.Multifile
import dev.cairn.sion.MultifileLayout
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.TaskPlace
import dev.cairn.sion.TaskRequest
import dev.cairn.sion.TaskSlot
import dev.cairn.sion.TaskUsage
import dev.cairn.sion.store.BlockStore
import kotlinx.coroutines.CancellationException
import java.nio.ByteBuffer

/**
 * One rank's part in writing a mapped multifile, of which it has any number of tasks. All ranks [begin], each writes what
 * it gets from [open], and all [end]. Rank 0 plans, creates and closes; only it has the [layout].
 */
internal class MappedWriting private constructor(
    private val ranks: Communicator,
    private val store: BlockStore,
    private val slots: List<TaskSlot>,
    private val layout: MultifileLayout?,
    private val files: OpenFiles,
) {
    /** The writers of this rank's tasks, in the order in which it named them. */
    fun open(): List<ChunkWriter> = slots.map { ChunkWriter.of(files.open(store, it.fileNumber()), it) }

    /** Collective: brings what this rank has written, task by task, and returns when the multifile is closed. */
    suspend fun end(outcome: Result<List<TaskUsage>>): Unit =
        files.use {
            outcome.onFailure { if (it is CancellationException || it.isOutOfStep) throw it }
            val written = outcome.mapCatching { usages -> usages.also { files.leave() } }
            val all = ranks.gather(ROOT, written.fold({ usagesToPayload(slots, it) }, { NOTHING }))
            val closed = written.mapCatching { close(all.flatMap { it.toUsages() }.toMap()) }
            ranks.settleOnce("close", closed.exceptionOrNull())
        }

    /** A rank that failed brings nothing, and then there is nothing to close. */
    private fun close(usages: Map<Int, TaskUsage>) {
        if (layout == null || usages.size < layout.taskCount()) return
        Multifile.close(store, layout, (0 until layout.taskCount()).map(usages::getValue))
    }

    companion object {
        /** Collective: returns when the physical files exist. */
        suspend fun begin(
            ranks: Communicator,
            spec: MultifileSpec,
            tasks: List<PlacedTask>,
            store: BlockStore,
        ): MappedWriting {
            val creating = ranks.during(ranks.nested("creating a multifile"))
            val own = MappedRequest(fingerprint(spec.sharedArguments()), tasks)
            val requests = creating.gather(ROOT, own.toPayload()).map(MappedRequest::of)
            val planned = if (ranks.rank == ROOT) runCatching { create(requests, spec, store) } else null
            val layout = planned?.getOrNull()
            val places = layout?.let { made -> requests.map { slotsToPayload(it, made) } }
            val answer = creating.scatter(ROOT, if (planned == null) null else places ?: List(ranks.size) { NOTHING })
            creating.settle("create", planned?.exceptionOrNull())
            val files =
                ranks.shareInProcess { OpenFiles(spec, it, ranks.nested("writing ${spec.path()}")) }
            val slots = buildList { while (answer.hasRemaining()) add(answer.getSlot()) }
            return MappedWriting(ranks.during(files.activity), store, slots, layout, files)
        }

        private fun create(
            requests: List<MappedRequest>,
            spec: MultifileSpec,
            store: BlockStore,
        ): MultifileLayout {
            require(spec.dialect() == Dialect.MAPPED) {
                "${spec.path()}: ranks write any tasks of a mapped multifile only: use MultifileSpec.mapped."
            }
            requireSame(requests, spec)
            val tasks = requireEachOnce(requests, spec)
            val places = tasks.map { it.place }
            val mapped = spec.resolve(store).withMapping(FileMapping.byPlace(places::get))
            val layout = MultifileLayout.plan(mapped, tasks.map { TaskRequest(it.number.toLong(), it.chunkSize) })
            Multifile.create(store, layout)
            return layout
        }

        private fun requireSame(
            requests: List<MappedRequest>,
            spec: MultifileSpec,
        ) {
            val others = requests.indices.filter { requests[it].fingerprint != requests[ROOT].fingerprint }
            if (others.isEmpty()) return
            throw CallsDifferException(
                "${rankText(others)} and rank $ROOT do not mean the same multifile as ${spec.path()}. " +
                    "Pass the same arguments on all ranks.",
            )
        }

        /** All tasks in the order of their numbers, which have no gaps. */
        private fun requireEachOnce(
            requests: List<MappedRequest>,
            spec: MultifileSpec,
        ): List<PlacedTask> {
            val owners = requests.flatMapIndexed { rank, request -> request.tasks.map { it to rank } }
            val byNumber = owners.groupBy { (task) -> task.number }
            for (number in owners.indices) {
                val found = byNumber[number].orEmpty().map { (_, rank) -> rank }
                require(found.size == 1) {
                    val who = if (found.isEmpty()) "nobody" else rankText(found)
                    "${spec.path()}: task $number has $who as its writer, but each of the tasks 0 to ${owners.size - 1} has one."
                }
            }
            return owners.indices.map { byNumber.getValue(it).single().first }
        }
    }
}

/** A task of a mapped multifile: its [number], the bytes that it wants in each block, and where it lies. */
internal class PlacedTask(
    val number: Int,
    val chunkSize: Long,
    val place: TaskPlace,
)

/** What one rank asks for, as it is sent to rank 0. */
private class MappedRequest(
    val fingerprint: Long,
    val tasks: List<PlacedTask>,
) {
    fun toPayload(): ByteBuffer =
        payload(Long.SIZE_BYTES + tasks.size * TASK_SIZE) {
            putLong(fingerprint)
            for (task in tasks) {
                putInt(task.number).putLong(task.chunkSize)
                putInt(task.place.fileNumber()).putInt(task.place.localRank())
            }
        }

    companion object {
        private const val TASK_SIZE = 3 * Int.SIZE_BYTES + Long.SIZE_BYTES

        fun of(payload: ByteBuffer): MappedRequest {
            val fingerprint = payload.getLong()
            val tasks =
                buildList {
                    while (payload.hasRemaining()) {
                        add(
                            PlacedTask(
                                payload.getInt(),
                                payload.getLong(),
                                TaskPlace(payload.getInt(), payload.getInt()),
                            ),
                        )
                    }
                }
            return MappedRequest(fingerprint, tasks)
        }
    }
}

private fun slotsToPayload(
    request: MappedRequest,
    layout: MultifileLayout,
): ByteBuffer {
    val slots = request.tasks.map { layout.slot(it.number).toPayload() }
    return payload(slots.sumOf { it.remaining() }) { slots.forEach(::put) }
}

private fun usagesToPayload(
    slots: List<TaskSlot>,
    usages: List<TaskUsage>,
): ByteBuffer {
    val parts = usages.map { it.toPayload() }
    return payload(parts.sumOf { 2 * Int.SIZE_BYTES + it.remaining() }) {
        slots.zip(parts) { slot, part -> putInt(slot.task()).putInt(part.remaining()).put(part) }
    }
}

private fun ByteBuffer.toUsages(): List<Pair<Int, TaskUsage>> =
    buildList {
        while (hasRemaining()) {
            val task = getInt()
            val size = getInt()
            add(task to checkNotNull(slice(position(), size).order(order()).toUsage()))
            position(position() + size)
        }
    }
