package dev.cairn.cli

import dev.cairn.sion.cli.Refusal
import dev.cairn.sion.cli.Shell
import dev.cairn.store.Entry
import dev.cairn.store.OwnedStore
import dev.cairn.store.save
import picocli.CommandLine.Command
import picocli.CommandLine.Parameters
import java.nio.file.Path

/** A verb that changes one save of a directory. */
internal abstract class SaveVerb(
    shell: Shell,
) : OwnerVerb(shell) {
    @Parameters(index = "0", paramLabel = "DIR", description = ["A directory of checkpoints."])
    private lateinit var directory: Path

    @Parameters(index = "1", paramLabel = "NUMBER", description = ["Which one."])
    private var number = 0

    /** What has become of [save], in a sentence. */
    protected abstract fun change(
        owned: OwnedStore,
        save: Entry.Save,
    ): String

    final override fun report(): Change =
        owning(directory) { owned -> Change(number, change(owned, owned.store.save(number))) }
}

/** `cairn rm`: deletes a checkpoint. */
@Command(
    name = "rm",
    description = ["Deletes a checkpoint, so that a crash at any moment leaves it whole or none at all."],
    footer = ["", "Example: cairn rm heat.cairn 7"],
)
internal class RmVerb(
    shell: Shell,
) : SaveVerb(shell) {
    override fun change(
        owned: OwnedStore,
        save: Entry.Save,
    ): String {
        if (save.isPinned) throw Refusal("${save.path} is pinned, and not deleted. Unpin it first.")
        owned.remove(save).left.forEach { throw Refusal(it.reason) }
        return "${save.path}: deleted"
    }
}

/** `cairn pin`: keeps a checkpoint from being deleted. */
@Command(
    name = "pin",
    description = ["Keeps a checkpoint from being deleted, by retention or by hand, until it is unpinned."],
    footer = ["", "Example: cairn pin heat.cairn 7"],
)
internal class PinVerb(
    shell: Shell,
) : SaveVerb(shell) {
    override fun change(
        owned: OwnedStore,
        save: Entry.Save,
    ): String {
        owned.pin(save)
        return "${save.path}: pinned"
    }
}

/** `cairn unpin`: lets a checkpoint go its way. */
@Command(
    name = "unpin",
    description = ["Lets a checkpoint be deleted again."],
    footer = ["", "Example: cairn unpin heat.cairn 7"],
)
internal class UnpinVerb(
    shell: Shell,
) : SaveVerb(shell) {
    override fun change(
        owned: OwnedStore,
        save: Entry.Save,
    ): String {
        owned.unpin(save)
        return "${save.path}: no longer pinned"
    }
}
