package dev.cairn.cli

import dev.cairn.sion.cli.Refusal
import dev.cairn.sion.cli.Shell
import dev.cairn.store.Entry
import dev.cairn.store.OwnedStore
import dev.cairn.store.Owner
import dev.cairn.store.Takeover
import kotlinx.serialization.Serializable
import picocli.CommandLine.Command
import picocli.CommandLine.Option
import picocli.CommandLine.Parameters
import java.net.InetAddress
import java.nio.file.Path
import java.time.Clock

/** A verb that changes something in a directory of checkpoints, and so must own it meanwhile. */
internal abstract class OwnerVerb(
    shell: Shell,
) : ReportVerb<Change>(shell, Change.serializer()) {
    @Option(
        names = ["--take-over"],
        description = ["Takes the directory from an owner on another host. Make sure that it is dead."],
    )
    private var isTakenOver = false

    /** Owns the store in [directory] while [change] is at work. */
    protected fun <T> owning(
        directory: Path,
        change: (OwnedStore) -> T,
    ): T {
        val clock = Clock.systemUTC()
        val takeover = if (isTakenOver) Takeover.Asked else Takeover.IfDead()
        return shell.storeIn(directory).own(Owner.here(host(), clock.instant()), clock, takeover).use { owned ->
            owned.takeover?.let { shell.say("cairn: $it") }
            change(owned)
        }
    }

    override fun lines(report: Change): List<String> = listOf(report.sentence)

    private fun host(): String = System.getenv("HOSTNAME") ?: InetAddress.getLocalHost().hostName
}

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

@Serializable
internal class Change(
    val number: Int,
    val sentence: String,
)

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
