package dev.cairn.node

import dev.cairn.sion.ForcePolicy
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import java.io.IOException
import java.lang.System.Logger.Level.WARNING
import java.nio.ByteBuffer

/**
 * The disks of the [hosts] of the ranks, and the [saves] on that of this rank's host. Belongs to one rank.
 */
internal class LocalDisks(
    private val files: BlockStore,
    val hosts: Hosts,
    val saves: LocalSaves,
    private val limit: Long?,
) {
    private var window: ByteBuffer = ByteBuffer.allocate(0)

    /** Makes room for save [number]: of those before, this host keeps the [sealed] ones. Returns the room on a keeper. */
    fun begin(number: Int, sealed: List<Int>): HostRoom {
        saves.begin(number)
        if (!hosts.isKeeper) return HostRoom.NONE
        saves.keepOnly(sealed.toSet() + number, number)
        return saves.room(limit)
    }

    /**
     * On a keeper, after the commit of save [number]: of the saves until then, its host keeps the [sealed] ones. If that fails, the next
     * save or run does it.
     */
    fun keepOnly(number: Int, sealed: Set<Int>) = onKeeper("saves") { saves.keepOnly(sealed, number) }

    /** Completes the file that this rank keeps. */
    fun complete(number: Int, completion: HostCompletion, durability: ForcePolicy) =
        files.open(saves.file(number, completion.meta.name), Access.READ_WRITE).use {
            completion.meta.writeTo(it)
            if (durability == ForcePolicy.ON_CLOSE) it.force()
        }

    /** The copies that this rank sends and receives; see [CopyExchange]. */
    fun copy(number: Int, completion: HostCompletion): CopyExchange {
        val size = minOf(completion.largest, CopyExchange.WINDOW_SIZE.toLong()).toInt()
        if (window.capacity() < size) window = ByteBuffer.allocateDirect(size)
        return CopyExchange.begin(files, saves, number, completion, window)
    }

    /** Marks the host's files of save [number] as complete, by the manifest beside them. */
    fun markComplete(number: Int, completion: HostCompletion) = saves.describe(number, completion.manifestBytes)

    /** On a keeper: deletes the files of save [number] on its host. If that fails, the next save or run does it. */
    fun discard(number: Int) = onKeeper("save $number") { saves.remove(number) }

    private fun onKeeper(what: String, delete: () -> Unit) {
        if (!hosts.isKeeper) return
        try {
            delete()
        } catch (failure: IOException) {
            LOG.log(WARNING, "$saves: $what could not be deleted. The next start tries again", failure)
        }
    }

    private companion object {
        val LOG: System.Logger = System.getLogger(LocalDisks::class.java.name)
    }
}
