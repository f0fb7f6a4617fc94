package dev.cairn.cli

import dev.cairn.command.Refusal
import dev.cairn.event.CheckpointException
import dev.cairn.run.releaseOutputs
import dev.cairn.store.ChangeOutcome
import dev.cairn.store.CheckpointStore
import dev.cairn.store.OwnedStore
import dev.cairn.store.SaveChange
import dev.cairn.store.carryOut
import dev.cairn.store.obstacleTo
import picocli.CommandLine.Command
import picocli.CommandLine.Mixin
import picocli.CommandLine.Parameters
import java.nio.file.Path
import kotlin.time.Duration

/** A verb that changes one save of a directory: itself, or by asking the program that owns it. */
internal abstract class SaveVerb(shell: Shell, private val change: SaveChange) : ChangeVerb(shell) {
    @Mixin
    private lateinit var wait: WaitLimit

    @Parameters(
        index = "0",
        paramLabel = "DIR[/NUMBER]",
        description = [
            "A checkpoint, or its directory: 'cairn pin DIR' means the newest good one, the other verbs need a number.",
        ],
    )
    private lateinit var place: Place

    @Parameters(index = "1", arity = "0..1", paramLabel = "NUMBER", description = [Place.NUMBER])
    private var number: Int? = null

    final override fun report(): Change {
        val save = shell.locate(place, number)
        val number = save.number ?: numberWithout(save)
        val outcome = outcomeOf(save.directory, number, wait.limit())
        if (outcome.isDone) return Change(number, outcome.sentence)
        // Before its owner answered, or before this command owned the directory, a program may have deleted the newest one.
        if (save.number == null && isGone(save.directory, number)) return report()
        throw Refusal(outcome.sentence)
    }

    /** To pin is the only change that does no harm to a save that was not meant. */
    private fun numberWithout(save: Place): Int =
        if (change == SaveChange.PIN) shell.open(save).use { it.candidate.number } else shell.numberAt(save)

    private fun outcomeOf(directory: Path, number: Int, limit: Duration): ChangeOutcome =
        try {
            owning(directory, { it.requirePossible(number) }) { changed(it, number) }
        } catch (refused: Refusal) {
            ChangeOutcome(isDone = false, refused.message.toString())
        } catch (inUse: CheckpointException.InUse) {
            if (inUse.reason == CheckpointException.Reason.TAKEN_OVER) throw inUse
            val owner = shell.ownerAtWork(directory) ?: throw inUse
            shell.ask(owner, directory, change, number, limit)
        }

    /** What lies beside the store is left to the next program if it cannot be deleted now. */
    private fun changed(owned: OwnedStore, number: Int): ChangeOutcome {
        val outcome = owned.carryOut(change, number)
        val left = if (outcome.isDone && owned.hasKeptOutputs) owned.releaseOutputs(shell.store()).left else emptyList()
        return ChangeOutcome(outcome.isDone, (listOf(outcome.sentence) + left.map { it.reason }).joinToString(". "))
    }

    private fun isGone(directory: Path, number: Int): Boolean =
        shell
            .storeIn(directory)
            .survey()
            .saves
            .none { it.number == number }

    private fun CheckpointStore.requirePossible(number: Int) {
        obstacleTo(change, number)?.let { throw Refusal(it) }
    }
}

/** `cairn rm`: deletes a checkpoint. */
@Command(
    name = "rm",
    description = [
        "Deletes a checkpoint, so that a crash at any moment leaves it either whole or deleted.",
        "Also deletes one that has lost its manifest, which no program deletes by itself. If a program owns the " +
            "directory, it is asked to do so between two steps; it keeps its newest checkpoint.",
    ],
    footer = ["", "Example: cairn rm heat.cairn 7"],
)
internal class RmVerb(shell: Shell) : SaveVerb(shell, SaveChange.REMOVE)

/** `cairn pin`: protects a checkpoint from deletion. */
@Command(
    name = "pin",
    description = [
        "Protects a checkpoint from deletion, by retention or by hand, until it is unpinned.",
        "If a program owns the directory, it is asked to do so between two steps.",
    ],
    footer = ["", "Example: cairn pin heat.cairn 7"],
)
internal class PinVerb(shell: Shell) : SaveVerb(shell, SaveChange.PIN)

/** `cairn unpin`: ends the protection of a checkpoint. */
@Command(
    name = "unpin",
    description = [
        "Ends the protection of a checkpoint from deletion.",
        "If a program owns the directory, it is asked to do so between two steps.",
    ],
    footer = ["", "Example: cairn unpin heat.cairn 7"],
)
internal class UnpinVerb(shell: Shell) : SaveVerb(shell, SaveChange.UNPIN)
