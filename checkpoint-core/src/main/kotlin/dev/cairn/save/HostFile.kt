package dev.cairn.save

import dev.cairn.node.CopyExchange
import dev.cairn.node.DrainPace
import dev.cairn.node.Draining
import dev.cairn.node.HostCompletion
import dev.cairn.node.LocalDisks
import dev.cairn.sion.ForcePolicy
import dev.cairn.store.ManifestFormat
import dev.cairn.store.SaveNames
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Deferred

/**
 * The file of save [number] on a host, and the copies of other files that the host gets. Its keeper works on them between the meetings of
 * the save, by its worker.
 */
internal class HostFile(
    private val context: SaveContext,
    private val number: Int,
    private val disks: LocalDisks,
    private val completion: HostCompletion,
    private val durability: ForcePolicy,
) : AutoCloseable {
    private val worker = context.worker
    private val pace = DrainPace(context.options.drainRate)

    /** Null before the first window and after the last one. */
    @Volatile private var copies: CopyExchange? = null

    /** The write of the last received windows. */
    @Volatile private var written: Deferred<Result<Unit>> = CompletableDeferred(Result.success(Unit))

    /** Completes and forces the file. If any host's file is copied, the first window is ready then. */
    suspend fun complete() =
        worker.run {
            disks.complete(number, completion, durability)
            if (completion.largest > 0) {
                copies = disks.copy(number, completion).also { it.read(0) }
            } else {
                disks.markComplete(number, completion)
            }
        }

    /**
     * Collective among the keepers: exchanges the windows at [position]. Returns the rest of the work until the next meeting: it reads the
     * next window, and waits for the write of those received before; after the last one, it completes the copies. The worker does one
     * thing at a time, so the write of these windows comes before that read or after it.
     */
    suspend fun exchange(position: Long): suspend () -> Unit {
        val copies = checkNotNull(copies) { "the file of save $number is not ready to be copied" }
        val received = copies.exchange(context.ranks, position)
        val before = written
        val writing = worker.start<Unit> { worker.run { copies.write(received, position) } }
        written = writing
        val next = position + CopyExchange.WINDOW_SIZE
        return {
            before.await().getOrThrow()
            if (next < completion.largest) {
                worker.run { copies.read(next) }
            } else {
                writing.await().getOrThrow()
                worker.run { end(copies) }
            }
        }
    }

    private fun end(all: CopyExchange) {
        all.end(durability)
        copies = null
        disks.markComplete(number, completion)
    }

    /** Copies the file into the shared store, and checks all that it copies. */
    suspend fun drain() {
        val manifest = ManifestFormat.decode(context.directory, completion.manifestBytes).manifest
        val (name, checksum) = completion.meta.run { name to checksum }
        val source = disks.saves.file(number, name)
        Draining(context.files, source, manifest, checksum, context.pool, durability) {
            worker.pause()
            pace.spend(it)
        }.copyTo(SaveNames.data(context.directory, number).resolveSibling(name))
    }

    /** Lets the drain run as fast as it can. */
    fun hurry() = pace.lift()

    /** Closes the copies as soon as the worker is done with them. */
    override fun close() = written.closeAfterwards { copies?.close() }
}
