package dev.cairn.run

import dev.cairn.comm.Communicator
import dev.cairn.comm.MessageFields
import dev.cairn.comm.ROOT
import dev.cairn.comm.answerFrom
import dev.cairn.comm.collectively
import dev.cairn.failure.CheckpointException
import dev.cairn.local.Hosts
import dev.cairn.local.LocalDisks
import dev.cairn.local.LocalSaves
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.OwnedStore
import dev.cairn.structure.NUMBER
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
            if (directory.toAbsolutePath().normalize().startsWith(shared.toAbsolutePath().normalize())) {
                throw CheckpointException.LocalUnusable(directory, "that lies in the store of checkpoints $shared")
            }
            val store = checkNotNull(owned)
            KNOWN.encode(
                KnownSaves(
                    store.identityOnHosts(),
                    store.identity,
                    store.store
                        .survey()
                        .sealed
                        .map { it.number },
                ),
            )
        }
    val known = KNOWN.decode(answer)
    val hosts = Hosts.of(this)
    val saves = LocalSaves(files, directory, known.store)
    collectively(LOOK) {
        saves.prepare()
        if (hosts.isKeeper) saves.putSign(known.run, rank)
    }
    collectively(LOOK) {
        if (hosts.isKeeper) requireOwn(saves.signs(known.run), directory)
    }
    collectively(LOOK) {
        if (hosts.isKeeper) {
            saves.removeSigns()
            saves.keepOnly(known.sealed.toSet())
        }
    }
    return LocalDisks(files, hosts, saves)
}

private fun requireOwn(
    signs: List<Int>,
    directory: Path,
) {
    if (signs.size <= 1) return
    throw CheckpointException.LocalUnusable(
        directory.toAbsolutePath(),
        "the hosts of ranks ${signs.sorted().joinToString()} share it, and each needs its own",
    )
}

/**
 * The identity of the store on the hosts, and of the run that owns it; and the numbers of the saves that are sealed.
 */
private class KnownSaves(
    val store: String,
    val run: String,
    val sealed: List<Int>,
)

private val KNOWN =
    MessageFields("the saves that hosts may hold", KnownSaves("", "", emptyList())) {
        KnownSaves(text(it.store), text(it.run), list(it.sealed, NUMBER))
    }

private const val LOOK = "look at the local disks"
