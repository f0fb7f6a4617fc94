package dev.cairn.cli

import dev.cairn.item.hasBytesOf
import dev.cairn.node.LocalSaves
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.CheckpointStore
import dev.cairn.store.Entry
import dev.cairn.store.Survey
import dev.cairn.store.Verdict
import dev.cairn.store.observe
import java.nio.file.Path

/**
 * Deletes what one host holds of saves of [store] that are committed, gone for good, or superseded, since no program may follow that would
 * do it. A file of a committed save is deleted only if the store has the same one, byte for byte.
 */
internal class HostTidying(
    private val files: BlockStore,
    private val store: CheckpointStore,
    private val saves: LocalSaves,
) {
    /** Returns what it keeps and deletes; the saves in [checked] were committed just now, when all files had been verified. */
    fun tidy(checked: Set<Int>): TidiedHost {
        val here = saves.numbers()
        val survey = store.survey()
        val committed = survey.saves.firstOrNull { isGood(it) }?.number ?: 0
        val over = here.filter { isOver(it, survey, committed) }
        val kept = survey.saves.filter { it.number in over && it.number !in checked }.mapNotNull(::keptOf)
        val deleted = over - kept.map { it.number }.toSet()
        deleted.forEach(saves::remove)
        val unfinished = survey.unfinished.map { it.number }.filter { it in here && it !in over }
        return TidiedHost(kept, deleted, unfinished)
    }

    /** Null if all files of [save] on this host are in the store, or if it is gone. */
    private fun keptOf(save: Entry.Save): KeptSave? =
        store.observe(save, isSure = { false }) {
            if (it is Entry.Save) otherFileOf(it, store.read(it).stored.toBytes()) else null
        }

    private fun otherFileOf(save: Entry.Save, manifest: ByteArray): KeptSave? =
        saves.filesOf(save.number, manifest).firstNotNullOfOrNull { name ->
            val (inStore, here) = save.path.resolve(name) to saves.file(save.number, name)
            if (isSame(inStore, here)) null else KeptSave(save.number, "${store.directory}", "$inStore", "$here")
        }

    private fun isSame(one: Path, other: Path): Boolean =
        files.exists(one) &&
            files.open(one, Access.READ).use { mine -> files.open(other, Access.READ).use { mine.holdsAs(it) } }

    /** Whether [save] is a checkpoint, durably: the program that committed it may have been killed before that. */
    private fun isGood(save: Entry.Save): Boolean {
        files.forceDirectory(save.path)
        return store.observe(save) { it is Entry.Save && store.judge(it) {} is Verdict.Accepted } ?: false
    }

    /** A save that is neither complete nor given up may be under way. */
    private fun isOver(number: Int, survey: Survey, committed: Int): Boolean =
        when (val entry = survey.numbered.find { it.number == number }) {
            null -> number < survey.highestNumber
            is Entry.Save -> store.observe(entry) { it is Entry.Save && isHereInVain(it) } ?: true
            is Entry.Deleted -> true
            is Entry.Unfinished -> entry.failure != null
            is Entry.Sealed -> number < committed
            is Entry.Lost, is Entry.Unreadable -> false
        }

    private fun isHereInVain(save: Entry.Save): Boolean {
        // The program that committed it may have been killed before the commit was durable.
        files.forceDirectory(save.path)
        val verdict = store.judge(save) {}
        return verdict is Verdict.Accepted && saves.fits(save.number, verdict.candidate.stored.toBytes())
    }
}

private fun BlockFile.holdsAs(other: BlockFile) = size() == other.size() && hasBytesOf(other, size())
