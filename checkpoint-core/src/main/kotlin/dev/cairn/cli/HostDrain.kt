package dev.cairn.cli

import dev.cairn.checkpoint.FramePool
import dev.cairn.event.CheckpointException
import dev.cairn.node.HostFinds
import dev.cairn.node.LocalSaves
import dev.cairn.node.PartDrain
import dev.cairn.node.SealedPart
import dev.cairn.node.SourceChoice
import dev.cairn.reading.requireIndex
import dev.cairn.sion.ForcePolicy
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.Candidate
import dev.cairn.store.CheckpointStore
import dev.cairn.store.Entry
import dev.cairn.store.OwnedStore
import dev.cairn.store.SaveNames
import dev.cairn.store.SealedFile
import dev.cairn.store.SealedPlaces
import dev.cairn.store.StoredManifest
import dev.cairn.store.deleteIfThere
import dev.cairn.store.drainedFiles
import dev.cairn.store.isOfNewerFormat
import dev.cairn.store.observe
import kotlinx.coroutines.runBlocking
import java.nio.file.NoSuchFileException
import java.nio.file.Path

/**
 * Brings what one host holds of the sealed saves of [store] into it. Others may do the same at the same time: a file gets its final name in
 * the store only when it is whole and checked. It may have been damaged there since, and its host has the only good one: so before a
 * commit every file is verified that this call has not drained itself. Only the commit needs the lock of the store.
 *
 * @param saves what this host holds
 * @param owning owns the store while a step works, or returns null if another program owns it
 */
