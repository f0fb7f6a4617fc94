package dev.cairn.cli

import dev.cairn.checkpoint.copiedManifest
import dev.cairn.checkpoint.missingData
import dev.cairn.command.Refusal
import dev.cairn.event.CheckpointException
import dev.cairn.reading.openCheckpoint
import dev.cairn.reading.requireIndex
import dev.cairn.reading.verify
import dev.cairn.sion.failure.SionException
import dev.cairn.store.Candidate
import dev.cairn.store.CheckpointStore
import dev.cairn.store.Entry
import dev.cairn.store.OwnedStore
import dev.cairn.store.SaveNames
import dev.cairn.store.StoredManifest
import dev.cairn.store.Verdict
import dev.cairn.store.misplacedSave
import dev.cairn.store.notCommitted
import dev.cairn.store.numbered
import dev.cairn.store.wasDeleted
import picocli.CommandLine.Command
import picocli.CommandLine.Parameters
import java.nio.file.NoSuchFileException
import java.nio.file.Path

/** `cairn recover`: takes a checkpoint back whose manifest was lost. */
@Command(
    name = "recover",
    description = [
        "Takes back a checkpoint whose manifest was lost or damaged.",
        "The data hold a copy of the manifest. The command verifies every byte of the checkpoint against that copy, " +
            "makes all durable, and commits the manifest again. A checkpoint that fails the verification stays as " +
            "it is, and so do those of format 1.0, which have no copy.",
    ],
    footer = ["", "Example: cairn recover heat.cairn/7"],
)
internal class RecoverVerb(shell: Shell) : ChangeVerb(shell) {
    @Parameters(paramLabel = "DIR/NUMBER", description = ["The checkpoint."])
    private lateinit var place: Place

    /** Verifies before it owns the directory, so that a refusal changes nothing there, and again when no other program can change it. */
    override fun report(): Change {
        val number = shell.numberAt(place)
        return owning(place.directory, { recoverable(it, number) }) { owned -> Change(number, recover(owned, number)) }
    }

    /** The manifest of the save [number], if every byte agrees with the copy in its data. */
    private fun recoverable(store: CheckpointStore, number: Int): Candidate {
        val entry = store.numbered(number)
        requireNoManifest(store, entry)
        val candidate = Candidate(entry, copyOf(entry))
        shell
            .store()
            .verify(candidate)
            .firstOrNull()
            ?.let { throw Damage(it) }
        return candidate
    }

    private fun recover(owned: OwnedStore, number: Int): String {
        val candidate = recoverable(owned.store, number)
        val fileCount = shell.store().openCheckpoint(candidate).use { it.view.info().fileCount() }
        owned.rebind(candidate, candidate.manifest.hints.copy(fileCount = fileCount))
        return "${candidate.path}: good, and a checkpoint again: ${candidate.manifest.placeInRun}"
    }

    /** A manifest of another checkpoint, as its data show, does not count. */
    private fun requireNoManifest(store: CheckpointStore, entry: Entry.Numbered) {
        if (entry is Entry.Sealed) throw store.notCommitted(entry)
        if (entry is Entry.Deleted) throw wasDeleted(entry)
        val verdict = (entry as? Entry.Save)?.let { store.judge(it) { shell.store().requireIndex(it) } }
        if (verdict is Verdict.Accepted) throw Refusal("${entry.path} has its manifest: there is nothing to recover.")
        if (verdict is Verdict.Unsupported) throw verdict.failure
    }

    private fun copyOf(entry: Entry.Numbered): StoredManifest {
        val data: Path = entry.path.resolve(SaveNames.DATA)
        val copy =
            try {
                shell.store().copiedManifest(data)
            } catch (unfit: CheckpointException) {
                throw Damage("$data: nothing can be recovered: ${unfit.message}")
            } catch (unfit: SionException) {
                throw Damage("$data: nothing can be recovered: ${unfit.message}")
            } catch (_: NoSuchFileException) {
                if (entry is Entry.Save) throw missingData(data)
                throw Damage("$data: nothing can be recovered: there is no such file.")
            }
        if (copy.manifest.save != entry.number) {
            throw misplacedSave(data, entry.number, copy.manifest.save)
        }
        return copy
    }
}
