package dev.cairn.run

import dev.cairn.checkpoint.Contents
import dev.cairn.checkpoint.FramePool
import dev.cairn.checkpoint.TableOfContents
import dev.cairn.checkpoint.TableOfContents.Companion.FRAME_SIZE
import dev.cairn.checkpoint.digestFormula
import dev.cairn.event.CHECKPOINTS_LOGGER
import dev.cairn.event.CheckpointException
import dev.cairn.event.RankFailedException
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.event.withTypedFailures
import dev.cairn.item.HeldObject
import dev.cairn.item.RowItem
import dev.cairn.item.SizedPart
import dev.cairn.item.StateItem
import dev.cairn.item.readingRowsOnce
import dev.cairn.ranks.MessageFields
import dev.cairn.ranks.NUMBER
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.collectively
import dev.cairn.redistribution.DigestFormula
import dev.cairn.restore.Choice
import dev.cairn.restore.Found
import dev.cairn.restore.RestoreContext
import dev.cairn.restore.Restorer
import dev.cairn.restore.find
import dev.cairn.restore.flawOf
import dev.cairn.restore.match
import dev.cairn.save.DIGEST
import dev.cairn.save.LoopPosition
import dev.cairn.save.SaveContext
import dev.cairn.save.StateDigester
import dev.cairn.save.fillFrame
import dev.cairn.state.LostOutputs
import dev.cairn.store.CheckpointStore
import dev.cairn.store.inform
import java.lang.System.Logger.Level.WARNING

/**
 * The check of the setting check-restart. After two saves in a row of different steps, the first one is restored into the running
 * program, and then the second one. Each time the state is digested as for a save and compared with the manifest; rows of tables must
 * also be in the saved order. Since the program holds the state of another step each time, state that a restore misses differs.
 *
 * Bytes cannot show what a codec loses, since it writes the same ones again. So values are first compared with what is read from their
 * bytes, and the program gets the objects back that it held.
 *
 * This is no restart: lineage, events and outputs stay as they are. Streams without a codec and outputs are left out, since reading
 * such a stream changes the program, and restoring an output truncates it. Each rank has one; it checks once.
 */
internal class RestartCheck(private val context: SaveContext, private val store: CheckpointStore) {
    private val ranks = context.ranks
    private val declared = context.declared
    private val compared = declared.items.filter { it.isRepeatable }
    private var last: Saved? = null
    private var isDone = false

    /** The program has the state of another step: the check lasts, or has failed. */
    var isUnderWay = false
        private set

    /**
     * Collective: [saved] was committed. Checks if the save before it is of another step.
     *
     * @throws CheckpointException.StateDiffers on all ranks
     */
    suspend fun passSave(saved: Saved) {
        val before = last
        last = saved
        if (isDone || before == null || before.position == saved.position) return
        isDone = true
        withTypedFailures {
            val first = find(before)
            val second = find(saved)
            ranks.collectively("read the values from their bytes") { requireLossless(compared) }
            val held = ranks.collectively("ask for the values") { compared.mapNotNull { it.heldObject() } }
            isUnderWay = true
            compare(restored = first, replaced = second)
            compare(restored = second, replaced = first, held)
            isUnderWay = false
            if (ranks.rank == ROOT) logSuccess(comparisonOf(first, second))
        }
    }

    private fun logSuccess(passed: RestartComparison) {
        if (passed.comparesNothing) {
            LOG.log(WARNING, passed.success())
        } else {
            LOG.inform(context.files, passed.success())
        }
        neverReadBack(declared.items)?.let { LOG.log(WARNING, "check-restart: $it") }
    }

    /** On one rank: warns that nothing was checked, which must not look like a passed check. */
    fun warnIfUndone() {
        if (isDone) return
        LOG.log(
            WARNING,
            "${store.directory}: check-restart has checked nothing, since it takes two saves of different steps in " +
                "one run. Let the program save more often, or run longer.",
        )
    }

    private suspend fun find(saved: Saved): Found =
        checkNotNull(ranks.find(store, context.files, Choice(saved.number), {}, {}).found) {
            "save ${saved.number} was neither found nor refused; please report this"
        }