internal class HostDrain(
    private val files: BlockStore,
    private val store: CheckpointStore,
    private val saves: LocalSaves,
    private val owning: ((OwnedStore) -> Unit) -> Unit?,
) {
    /** The sealed saves, newest first. Those that are older than a committed one stay as they are. */
    fun drainAll(): List<DrainedSave> {
        val survey = store.survey()
        var committed = survey.saves.firstOrNull()?.number ?: 0
        return survey.sealed.sortedByDescending { it.number }.map { sealed ->
            val drained = if (sealed.number > committed) drain(sealed) else older(sealed, committed)
            if (drained.result == DrainResult.COMMITTED) committed = sealed.number
            drained
        }
    }

    private fun older(sealed: Entry.Sealed, committed: Int) =
        DrainedSave(sealed.number, null, DrainResult.OLDER, notNeeded(committed))

    /** Another call may commit the save at any time, and a program may delete it: both take its seal off. */
    private fun drain(sealed: Entry.Sealed): DrainedSave =
        store.observe(sealed, isSure = { it.result != DrainResult.DAMAGED }) {
            when (it) {
                is Entry.Sealed -> drain(it, readOrSeal(it))
                is Entry.Save -> committed(it)
                else -> null
            }
        } ?: DrainedSave(sealed.number, null, DrainResult.OLDER, DELETED)

    /** The manifest of [sealed]. If its seal is missing or damaged, this host may have a whole copy, from which it is written. */
    private fun readOrSeal(sealed: Entry.Sealed): StoredManifest =
        try {
            store.read(sealed)
        } catch (damaged: CheckpointException) {
            val copy = saves.manifestOf(sealed.number)
            if (damaged.isOfNewerFormat || copy == null) throw damaged
            owning { it.reseal(sealed, copy) } ?: throw damaged
            copy
        }

    private fun drain(sealed: Entry.Sealed, stored: StoredManifest): DrainedSave {
        val (number, step) = stored.manifest.run { save to step }
        val places = SealedPlaces.read(files, sealed.path, stored.manifest)
        places.flaw?.let { throw Damage("${sealed.path}: $it.") }
        val here = saves.filesOf(number, stored.toBytes())
        val drained = bring(places.files, SealedHere(sealed, stored, here)).sortedBy { it.name }
        val results = drained.map { it.result }.toSet()
        val (result, reason) =
            when {
                FileResult.DAMAGED in results -> DrainResult.DAMAGED to DAMAGED + places.doubt.asClause()
                FileResult.MISSING in results -> DrainResult.INCOMPLETE to incomplete(drained) + places.doubt.asClause()
                isCommitted(sealed, stored) -> DrainResult.COMMITTED to null
                else -> DrainResult.IN_USE to IN_USE
            }
        return DrainedSave(number, step, result, reason, drained)
    }

    /** The directory on hosts has the identity of the store as its name. */
    private fun incomplete(drained: List<DrainedFile>): String {
        val places = drained.filter { it.result == FileResult.MISSING }.flatMap { it.places }
        if (places.any { it.endsWith("/${saves.name}") }) return INCOMPLETE
        return "not committed: this call looks for ${saves.name}, by the file '${SaveNames.IDENTITY}' of the " +
            "directory. Give it its former content, the 18 characters behind 'cairn-' in these places, and call again"
    }

    private fun String?.asClause() = this?.let { "; $it" }.orEmpty()

    private fun bring(all: List<SealedFile>, save: SealedHere): List<DrainedFile> {
        // The files of others are looked for last: of calls that are made at once, the one that ends last finds all.
        val (own, others) = all.partition { it.name in save.here }
        val ofOwn = take(own, save)
        val inStore = files.drainedFiles(save.path)
        val isWhole = ofOwn.none { it.result == FileResult.DAMAGED } && others.all { it.name in inStore }
        // Only the call that will commit verifies those of others. Otherwise each call would read all that was drained before.
        val ofOthers = if (isWhole) take(others, save) else others.map { it.byName(inStore) }
        return ofOwn + ofOthers
    }

    /** Takes each of the [wanted] files from the store if it is good there, else from this host. */
    private fun take(wanted: List<SealedFile>, save: SealedHere): List<DrainedFile> {
        val choice = SourceChoice(wanted, files.drainedFiles(save.path), listOf(HostFinds("this host", save.here)))
        val drain =
            PartDrain(files, save.path, save.stored.manifest, saves, FramePool(1), ForcePolicy.ON_CLOSE, pause = {})
        do {
            val parts = choice.next().onEach { drain.settle(it, save, choice) }
        } while (parts.isNotEmpty())
        return wanted.map { choice.resultOf(it, isHere = it.name in save.here) }
    }

    private fun PartDrain.settle(part: SealedPart, save: SealedHere, choice: SourceChoice) {
        try {
            val flaw = runBlocking { flawOf(part) }
            if (flaw == null) choice.succeed(part) else choice.fail(part, flaw)
        } catch (gone: NoSuchFileException) {
            // Another call has drained the file, and has deleted the copy that was being made here.
            if (part.isDrained || !files.exists(save.path.resolve(part.file))) throw gone
            settle(part.drained(), save, choice)
        }
    }

    /** All files are there: commits the save, unless another call does. False if another program owns the store. */
    private fun isCommitted(sealed: Entry.Sealed, stored: StoredManifest): Boolean =
        owning { if (!isCommitted(sealed)) it.commit(sealed, stored) } != null || isCommitted(sealed)

    private fun OwnedStore.commit(sealed: Entry.Sealed, stored: StoredManifest) {
        files.list(sealed.path).filter { SaveNames.isPart("${it.fileName}") }.forEach { files.deleteIfThere(it) }
        // Each file is good; that they belong together is seen only now.
        files.requireIndex(Candidate(sealed, stored))
        resume(sealed).commit(stored)
    }

    private fun isCommitted(sealed: Entry.Sealed): Boolean = store.survey().saves.any { it.number == sealed.number }

    private fun committed(save: Entry.Save) =
        DrainedSave(save.number, store.readOrNull(save)?.manifest?.step, DrainResult.COMMITTED)
}

private const val INCOMPLETE = "not committed yet: run this command on the other hosts, too"
private const val DAMAGED = "not committed: a file is damaged"
private const val DELETED = "not needed, since it was deleted meanwhile"
private const val IN_USE = "not committed: another program owns the directory; call again when it has ended"

/** What this host has of a sealed save: the files [here]. */
private class SealedHere(sealed: Entry.Sealed, val stored: StoredManifest, val here: List<String>) {
    val number = sealed.number
    val path: Path = sealed.path
}

/** What its name alone says. */
private fun SealedFile.byName(inStore: Set<String>) =
    drained(if (name in inStore) FileResult.DRAINED_BEFORE else FileResult.MISSING)

private fun SourceChoice.resultOf(file: SealedFile, isHere: Boolean): DrainedFile {
    val source = sourceOf(file)
    val result =
        when {
            source != null -> if (source.host == null) FileResult.DRAINED_BEFORE else FileResult.DRAINED
            isHere -> FileResult.DAMAGED
            else -> FileResult.MISSING
        }
    return file.drained(result, flawOf(file))
}

private fun SealedFile.drained(result: FileResult, flaw: String? = null) =
    DrainedFile(name, result, places.map { it.place }, flaw)
