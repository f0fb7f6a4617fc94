package dev.cairn.run

import dev.cairn.event.CHECKPOINTS_LOGGER
import dev.cairn.event.CheckpointEvent
import dev.cairn.event.CheckpointEvent.Restored
import dev.cairn.event.CommunicatorException
import dev.cairn.event.Events
import dev.cairn.event.SaveOutcome
import dev.cairn.event.isOfDisks
import dev.cairn.item.PreparedItem
import dev.cairn.node.HostRoom
import dev.cairn.node.LocalDisks
import dev.cairn.options.OnFull
import dev.cairn.options.Settings
import dev.cairn.options.Wait
import dev.cairn.ranks.MessageFields
import dev.cairn.ranks.NUMBER
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.collectivelyInTime
import dev.cairn.ranks.decide
import dev.cairn.save.Attempt
import dev.cairn.save.LoopPosition
import dev.cairn.save.NumberedSave
import dev.cairn.save.Route
import dev.cairn.save.Save
import dev.cairn.save.SaveContext
import dev.cairn.save.Saver
import dev.cairn.save.Trouble
import dev.cairn.save.abandonAfter
import dev.cairn.save.agreeOnSave
import dev.cairn.save.manifest
import dev.cairn.save.troubleOf
import dev.cairn.store.Lineage
import dev.cairn.store.OwnedStore
import dev.cairn.store.QuietFiles
import dev.cairn.store.SaveDirectory
import java.io.IOException
import java.lang.System.Logger.Level.WARNING
import kotlin.time.TimeSource

