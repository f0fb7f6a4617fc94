package dev.cairn.cli

import dev.cairn.command.Refusal
import dev.cairn.event.CheckpointException
import dev.cairn.node.LocalSaves
import dev.cairn.store.CheckpointStore
import dev.cairn.store.HostIdentity
import dev.cairn.store.Owner
import dev.cairn.store.Takeover
import picocli.CommandLine.Command
import picocli.CommandLine.Mixin
import picocli.CommandLine.Option
import picocli.CommandLine.Parameters
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.TimeSource
import kotlin.time.toKotlinDuration

/** `cairn drain`: brings sealed saves from the disks of hosts into the directory, after the program has ended. */
@Command(
    name = "drain",
    description = [
        "Brings saves that lie on the disks of hosts into the directory, after the program has ended.",
        "Call it on each host, in any order or at once, and as often as you like. Each call copies the files that " +
            "its host has and the directory lacks, or has damaged. The call that finds all files of a save there, " +
            "all of them good, commits it. Then, and later on the other hosts, the files on the host are deleted.",
    ],
    footer = [
        "",
        "Exit code 0: no save that is newer than the newest checkpoint lies on hosts any more; 1: a file on this " +
            "host is damaged, or a committed one differs from it; 3: files of other hosts are missing, or a program owns the directory.",
        "",
        "Example: cairn drain heat.cairn --local /scratch/me",
    ],
)
internal class DrainVerb(shell: Shell) : OwnerVerb<DrainReport>(shell, DrainReport.serializer()) {
    @Option(
        names = ["--local"],
        paramLabel = "PATH",
        required = true,
        description = ["The directory on this host's own disk, as the setting local of the program named it."],
    )
    private lateinit var local: Path

    @Mixin
    private lateinit var wait: WaitLimit

    @Parameters(paramLabel = "DIR", description = ["A directory of checkpoints."])
    private lateinit var directory: Path

    override fun report(): DrainReport {
        val limit = wait.limit()
        val store = shell.storeIn(directory)
        val saves = LocalSaves(shell.store(), existing(local), identity(store))
        if (!isTakenOver) awaitEndOfOwner(limit)
        val drain =
            HostDrain(shell.store(), store, saves) { step ->
                poll(limit) { unlessInUse { owning(directory, look = {}, step) } }
            }
        val drained = drain.drainAll()
        val checked = drained.filter { it.isChecked }.map { it.number }.toSet()
        val tidied = HostTidying(shell.store(), store, saves).tidy(checked)
        return DrainReport("$directory", "$saves", drained, tidied.deleted, tidied.kept, tidied.unfinished)
    }

    private fun existing(local: Path): Path {
        if (shell.store().exists(local)) return local
        throw Refusal("$local: there is no such directory on this host. Check the name after --local.")
    }

    private fun identity(store: CheckpointStore): String =
        HostIdentity.read(shell.store(), directory) ?: throw withoutIdentity(store.survey().sealedNumbers.maxOrNull())

    private fun withoutIdentity(newest: Int?) =
        Refusal(
            if (newest == null) {
                "$directory: it has no file 'identity', so no host holds a save of it."
            } else {
                "$directory: it has lost its file 'identity', by which hosts keep its saves. 'cairn info $directory " +
                    "$newest' shows where save $newest lies: write the 18 characters behind 'cairn-' into the file."
            },
        )

    private fun awaitEndOfOwner(limit: Duration) {
        var owner: Owner? = null
        var since = TimeSource.Monotonic.markNow()
        poll(limit) {
            val found = shell.ownerAtWork(directory)
            if (found != owner) since = TimeSource.Monotonic.markNow()
            owner = found
            if (found == null || since.elapsedNow() >= Takeover.IfDead().silence.toKotlinDuration()) directory else null
        } ?: throw Refusal(
            "$directory belongs to $owner, which drains its saves itself, so nothing was done. If it was killed on " +
                "another host, it counts as dead when it has given no sign of life for two minutes: try again with " +
                "--wait 150.",
        )
    }

    private fun <T> unlessInUse(step: () -> T): T? =
        try {
            step()
        } catch (inUse: CheckpointException.InUse) {
            if (inUse.reason == CheckpointException.Reason.TAKEN_OVER) throw inUse
            null
        }

    override fun lines(report: DrainReport): List<String> = report.lines()

    override fun exitCode(report: DrainReport): Int =
        when {
            report.isDamaged -> ExitCodes.NO
            report.isWaiting -> ExitCodes.NOT_DONE
            else -> ExitCodes.YES
        }
}
