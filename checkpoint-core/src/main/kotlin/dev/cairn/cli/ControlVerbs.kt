package dev.cairn.cli

import dev.cairn.command.Refusal
import dev.cairn.store.Owner
import dev.cairn.store.deleteIfThere
import dev.cairn.store.saveFileIn
import dev.cairn.store.stopFileIn
import dev.cairn.store.writeNew
import kotlinx.serialization.Serializable
import picocli.CommandLine.Command
import picocli.CommandLine.Mixin
import picocli.CommandLine.Option
import picocli.CommandLine.Parameters
import java.nio.file.FileAlreadyExistsException
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** A verb that sends a request to the program that runs in a directory, by a file in it that the program deletes. */
internal abstract class ControlVerb(shell: Shell) : ReportVerb<Asked>(shell, Asked.serializer()) {
    @Mixin
    private lateinit var wait: WaitLimit

    @Parameters(index = "0", paramLabel = "DIR", description = ["A directory of checkpoints."])
    private lateinit var directory: Path

    /** The action of the program, as a continuation of "it". */
    protected abstract val deed: String

    protected abstract fun file(directory: Path): Path

    final override fun report(): Asked {
        val limit = wait.limit()
        val owner =
            shell.ownerAtWork(directory)
                ?: throw Refusal("$directory: no program is running there, so the request was not made.")
        val file = file(directory)
        make(file, owner)
        poll(limit) { if (shell.store().exists(file)) null else file } ?: throw Refusal(waiting(file, "$owner", limit))
        return Asked("$directory: asked $owner: it $deed")
    }

    final override fun lines(report: Asked): List<String> = listOf(report.sentence)

    /** In place of one that another command has made. Only [owner] takes it, or the next program would. */
    private fun make(file: Path, owner: Owner) {
        unlessThere { if (!shell.store().exists(file.parent)) shell.store().makeDirectory(file.parent) }
        shell.store().deleteIfThere(file)
        unlessThere { shell.store().writeNew(file, owner.request.encodeToByteArray()) }
    }

    /** Another command may make the same now. */
    private fun unlessThere(make: () -> Unit) {
        try {
            make()
        } catch (_: FileAlreadyExistsException) {
            return
        }
    }

    private fun waiting(file: Path, owner: String, limit: Duration) =
        "$file was made, but $owner has not taken it within $limit. A simulation takes it between two of its " +
            "steps, and no later program does; a program with a loop of its own takes it in saveIfDue. Delete the " +
            "file to withdraw the request."
}

/** `cairn save`: asks for a checkpoint. */
@Command(
    name = "save",
    description = ["Asks the program that runs in a directory to save after its current step."],
    footer = [
        "",
        "It makes the file requests/save in DIR. DIR.save, made by hand beside it, asks for the same.",
        "",
        "Example: cairn save heat.cairn",
    ],
)
internal class SaveNowVerb(shell: Shell) : ControlVerb(shell) {
    override val deed get() = "saves after its current step"

    override fun file(directory: Path): Path = saveFileIn(directory)
}

/** `cairn stop`: asks for a checkpoint, and for the end. */
@Command(
    name = "stop",
    description = ["Asks the program that runs in a directory to save after its current step, and to end then."],
    footer = [
        "",
        "It makes the file requests/stop in DIR. DIR.stop, made by hand beside it, asks for the same.",
        "",
        "Example: cairn stop heat.cairn",
    ],
)
internal class StopVerb(shell: Shell) : ControlVerb(shell) {
    override val deed get() = "saves after its current step, and ends"

    override fun file(directory: Path): Path = stopFileIn(directory)
}

/** A request and its receiver. */
@Serializable
internal class Asked(val sentence: String)

/** The time that a verb waits for another program. */
internal class WaitLimit {
    @Option(
        names = ["--wait"],
        paramLabel = "SECONDS",
        description = ["The time to wait for the program that owns the directory; \${DEFAULT-VALUE} without it."],
    )
    private var seconds = 10.0

    fun limit(): Duration {
        if (!(seconds >= 0 && seconds.isFinite())) {
            throw Misuse("--wait is a number of seconds from 0 on, not $seconds.")
        }
        return seconds.seconds
    }
}