/** Makes the saves of a program, one after the other. Each ends as a [SaveOutcome], the same on all ranks. Every rank has one. */
internal class Saving(
    private val context: SaveContext,
    private val owned: OwnedStore?,
    private val events: Events,
    private val restartCheck: RestartCheck?,
) {
    private val ranks = context.ranks
    private val memory = SnapshotRoom(context)
    private val ownerRequests = owned?.let { OwnerRequestHandler(it, context.files) }
    private var hasWarned = false

    /** Whether other programs wait for an answer because the store was never idle at a point where one could be given. */
    private var areOwnerRequestsLate = false

    /** The position at the last save, or in the restored checkpoint; null if there is neither. */
    private var before: LoopPosition? = null
    private val ends = SaveEnds(context, owned, events, restartCheck)
    private val saver = Saver(context) { ends.cleaning?.awaitRoom(it) }
    val underWay = SavesUnderWay(context, ends, memory)
    val statistics: SaveStatistics get() = ends.statistics

    val wayBack: String get() = ends.wayBack

    /** Whether no worker uses the store. */
    private val isStoreIdle: Boolean get() = underWay.isIdle && ends.cleaning?.isUnderWay != true

    /** The next save continues [lineage], which ends with [restored]. */
    fun goOnFrom(restored: Restored, lineage: Lineage) {
        before = LoopPosition(restored.step, restored.phase)
        ends.goOnFrom(restored, lineage)
    }

    /** On the rank that owns the store: waits until no save is being deleted. */
    suspend fun joinCleaning() {
        ends.cleaning?.join()
    }

    /** Reports the saves that were deleted in the background. */
    fun reportCleaning() {
        ends.cleaning?.report()
    }

    /** Carries out the requests of other programs between two saves; if these follow closely, at the beginning of the next one. */
    fun answerOwnerRequests() {
        reportCleaning()
        if (isStoreIdle) ownerRequests?.answer() else areOwnerRequestsLate = ownerRequests?.areThere == true
    }

    /** Skips the save at [position], since another one is under way. */
    fun skip(position: LoopPosition): Attempt = ends.skip(position, underWay.business)

    /**
     * Collective: makes a checkpoint, or returns the reason why there is none. Unless the program [waits][wait] for the commit, the save
     * ends in later meetings.
     *
     * @param longest the longest wait of the ranks
     */
    suspend fun attempt(position: LoopPosition, wait: Wait, longest: Wait): Attempt {
        context.requireDedicated(wait)
        return try {
            underWay.awaitTurn(longest)
            attempt(position, wait)
        } finally {
            underWay.goOnDraining()
        }
    }

    private suspend fun attempt(position: LoopPosition, wait: Wait): Attempt {
        val save =
            try {
                number(position, wait)
            } catch (failure: CommunicatorException) {
                return ends.notBegun(position, failure)
            }
        try {
            context.declared.beforeSave.run(ranks)
        } catch (failure: Exception) {
            return ends.endBefore(save, failure)
        }
        warnOfStepBack(position)
        beginSave(context.items, position.step)
        warnOnce()
        // The restart check needs the saved state, and code of the program runs only while the program waits.
        if (restartCheck != null || saver.isReadBackDue) return untilCommitted(save)
        // Rank 0 decides for all, so that a rank with another wait makes the same calls until it is refused.
        return when (save.wait) {
            Wait.COPIED -> untilCopied(save)
            Wait.LOCAL -> untilSealed(save)
            Wait.COMMITTED -> untilCommitted(save)
        }
    }

    /** Collective: rank 0 gives a save a number and a directory. */
    private suspend fun number(position: LoopPosition, wait: Wait): NumberedSave {
        val begin = TimeSource.Monotonic.markNow()
        var directory: SaveDirectory? = null
        val agreed =
            try {
                ranks.agreeOnSave(position, wait) { beginInStore(checkNotNull(owned)).also { directory = it } }
            } catch (failure: Exception) {
                directory?.abandonAfter(failure)
                throw failure
            }
        underWay.forgetSuperseded()
        events.notify(CheckpointEvent.Begun(agreed.number, position.step, position.phase))
        return NumberedSave(agreed, wait, position, begin, directory) {
            context.manifest(ends.lineage, agreed.number, position, it)
        }
    }

    /** Collective: returns when the save is committed. */
    private suspend fun untilCommitted(numbered: NumberedSave): Attempt {
        val save =
            try {
                saver.begin(numbered, Route.Direct)
            } catch (failure: Exception) {
                return ends.endBefore(numbered, failure)
            }
        val attempt = ends.end(save) { save.untilCommitted() }
        if (attempt is Attempt.Committed) underWay.clearHosts(save) { sealedAfter(numbered) }
        return attempt
    }

    /** Collective: the saves that hosts keep after the commit of [save], since they are sealed in the store. */
    private suspend fun sealedAfter(save: NumberedSave): Set<Int> {
        val sealed = ranks.decide("look for sealed saves", SEALED) { SealedNumbers(sealedInStore(save)) }
        return sealed.numbers.toSet()
    }

    /** On rank 0. The commit is valid whether the store can be read or not. */
    private fun sealedInStore(save: NumberedSave): List<Int> =
        try {
            checkNotNull(owned).store.survey().sealedNumbers
        } catch (failure: IOException) {
            LOG.log(
                WARNING,
                "${context.directory}: the sealed saves cannot be listed, so hosts keep what they have",
                failure,
            )
            save.sealedBefore
        }

    /** Collective: returns when the state is copied. */
    private suspend fun untilCopied(numbered: NumberedSave): Attempt {
        val save =
            try {
                beginOnHosts(numbered) ?: saver.begin(numbered, routeToShared())
            } catch (failure: Exception) {
                memory.clear()
                return ends.endBefore(numbered, failure)
            }
        underWay.add(save)
        return ends.goOn(save)
    }

    /** Collective: returns when the save is sealed on the disks of the hosts; if they have no room for it, when it is committed. */
    private suspend fun untilSealed(numbered: NumberedSave): Attempt {
        val save =
            try {
                beginOnHosts(numbered)
            } catch (failure: Exception) {
                return ends.endBefore(numbered, failure)
            }
        if (save == null) return untilCommitted(numbered)
        underWay.add(save)
        while (underWay.isMaking) underWay.await().filter { it !== save.attempt }.forEach { it.requireNotFatal() }
        return save.attempt
    }

    /** Collective. Null if the save goes to the shared store instead of the hosts. */
    private suspend fun beginOnHosts(save: NumberedSave): Save? = context.local?.let { beginWhereRoomIs(save, it) }

    private suspend fun beginWhereRoomIs(save: NumberedSave, disks: LocalDisks): Save? =
        try {
            saver.begin(save, routeToHosts(save, disks))
        } catch (failure: CommunicatorException) {
            if (findRoom(save, failure)) {
                beginWhereRoomIs(save, disks)
            } else {
                val step = "delete save ${save.number} from the local disks"
                ranks.collectivelyInTime(step, context.worker) { disks.discard(save.number) }
                null
            }
        }

    /**
     * Collective: whether [save], which had no room on the hosts by this [failure], may be tried there again; otherwise it goes to the
     * shared store. Throws the [failure] if it must not.
     */
    private suspend fun findRoom(save: NumberedSave, failure: CommunicatorException): Boolean {
        if (ranks.troubleOf(failure) != Trouble.NO_ROOM) throw failure
        if (underWay.giveWay() || haveOutputsWritten(save, failure)) return true
        val onFull = context.options.onFull
        if (onFull == OnFull.SKIP || (onFull == OnFull.WAIT && underWay.isIdle)) throw failure
        val plan = if (onFull == OnFull.WAIT) "it waits for drains" else "it goes to the shared store"
        ends.lackingRoom(save, plan, failure)
        underWay.awaitIdle { it.requireNotFatal() }
        return onFull == OnFull.WAIT
    }

    /** Collective: whether outputs have written cells that [save] would have held, so that it needs less room. */
    private suspend fun haveOutputsWritten(save: NumberedSave, failure: CommunicatorException): Boolean {
        val holding = context.items.filterIsInstance<PreparedItem>().filter { it.isHolding }
        if (holding.isEmpty()) return false
        ends.lackingRoom(save, "the outputs write their waiting cells first", failure)
        return try {
            holding.forEach { it.prepare() }
            true
        } catch (another: CommunicatorException) {
            if (!another.isOfDisks) throw another
            false
        }
    }

    /** Collective the first time. */
    private suspend fun routeToShared(): Route =
        context.dedicated?.let { Route.Dedicated(it) } ?: Route.Copied(memory.get())

    /** Collective: the hosts delete what they need not keep, and measure their room, which is known to the route. */
    private suspend fun routeToHosts(save: NumberedSave, disks: LocalDisks): Route {
        val copy = if (save.wait == Wait.COPIED) memory.get() else null
        return Route.Local(disks, makeRoom(save, disks), copy)
    }

    /** Collective: returns the rooms of the hosts on rank 0. */
    private suspend fun makeRoom(save: NumberedSave, disks: LocalDisks): List<HostRoom> {
        val room =
            ranks.collectivelyInTime("make room on the hosts", context.worker) {
                save.requireAgreed(ranks.rank)
                disks.begin(save.number, save.sealedBefore - underWay.obsoleteNumbers)
            }
        val all = ranks.gather(ROOT, HostRoom.MESSAGE.encode(room))
        return disks.hosts.keepers.map { HostRoom.MESSAGE.decode(all[it]) }
    }

    /** On the rank that owns the store, at the first save. A trial of restarts reads the streams itself. */
    private fun warnOnce() {
        if (hasWarned || owned == null || context.files is QuietFiles) return
        hasWarned = true
        listOfNotNull(noState(context.items), neverReadBack(context.items))
            .forEach { LOG.log(WARNING, "${context.directory}: $it") }
    }

    /** Warns after a step back: a restart uses the newest save, which is wrong if another loop has begun. */
    private fun warnOfStepBack(position: LoopPosition) {
        val before = before
        this.before = position
        if (owned == null || before == null || position.phase != before.phase || position.step >= before.step) return
        LOG.log(
            WARNING,
            "${context.directory}: the program saves step ${position.step} after step ${before.step}. A restart will " +
                "continue from the newer save, and so from step ${position.step}. If another loop has begun, let " +
                "its steps count on from ${before.step}, or name its phase where the program names phases.",
        )
    }

    /**
     * Saves that the last program kept or could not delete may take the room that this save needs. After a committed save there are no
     * such remains.
     */
    private suspend fun beginInStore(owned: OwnedStore): SaveDirectory {
        ends.cleaning?.awaitTurn()
        val lineage = ends.lineage
        if (statistics.last == null && lineage.parent == null && !context.options.configuration[Settings.FRESH]) {
            earlierRunIn(owned.store)?.let { LOG.log(WARNING, it) }
        }
        underWay.awaitSupersededDeleted()
        if (areOwnerRequestsLate) {
            ends.cleaning?.join()
            ownerRequests?.answer()
            areOwnerRequestsLate = false
        }
        if (statistics.last.let { it == null || statistics.isTrouble(it) }) ends.cleaning?.free(lineage)
        return owned.begin(lineage.parent)
    }

    /** Releases all resources of the saves. No save follows. If the job [isEnding], the next program deletes expired saves. */
    fun close(isEnding: Boolean) {
        underWay.giveUp()
        if (owned != null) underWay.deleteSuperseded()
        ends.cleaning?.close(isLeft = isEnding)
        memory.close()
        ends.close()
    }
}

private class SealedNumbers(val numbers: List<Int>)

private val SEALED =
    MessageFields("the sealed saves", SealedNumbers(emptyList())) { SealedNumbers(list(it.numbers, NUMBER)) }

private val LOG: System.Logger = System.getLogger(CHECKPOINTS_LOGGER)
