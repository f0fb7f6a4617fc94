package dev.cairn.local

import dev.cairn.sion.ForcePolicy
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import java.io.IOException
import java.lang.System.Logger.Level.WARNING

/**
 * The disks of the [hosts] of the ranks, and the [saves] on that of this rank's host. Belongs to one rank.
 */
internal class LocalDisks(
    private val files: BlockStore,
    val hosts: Hosts,
    val saves: LocalSaves,
) {
    /** Makes room for save [number]; its host keeps the saves [sealed] besides, and no other one. */
    fun begin(
        number: Int,
        sealed: List<Int>,
    ) {
        saves.begin(number)
        if (hosts.isKeeper) saves.keepOnly(sealed.toSet() + number)
    }

    /** Completes the file that this rank keeps, so that its host has voted for save [number]. */
    fun complete(
        number: Int,
        completion: HostCompletion,
        durability: ForcePolicy,
    ) {
        files.open(saves.file(number, completion.meta.name), Access.READ_WRITE).use {
            completion.meta.writeTo(it)
            if (durability == ForcePolicy.ON_CLOSE) it.force()
        }
        saves.describe(number, completion.manifestBytes)
    }

    /** On a keeper: deletes what its host holds of save [number]. If that fails, the next run does it. */
    fun discard(number: Int) {
        if (!hosts.isKeeper) return
        try {
            saves.remove(number)
        } catch (failure: IOException) {
            LOG.log(WARNING, "$saves: save $number could not be deleted, tried again at the next start", failure)
        }
    }

    private companion object {
        val LOG: System.Logger = System.getLogger(LocalDisks::class.java.name)
    }
}
