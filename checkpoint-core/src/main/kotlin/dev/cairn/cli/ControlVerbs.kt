package dev.cairn.cli

import dev.cairn.sion.cli.Refusal
import dev.cairn.sion.cli.Shell
import dev.cairn.store.saveFileOf
import dev.cairn.store.stopFileOf
import kotlinx.serialization.Serializable
import picocli.CommandLine.Command
import picocli.CommandLine.Option
import picocli.CommandLine.Parameters
import java.nio.file.FileAlreadyExistsException
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** A verb that asks the program at work in a directory for something, by a file beside it that the program takes away. */
internal abstract class ControlVerb(
    shell: Shell,
) : ReportVerb<Asked>(shell, Asked.serializer()) {
    @Option(
        names = ["--wait"],
        paramLabel = "SECONDS",
        description = ["How long to wait until the program has taken the request; \${DEFAULT-VALUE} without it."],
    )
    private var waitSeconds = WaitLimit.DEFAULT_SECONDS

    @Parameters(index = "0", paramLabel = "DIR", description = ["A directory of checkpoints."])
    private lateinit var directory: Path

    /** What the program does, to go on after "it". */
    protected abstract val deed: String

    protected abstract fun file(directory: Path): Path

    final override fun report(): Asked {
        val limit = WaitLimit.of(waitSeconds)
        val owner =
            shell.ownerAtWork(directory)
                ?: throw Refusal("$directory: no program is at work there, so there is none to ask.")
        val file = file(directory)
        make(file)
        poll(limit) { if (shell.store().exists(file)) null else file } ?: throw Refusal(waiting(file, "$owner", limit))
        return Asked("$directory: asked $owner: it $deed")
    }

    final override fun lines(report: Asked): List<String> = listOf(report.sentence)

    private fun make(file: Path) {
        try {
            shell.store().create(file).close()
        } catch (_: FileAlreadyExistsException) {
            // The same was asked for already.
        }
    }

    private fun waiting(
        file: Path,
        owner: String,
        limit: Duration,
    ) = "$file is made, but $owner has not taken it within $limit. A simulation takes it between two of its steps; a " +
        "program with a loop of its own does not look for it. Delete the file to take the request back."
}

/** `cairn save`: asks for a checkpoint. */
@Command(
    name = "save",
    description = ["Asks the program at work in a directory to save after its current step."],
    footer = ["", "It makes the file DIR.save, as anyone may by hand.", "", "Example: cairn save heat.cairn"],
)
internal class SaveNowVerb(
    shell: Shell,
) : ControlVerb(shell) {
    override val deed get() = "saves after its current step"

    override fun file(directory: Path): Path = saveFileOf(directory)
}

/** `cairn stop`: asks for a checkpoint, and for the end. */
@Command(
    name = "stop",
    description = ["Asks the program at work in a directory to save after its current step, and to end then."],
    footer = ["", "It makes the file DIR.stop, as anyone may by hand.", "", "Example: cairn stop heat.cairn"],
)
internal class StopVerb(
    shell: Shell,
) : ControlVerb(shell) {
    override val deed get() = "saves after its current step, and ends"

    override fun file(directory: Path): Path = stopFileOf(directory)
}

/** What was asked of whom. */
@Serializable
internal class Asked(
    val sentence: String,
)

/** How long a verb waits for another program. */
internal object WaitLimit {
    const val DEFAULT_SECONDS = 10.0

    fun of(seconds: Double): Duration {
        if (!(seconds >= 0 && seconds.isFinite())) {
            throw Refusal(
                "--wait is a number of seconds from 0 on, not $seconds.",
            )
        }
        return seconds.seconds
    }
}
