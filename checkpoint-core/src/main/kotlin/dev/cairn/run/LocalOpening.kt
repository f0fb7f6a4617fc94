package dev.cairn.run

import dev.cairn.comm.Communicator
import dev.cairn.comm.MessageFields
import dev.cairn.comm.ROOT
import dev.cairn.comm.answerFrom
import dev.cairn.comm.collectively
import dev.cairn.local.Hosts
import dev.cairn.local.LocalDisks
import dev.cairn.local.LocalSaves
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.OwnedStore
import dev.cairn.structure.Structure
import dev.cairn.structure.text
import java.nio.file.Path

/**
 * Collective: the disks of the hosts, on which saves of the store in [shared] lie below [directory]. What they hold of saves that the
 * store does not know as sealed is deleted: their runs were broken off, or they are committed.
 */
internal suspend fun Communicator.openLocalDisks(
    directory: Path,
    shared: Path,
    files: BlockStore,
    owned: OwnedStore?,
): LocalDisks {
    val answer =
        answerFrom(ROOT, LOOK) {
            val sealed = checkNotNull(owned).store.survey().sealed
            KNOWN.encode(KnownSaves(LocalSaves.nameFor(shared), sealed.map { it.number }))
        }
    val known = KNOWN.decode(answer)
    val hosts = Hosts.of(this)
    val saves = LocalSaves(files, directory, known.name)
    collectively(LOOK) {
        saves.prepare()
        if (hosts.isKeeper) saves.keepOnly(known.sealed.toSet())
    }
    return LocalDisks(files, hosts, saves)
}

/** The name of the store on the hosts, and the numbers of the saves in it that are sealed. */
private class KnownSaves(
    val name: String,
    val sealed: List<Int>,
)

private val NUMBER = Structure(0) { u32(it) }

private val KNOWN =
    MessageFields("the saves that hosts may hold", KnownSaves("", emptyList())) {
        KnownSaves(text(it.name), list(it.sealed, NUMBER))
    }

private const val LOOK = "look at the local disks"
