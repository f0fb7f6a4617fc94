package dev.cairn.run

import dev.cairn.event.CHECKPOINTS_LOGGER
import dev.cairn.node.HostFinds
import dev.cairn.node.PartFlaw
import dev.cairn.node.SealedPart
import dev.cairn.node.SourceChoice
import dev.cairn.ranks.DONE
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.allReduce
import dev.cairn.ranks.collectively
import dev.cairn.ranks.collectivelyInTime
import dev.cairn.ranks.copiedBytes
import dev.cairn.ranks.decide
import dev.cairn.restore.Unsealed
import dev.cairn.save.SaveContext
import dev.cairn.save.requireDrained
import dev.cairn.store.Entry
import dev.cairn.store.Flaw
import dev.cairn.store.ManifestFormat
import dev.cairn.store.OwnedStore
import dev.cairn.store.SaveNames
import dev.cairn.store.SealedPlaces
import dev.cairn.store.StoredManifest
import dev.cairn.store.deleteIfThere
import dev.cairn.store.drainedFiles
import dev.cairn.store.inform
import java.lang.System.Logger.Level.WARNING
import java.nio.ByteBuffer

/**
 * Completes a save that this run or another one has sealed: collects its files in the shared store, from a drain of that run, from
 * the disks of the hosts that wrote them, or from copies on other hosts, and commits it. The ranks must reach one source of each file.
 */
internal class SealedCompletion(private val context: SaveContext, private val owned: OwnedStore?) {
    private val ranks = context.ranks
    private val lost = LostSaves(context.options.lostLocal, owned, context.worker)

    /**
     * Collective: returns when the save of [unsealed] has a seal again, from a copy of its manifest on a host, or is given up. Returns
     * whether it has one.
     */
    suspend fun seal(unsealed: Unsealed): Boolean {
        val number = unsealed.number
        val own =
            ranks.collectively("look for the manifest of save $number on the local disks") {
                context.local
                    ?.takeIf { it.hosts.isKeeper }
                    ?.saves
                    ?.manifestOf(number)
            }
        val first = ranks.allReduce(if (own == null) NO_RANK else ranks.rank.toLong(), Math::min)
        val copy = if (first == NO_RANK) null else ranks.broadcast(first.toInt(), own?.bytes)
        ranks.decide("seal save $number", DONE) { if (copy == null) giveUp(unsealed) else seal(unsealed, copy) }
        return copy != null
    }

    private suspend fun giveUp(unsealed: Unsealed) {
        val reason =
            if (context.local == null) "the setting local is missing, so that no rank looks for" else "no rank finds"
        lost.refuseOrUnseal(
            entryOf(unsealed.number),
            "${nameOf(unsealed)}, and $reason a copy of its manifest on a host",
            "Start ranks on the hosts that its file '${SaveNames.HOSTS}' names, with the same setting local as then. ",
        )
    }

    private fun seal(unsealed: Unsealed, manifest: ByteBuffer) {
        val entry = entryOf(unsealed.number)
        checkNotNull(owned).reseal(entry, ManifestFormat.decode(entry.path, manifest.copiedBytes()))
        LOG.log(WARNING, "${nameOf(unsealed)}. It was written from a copy of the manifest on a host")
    }

    private fun nameOf(unsealed: Unsealed) =
        "${context.directory}: save ${unsealed.number} is on the disks of its hosts, but its seal cannot be used: " +
            unsealed.flaw

    /** Collective: returns when the save of [sealed] is committed, or given up: whether it is committed. */
    suspend fun run(sealed: StoredManifest): Boolean {
        val number = sealed.manifest.save
        val finds = gatherFinds(sealed)
        var choice: SourceChoice? = null
        var round: Round
        do {
            round =
                ranks.decide("complete save $number", ROUND) {
                    choice = choice ?: choose(sealed, finds)
                    choice?.let { nextRound(sealed, it) } ?: GIVEN_UP
                }
            val parts = round.parts
            if (parts.isNotEmpty()) {
                context.drainParts(sealed, parts) { part, flaw -> settle(sealed, checkNotNull(choice), part, flaw) }
            }
        } while (parts.isNotEmpty())
        ranks.collectivelyInTime("delete save $number from the local disks", context.worker) {
            context.local?.discard(number)
        }
        return round.isCommitted
    }

