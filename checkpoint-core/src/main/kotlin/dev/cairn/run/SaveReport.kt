package dev.cairn.run

import dev.cairn.event.CHECKPOINTS_LOGGER
import dev.cairn.event.CommunicatorException
import dev.cairn.event.Events
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.event.counted
import dev.cairn.event.secondsText
import dev.cairn.event.sizeText
import dev.cairn.restore.rehearse
import dev.cairn.save.CompleteSave
import dev.cairn.save.NumberedSave
import dev.cairn.save.Save
import dev.cairn.save.SaveContext
import dev.cairn.save.Seal
import dev.cairn.store.OwnedStore
import dev.cairn.store.SaveNames
import dev.cairn.store.inform
import java.io.IOException
import java.lang.System.Logger.Level.DEBUG
import java.lang.System.Logger.Level.WARNING
import java.nio.file.Path

/** Reports the outcomes of saves to listeners and in the log. Exists only on the rank that owns the store. */
internal class SaveReport(
    private val context: SaveContext,
    private val owned: OwnedStore,
    private val events: Events,
    private val statistics: SaveStatistics,
) {
    private val directory = context.directory

    /**
     * Reports that a save has ended or is under way.
     *
     * @param complete null unless it is committed
     */
    fun publish(outcome: SaveOutcome, complete: CompleteSave? = null) {
        events.notify(outcome)
        when (outcome) {
            is Saved -> {
                val place = "in $directory${filesOf(complete)}"
                val facts = "$outcome${slowest(outcome)}, $place${rehearsal()}"
                LOG.inform(context.files, facts + lackOfMemory(complete?.notCopied ?: 0))
            }

            is SaveOutcome.UnderWay -> {
                LOG.inform(context.files, "$outcome, in $directory; so far, ${wayBack()}")
            }

            is SaveOutcome.Superseded -> {
                LOG.log(DEBUG, "$directory: $outcome")
            }

            is SaveOutcome.Skipped, is SaveOutcome.Failed -> {
                log(statistics.isTrouble(outcome), "$directory: ${wayBack()}, because $outcome")
            }
        }
    }

    private fun slowest(save: Saved) =
        if (context.ranks.size == 1) "" else ", slowest rank ${save.slowestRank} with ${secondsText(save.slowestTime)}"

    /** What would happen on other numbers of ranks, unless the program runs on one only. */
    private fun rehearsal() =
        if (context.declared.isForOneRank) "" else "; ${rehearse(context.items, context.ranks.size)}"

    /** What a restart would do now, in words: others may have removed the checkpoint from which it would continue. */
    fun wayBack(): String {
        val number = statistics.returnsTo
        return when {
            !isThere(directory) -> "there is no checkpoint any more"
            number != null && !isThere(manifestOf(number)) -> "save $number of this program is no longer there"
            owned.isTakenOver -> "a restart continues from the saves of another program"
            else -> statistics.wayBack
        }
    }

    private fun manifestOf(number: Int) = directory.resolve(SaveNames.directory(number)).resolve(SaveNames.MANIFEST)

    private fun isThere(path: Path): Boolean =
        try {
            context.files.exists(path)
        } catch (_: IOException) {
            // A failing disk does not mean that it is gone.
            true
        }

    /** How many files the save has, and why, if the ranks chose it. */
    private fun filesOf(complete: CompleteSave?): String {
        val written = complete?.written.takeIf { context.ranks.size > 1 } ?: return ""
        return written.fileReason?.let { " (${counted(written.fileCount, "file")}, $it)" }.orEmpty()
    }

    private fun lackOfMemory(notCopied: Long): String =
        if (notCopied == 0L) {
            ""
        } else {
            "; ${sizeText(notCopied)} were written before the program went on, since there was no room for a copy " +
                "(snapshot-memory, -XX:MaxDirectMemorySize)"
        }

    /** The program waits for [save]. */
    fun waiting(save: Save) {
        val time = secondsText(save.numbered.begin.elapsedNow())
        val present = if (save.seal == Seal.KNOWN) "drained" else "written"
        LOG.inform(
            context.files,
            "$directory: waiting for ${nameOf(save.numbered)}, which is being $present; it began $time ago",
        )
    }

    /** The hosts have no room for [save]; [plan] is its next step, in words. */
    fun lackingRoom(save: NumberedSave, plan: String, failure: CommunicatorException) =
        LOG.inform(context.files, "$directory: ${nameOf(save)}: $plan, because ${failure.message}")

    /** The program has ended between the commit of [save] and the meeting that reports it to the ranks. */
    fun committedUnknown(save: NumberedSave) =
        LOG.log(WARNING, "$directory: the program ended before it learned that ${nameOf(save)}, is committed")

    /** Logs the counts of all outcomes in one line; nothing if there were no saves. */
    fun summary() {
        if (statistics.last == null) return
        log(statistics.hasTrouble, "$directory: $statistics")
    }

    private fun log(isTrouble: Boolean, sentence: String) =
        if (isTrouble) LOG.log(WARNING, sentence) else LOG.inform(context.files, sentence)

    private fun nameOf(save: NumberedSave) = "save ${save.number}, step ${save.position.step}"
}

private val LOG: System.Logger = System.getLogger(CHECKPOINTS_LOGGER)
