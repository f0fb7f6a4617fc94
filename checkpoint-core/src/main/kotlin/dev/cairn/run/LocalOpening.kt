package dev.cairn.run

import dev.cairn.event.CHECKPOINTS_LOGGER
import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.node.CopyPlacement
import dev.cairn.node.Hosts
import dev.cairn.node.LocalDisks
import dev.cairn.node.LocalSaves
import dev.cairn.node.localUnusable
import dev.cairn.options.CheckpointOptions
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.MessageFields
import dev.cairn.ranks.NUMBER
import dev.cairn.ranks.Worker
import dev.cairn.ranks.collectively
import dev.cairn.ranks.collectivelyInTime
import dev.cairn.ranks.decide
import dev.cairn.ranks.text
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.OwnedStore
import java.lang.System.Logger.Level.INFO
import java.nio.file.Path

/**
 * Collective: the disks of the hosts, which hold saves of the store in [shared] below [directory]. Files of saves that are not sealed
 * in the store are deleted: their runs were killed, or they are committed.
 */
internal suspend fun Communicator.openLocalDisks(
    directory: Path,
    shared: Path,
    files: BlockStore,
    owned: OwnedStore?,
    options: CheckpointOptions,
    worker: Worker,
): LocalDisks {
    val known =
        decide(LOOK, KNOWN) {
            if (directory.toAbsolutePath().normalize().startsWith(shared.toAbsolutePath().normalize())) {
                throw localUnusable(directory, "that is in the store of checkpoints $shared")
            }
            val store = checkNotNull(owned)
            KnownSaves(store.identityOnHosts(), store.identity, store.store.survey().sealedNumbers)
        }
    val hosts = Hosts.of(this) { options.placeCopies(directory, it) }
    val saves = LocalSaves(files, directory, known.store)
    collectively(LOOK) {
        saves.prepare()
        if (hosts.isKeeper) saves.createMarker(known.run, rank)
    }
    collectively(LOOK) {
        if (hosts.isKeeper) requireOwn(saves.markers(known.run), directory)
        // The hosts delete what is not sealed now; a successor may have sealed more since then.
        owned?.requireHeld()
    }
    collectivelyInTime(LOOK, worker) {
        if (hosts.isKeeper) {
            saves.deleteMarkers()
            saves.keepOnly(known.sealed.toSet())
        }
    }
    return LocalDisks(files, hosts, saves, options.localLimit)
}

/** On rank 0. */
private fun CheckpointOptions.placeCopies(directory: Path, hosts: List<String>): CopyPlacement {
    val placement =
        try {
            CopyPlacement.of(hosts.map(failureGroups::groupOf), localCopies)
        } catch (refused: IllegalArgumentException) {
            val copies = localCopies.count
            throw InvalidDeclaration(
                Details(
                    "local-copies is $copies, but ${refused.message}. Start on other hosts, or set local-copies to " +
                        "at-most-$copies.",
                ),
            )
        }
    if (!placement.isAsDemanded) {
        LOG.log(
            INFO,
            "${directory.toAbsolutePath()}: local-copies is $localCopies: $placement",
        )
    }
    return placement
}

private fun requireOwn(markers: List<Int>, directory: Path) {
    if (markers.size <= 1) return
    throw localUnusable(
        directory.toAbsolutePath(),
        "the hosts of ranks ${markers.sorted().joinToString()} share it, and each needs its own",
    )
}

/**
 * The identities of the store on the hosts and of the run that owns it, and the numbers of the sealed saves.
 */
private class KnownSaves(val store: String, val run: String, val sealed: List<Int>)

private val KNOWN =
    MessageFields("the saves that hosts may hold", KnownSaves("", "", emptyList())) {
        KnownSaves(text(it.store), text(it.run), list(it.sealed, NUMBER))
    }

private val LOG: System.Logger = System.getLogger(CHECKPOINTS_LOGGER)

private const val LOOK = "look at the local disks"
