package dev.cairn.cli

import dev.cairn.command.Refusal
import dev.cairn.testing.CommandTrial
import dev.cairn.testing.ForgottenState
import dev.cairn.testing.JavaCommand
import dev.cairn.testing.RestartTrial
import kotlinx.serialization.Serializable
import kotlinx.serialization.Transient
import picocli.CommandLine.Command
import picocli.CommandLine.Option
import picocli.CommandLine.Parameters
import java.nio.file.Path
import kotlin.random.Random

/** `cairn trial`: tries a restart of a program, and looks for what it forgets. */
@Command(
    name = "trial",
    customSynopsis = ["cairn trial [-hV] [OPTION]... -- java [OPTION]... PROGRAM [ARGUMENT]..."],
    description = [
        "Tries restarts of a program that is one process, and looks for state that it has not declared.",
        "The program runs once without an interruption. Then it is killed after a step, and continued. The state at " +
            "each save is compared, and the files that the program leaves. After that the memory of an unbroken and " +
            "of a restarted run is compared at the same steps, which needs HotSpot.",
        "Each run has a working directory and checkpoints of its own in a new directory, with copies of the inputs.",
    ],
    footer = [
        "",
        "Exit code 0: the results are equal, whatever is forgotten; 1: they differ; 3: it could not be tried.",
        "",
        "Example: cairn trial --input model.ini -- java -jar model.jar model.ini",
    ],
)
internal class TrialVerb(shell: Shell) : ReportVerb<Tried>(shell, Tried.serializer()) {
    @Option(
        names = ["--directory"],
        paramLabel = "DIR",
        description = ["A new directory for all runs; \${DEFAULT-VALUE} without it."],
    )
    private var directory: Path = Path.of("cairn-trial")

    @Option(
        names = ["--input"],
        paramLabel = "FILE",
        description = ["A file or directory that the program reads; may be repeated."],
    )
    private var inputs: List<Path> = emptyList()

    @Option(
        names = ["--output"],
        paramLabel = "FILE",
        description = ["A file to compare, may be repeated; without it, all that the program leaves."],
    )
    private var outputs: Set<Path> = emptySet()

    @Option(
        names = ["--every"],
        paramLabel = "N",
        description = ["Steps from one save to the next; \${DEFAULT-VALUE} without it."],
    )
    private var every = 1L

    @Option(
        names = ["--break-at"],
        paramLabel = "STEP",
        description = ["The step from which the program is continued; one is drawn without it."],
    )
    private var breakAt: Long? = null

    @Option(names = ["--seed"], paramLabel = "SEED", description = ["Draws the step; it is printed."])
    private var seed: Long? = null

    @Option(
        names = ["--ignore"],
        paramLabel = "NAME",
        description = ["Class.field, a class or a package that is not listed; may be repeated."],
    )
    private var ignored: List<String> = emptyList()

    @Option(
        names = ["--confirm"],
        description = ["Restarts once more for each place that can be set, to see whether it explains the results."],
    )
    private var isConfirmed = false

    @Option(
        names = ["--in-place"],
        description = ["Allows absolute paths, which all runs share, in the program's arguments."],
    )
    private var isInPlace = false

    @Parameters(
        arity = "1..*",
        paramLabel = "PROGRAM",
        description = ["java, its options, the program, and the arguments."],
    )
    private lateinit var words: List<String>

    override fun report(): Tried =
        refusing {
            val command = JavaCommand(words)
            command.arguments.forEach(::requireNoStore)
            if (!isInPlace) command.arguments.forEach(::requireRelative)
            outputs.forEach { requireRelative("$it") }
            if (shell.store().exists(directory)) {
                throw Refusal("$directory: it exists already. Name another --directory, or delete it.")
            }
            val trial = RestartTrial(every).withEvery(every).withInputs(*inputs.toTypedArray())
            val ofAll = trial.withIgnored(*ignored.toTypedArray())
            val asked = if (isConfirmed) ofAll.withConfirmation() else ofAll
            tried(CommandTrial(directory, command, asked, outputs.mapTo(HashSet()) { it.normalize() }))
        }

    private fun tried(trial: CommandTrial): Tried {
        val drawn = seed ?: Random.nextLong(SEEDS)
        try {
            val step =
                breakAt ?: trial.anyStep(drawn).also { shell.say("cairn: --seed $drawn has drawn --break-at $it") }
            return Tried(words.joinToString(" "), trial.run(step))
        } catch (impossible: IllegalStateException) {
            throw Refusal(impossible.message.toString(), impossible)
        }
    }

    private fun requireNoStore(argument: String) {
        val path = pathIn(argument)
        if (!path.isAbsolute || !shell.hasLock(path)) return
        throw Misuse("$argument: checkpoints are there, and a trial writes into none that exist. Leave it out.")
    }

    /** The last part of an option such as `--out=/data/out.nc` counts, too. */
    private fun pathIn(argument: String) = Path.of(argument.substringAfter('='))

    private fun requireRelative(argument: String) {
        if (!pathIn(argument).isAbsolute) return
        throw Misuse(
            "$argument is an absolute path, and what lies there would be used by all runs. Name a copy that each run " +
                "gets by --input, and a relative path here; or allow it by --in-place.",
        )
    }

    override fun isYes(report: Tried): Boolean = report.differs == null

    override fun lines(report: Tried): List<String> = report.lines()
}

private const val UNSEEN =
    "What was lost is listed as scratch, or no search sees it, such as a digest, or what the first step after the " +
        "restart uses up. Declare what that step reads."

/** Of a number that people can type. */
private const val SEEDS = 1_000_000L

/** Either what was [compared], or how the results [differs][differs]. */
@Serializable
internal class Tried(
    val command: String,
    val breakAt: Long,
    val compared: String?,
    val differs: String?,
    val forgotten: ForgottenPlaces,
) {
    constructor(command: String, result: CommandTrial.Result) : this(
        command,
        result.breakAt,
        result.report?.let { "$it" },
        result.differs?.message,
        ForgottenPlaces(result.forgotten),
    )

    fun lines(): List<String> =
        listOf(differs?.let { "different: $it" } ?: "equal: $compared") +
            forgotten.text.lines() +
            listOfNotNull(UNSEEN.takeIf { differs != null && forgotten.findings.isEmpty() })
}

@Serializable
internal class ForgottenPlaces(
    @Transient val text: String = "",
    val findings: List<ForgottenPlace>,
    val scratch: List<ForgottenPlace>,
    val notCompared: List<String>,
) {
    constructor(state: ForgottenState) : this(
        "$state",
        state.findings.map(::ForgottenPlace),
        state.scratch.map(::ForgottenPlace),
        state.unseen,
    )
}

@Serializable
internal class ForgottenPlace(
    val place: String,
    val path: String,
    val unbroken: String,
    val restarted: String,
    val count: Long,
    val note: String,
    val isConfirmed: Boolean?,
) {
    constructor(found: ForgottenState.Finding) :
        this(found.place, found.path, found.unbroken, found.restarted, found.count, found.note, found.isConfirmed)
}