    private suspend fun compare(restored: Found, replaced: Found, held: List<HeldObject<*>>? = null) {
        val comparison = comparisonOf(restored, replaced)
        restore(restored, comparison)
        runHooks(comparison)
        if (held != null) putBack(held, comparison)
        val own = ranks.collectively("digest the restored state") { held(restored) }
        val all = ranks.gather(ROOT, HELD.encode(own))
        ranks.collectively("compare the restored state") {
            if (ranks.rank == ROOT) comparison.requireSame(all.map(HELD::decode))
        }
    }

    private suspend fun held(restored: Found): HeldState {
        val digester = StateDigester(restored.manifest.digestFormula, context.pool)
        val stored = Contents.unpack(restored.contents).tables[ranks.rank]
        return compared.readingRowsOnce {
            val digests = compared.map { digester.digest(it.capture(ranks.rank)) }
            HeldState(digests, context.pool.tablesOutOfOrder(compared, stored).map(compared::indexOf))
        }
    }

    private fun comparisonOf(restored: Found, replaced: Found) =
        RestartComparison(declared.items, restored.manifest, replaced.manifest)

    private suspend fun restore(found: Found, comparison: RestartComparison) {
        val manifest = found.manifest
        try {
            val matches =
                ranks.collectively("compare with the checkpoint") {
                    match(declared, manifest, ranks.size).matches
                }
            Restorer(RestoreContext(ranks, context.files, context.pool, LostOutputs.REFUSE), found)
                .run(matches.filter { it.item.isRepeatable })
        } catch (failure: RankFailedException) {
            // The file is damaged or unreadable; the program is correct.
            if (ranks.flawOf(failure) != null) throw failure
            throw comparison.failed(failure)
        }
    }

    /**
     * Collective: the program has the objects again that it [held] before the check, with what no save holds of them. A hook may have taken
     * what a setter got, so it is called once more.
     */
    private suspend fun putBack(held: List<HeldObject<*>>, comparison: RestartComparison) {
        try {
            ranks.collectively("put the values back") { held.forEach { it.putBack() } }
            runHooks(comparison)
            ranks.collectively("put the rows back") { held.forEach { it.fillAgain() } }
        } catch (failure: RankFailedException) {
            throw comparison.failed(failure)
        }
    }

    /** Collective: runs the hooks after a restart and those before a save. */
    private suspend fun runHooks(comparison: RestartComparison) {
        try {
            declared.runAfterRestore(ranks)
            declared.beforeSave.run(ranks)
        } catch (failure: RankFailedException) {
            throw comparison.failed(failure)
        }
    }

    private companion object {
        val LOG: System.Logger = System.getLogger(CHECKPOINTS_LOGGER)

        val HELD =
            MessageFields("the digests of the restored items", HeldState(emptyList(), emptyList())) {
                HeldState(list(it.digests, DIGEST), list(it.outOfOrder, NUMBER))
            }

        val Saved.position: LoopPosition get() = LoopPosition(step, phase)
    }
}

/**
 * The tables among [items] whose bytes on this rank differ from [stored], its table of contents. The digest of a table does not depend
 * on the order of its rows, so if the digest is right, rows are in another order or on another rank. A table of objects whose rule lets
 * them stand in any order is not among them.
 */
internal suspend fun FramePool.tablesOutOfOrder(items: List<StateItem>, stored: TableOfContents): List<StateItem> =
    items.filter { item ->
        item is RowItem && item.isOrdered && item.capture(stored.rank).parts.any { !isAsIn(stored, it as SizedPart) }
    }

private suspend fun FramePool.isAsIn(stored: TableOfContents, column: SizedPart): Boolean {
    val unused = DigestFormula.NEWEST.cells()
    val checksums =
        (0 until column.size step FRAME_SIZE.toLong()).map { start ->
            borrow { frame -> column.fillFrame(frame, start, unused) }
        }
    return checksums == stored.entry(column.key)?.checksums.orEmpty()
}
