package dev.cairn.cli

import dev.cairn.store.CheckpointStore
import dev.cairn.store.OwnedStore
import dev.cairn.store.Owner
import dev.cairn.store.Takeover
import kotlinx.serialization.KSerializer
import kotlinx.serialization.Serializable
import picocli.CommandLine.Option
import java.nio.file.Path
import java.time.Clock

/** A verb that changes a directory of checkpoints, and therefore owns it while it works. */
internal abstract class OwnerVerb<R>(shell: Shell, serializer: KSerializer<R>) : ReportVerb<R>(shell, serializer) {
    @Option(
        names = ["--take-over"],
        description = [
            "Takes the directory from an owner on another host, or one that is stopped. Make sure that it is dead " +
                "or will not continue: it can no longer save.",
        ],
    )
    protected var isTakenOver: Boolean = false
        private set

    /**
     * Owns the store in [directory] while [change] runs. Before a store is taken from another owner, which may be alive or was killed,
     * and before a directory that may be none of checkpoints gets a lock, [look] fails if the change is not possible.
     */
    protected fun <T> owning(directory: Path, look: (CheckpointStore) -> Unit, change: (OwnedStore) -> T): T {
        val clock = Clock.systemUTC()
        val takeover = if (isTakenOver) Takeover.Asked else Takeover.IfDead()
        val store = shell.storeIn(directory)
        if (isTakenOver || shell.isLeftByOwner(directory) || !shell.hasLock(directory)) look(store)
        return store.own(Owner.here(clock.instant()), clock, takeover).use { owned ->
            owned.takeover?.let { shell.say("cairn: $it") }
            change(owned)
        }
    }
}

/** A verb that makes one change of one save. */
internal abstract class ChangeVerb(shell: Shell) : OwnerVerb<Change>(shell, Change.serializer()) {
    override fun lines(report: Change): List<String> = listOf(report.sentence)
}

@Serializable
internal class Change(val number: Int, val sentence: String)