    /** The files that each rank finds, on rank 0; empty on the others. */
    private suspend fun gatherFinds(sealed: StoredManifest): List<HostFinds> {
        val number = sealed.manifest.save
        val names =
            ranks.collectively("look for save $number on the local disks") {
                // An interrupted drain may have left names of files that are not durable.
                if (context.local?.hosts?.isKeeper != false) context.files.forceDirectory(entryOf(sealed).path)
                val disks = context.local?.takeIf { it.hosts.isKeeper }
                disks?.saves?.filesOf(number, sealed.toBytes()).orEmpty()
            }
        return ranks.gather(ROOT, HOST_FINDS.encode(HostFinds(ranks.host, names))).map(HOST_FINDS::decode)
    }

    /** Null if the save was given up. */
    private suspend fun choose(sealed: StoredManifest, finds: List<HostFinds>): SourceChoice? {
        val directory = entryOf(sealed).path
        val places = placesOf(sealed)
        places.flaw?.let {
            lost.refuseOrUnseal(entryOf(sealed), "${nameOf(sealed)}, but $it")
            return null
        }
        context.worker.await { deleteBrokenCopies(sealed) }
        LOG.inform(context.files, "${nameOf(sealed)}; it is brought together before the restart")
        return SourceChoice(places.files, context.files.drainedFiles(directory), finds)
    }

    /** Deletes the partial copies of interrupted drains. */
    private fun deleteBrokenCopies(sealed: StoredManifest) =
        context.files
            .list(entryOf(sealed).path)
            .filter { SaveNames.isPart("${it.fileName}") }
            .forEach { context.files.deleteIfThere(it) }

    /** On rank 0: the parts to drain next; when all files are there, the save is committed. */
    private suspend fun nextRound(sealed: StoredManifest, choice: SourceChoice): Round {
        if (choice.missing.isNotEmpty()) {
            refuseOrUnseal(sealed, choice)
            return GIVEN_UP
        }
        val parts = choice.next()
        return Round(parts, isCommitted = parts.isEmpty() && commit(sealed, choice))
    }

    /** The save may be good if disks return errors for all files that it lacks. */
    private suspend fun refuseOrUnseal(sealed: StoredManifest, choice: SourceChoice) {
        val missing = MissingFiles(choice, context.local?.saves)
        val reasons = missing.reasons + listOfNotNull(placesOf(sealed).doubt)
        val sentence = "${nameOf(sealed)}, but ${reasons.joinToString(", and ")}"
        if (missing.mayBeReadLater) throw lost.unreadable(entryOf(sealed), sentence, missing.advice)
        lost.refuseOrUnseal(entryOf(sealed), sentence, missing.advice)
    }

    private fun settle(sealed: StoredManifest, choice: SourceChoice, part: SealedPart, flaw: PartFlaw?) {
        if (flaw == null) return choice.succeed(part)
        choice.fail(part, flaw)
        LOG.log(WARNING, "${nameOf(sealed)}; ${part.file} from ${part.source} is passed over: ${flaw.sentence}")
    }

    /** Returns whether the save is committed: it is given up if its files do not belong together. */
    private suspend fun commit(sealed: StoredManifest, choice: SourceChoice): Boolean {
        try {
            context.requireDrained(sealed.manifest)
        } catch (failure: Exception) {
            if (Flaw.of(failure) != Flaw.DAMAGED) throw failure
            val flaw = failure.message.toString().removeSuffix(".")
            lost.refuseOrUnseal(
                entryOf(sealed),
                "${nameOf(sealed)}, but its files do not belong together: $flaw",
            )
            return false
        }
        val directory = checkNotNull(owned).resume(entryOf(sealed))
        try {
            directory.commit(sealed)
        } catch (failure: Exception) {
            directory.leaveSealed()
            throw failure
        }
        val (number, step) = sealed.manifest.run { save to step }
        LOG.inform(
            context.files,
            "${context.directory}: save $number, step $step, was brought together and committed: $choice",
        )
        return true
    }

    private fun nameOf(sealed: StoredManifest) =
        "${context.directory}: save ${sealed.manifest.save}, step ${sealed.manifest.step}, is on the disks of its hosts"

    private fun placesOf(sealed: StoredManifest) =
        SealedPlaces.read(context.files, entryOf(sealed).path, sealed.manifest)

    private fun entryOf(sealed: StoredManifest) = entryOf(sealed.manifest.save)

    private fun entryOf(number: Int) = Entry.Sealed(number, context.directory.resolve(SaveNames.directory(number)))

    private companion object {
        const val NO_RANK = Long.MAX_VALUE
        val LOG: System.Logger = System.getLogger(CHECKPOINTS_LOGGER)
    }
}
