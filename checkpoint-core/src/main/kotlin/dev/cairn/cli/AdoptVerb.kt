package dev.cairn.cli

import dev.cairn.event.counted
import dev.cairn.reading.StoredCheckpoints
import dev.cairn.store.OwnedStore
import picocli.CommandLine.Command
import picocli.CommandLine.Parameters

/** `cairn adopt`: binds a checkpoint to its data again after they were rewritten. */
@Command(
    name = "adopt",
    description = [
        "Takes back a checkpoint whose data were rewritten.",
        "After siondefrag, or copying, it verifies the whole checkpoint, makes it durable, and records in the " +
            "manifest the present number of files. A checkpoint is bound to the content of its tasks, not to " +
            "positions in files, so nothing else changes. A checkpoint that fails the verification stays as it is.",
    ],
    footer = [
        "",
        "Example: siondefrag heat.cairn/000007/data.sion tidy.sion",
        "         mv tidy.sion heat.cairn/000007/data.sion",
        "         cairn adopt heat.cairn/7",
    ],
)
internal class AdoptVerb(shell: Shell) : ChangeVerb(shell) {
    @Parameters(paramLabel = "DIR/NUMBER", description = ["The checkpoint."])
    private lateinit var place: Place

    override fun report(): Change {
        val number = shell.numberAt(place)
        val checkpoints = shell.checkpointsIn(place.directory)
        return owning(place.directory, { checkpoints.requireGood(number) }) { owned ->
            Change(number, adopt(owned, checkpoints, number))
        }
    }

    private fun StoredCheckpoints.requireGood(number: Int) {
        verify(number).firstOrNull()?.let { throw Damage(it) }
    }

    private fun adopt(owned: OwnedStore, checkpoints: StoredCheckpoints, number: Int): String {
        checkpoints.requireGood(number)
        checkpoints.open(number).use {
            val fileCount = it.view.info().fileCount()
            owned.rebind(it.candidate, it.manifest.hints.copy(fileCount = fileCount))
            return "$it: good, and bound to ${counted(fileCount, "file")}"
        }
    }
}
