package dev.cairn.cli

import dev.cairn.command.StandardOutput
import dev.cairn.command.WrongUsage
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.sentence
import dev.cairn.sion.failure.SionException
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.UndecodedName
import picocli.CommandLine
import picocli.CommandLine.Command
import picocli.CommandLine.IVersionProvider
import picocli.CommandLine.ParameterException
import java.io.IOException
import java.io.PrintWriter
import kotlin.system.exitProcess

/** The command `cairn`: manages directories of checkpoints, without MPI and without the program that saved them. */
@Command(
    name = "cairn",
    mixinStandardHelpOptions = true,
    versionProvider = Version::class,
    description = ["Manages directories of checkpoints, without the program that saved them."],
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "%nVerbs:%n",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = [
        "0:done; the checkpoint is good, or both are the same",
        "1:no: it is damaged, different, or would be refused",
        "2:wrong usage",
        "3:not done: something is missing, in use, or cannot be read or written",
        "141:the reader of the output left early",
    ],
    footer = ["", "Each verb has its own help: cairn ls --help"],
)
internal class CairnCommand private constructor() : Runnable {
    private val line = CommandLine(this)

    override fun run(): Unit = throw ParameterException(line, "Which verb? ${VERBS.keys.joinToString()}")

    private fun lineFor(shell: Shell, arguments: Array<out String>): CommandLine {
        verbsFor(*arguments).forEach { line.addSubcommand(it, VERBS.getValue(it)(shell)) }
        return line
            .registerConverter(Place::class.java, Place.Converter())
            .setUsageHelpWidth(HELP_WIDTH)
            .setOut(PrintWriter(shell.out(), true, Charsets.UTF_8))
            .setErr(PrintWriter(shell.err(), true, Charsets.UTF_8))
            .setParameterExceptionHandler { wrong, _ -> shell.explainUsage(wrong) }
            .setExecutionExceptionHandler { failure, _, _ -> shell.explain(failure) }
    }

    companion object {
        private const val HELP_WIDTH = 80

        /** In the order in which the help shows them. */
        private val VERBS: Map<String, (Shell) -> Any> =
            linkedMapOf(
                "ls" to ::LsVerb,
                "info" to ::InfoVerb,
                "verify" to ::VerifyVerb,
                "explain" to ::ExplainVerb,
                "diff" to ::DiffVerb,
                "extract" to ::ExtractVerb,
                "plan" to ::PlanVerb,
                "config" to { ConfigVerb(it) },
                "job" to { JobVerb(it) },
                "report" to { PageVerb(it) },
                "save" to ::SaveNowVerb,
                "stop" to ::StopVerb,
                "drain" to ::DrainVerb,
                "adopt" to ::AdoptVerb,
                "recover" to ::RecoverVerb,
                "pin" to ::PinVerb,
                "unpin" to ::UnpinVerb,
                "rm" to ::RmVerb,
                "trial" to ::TrialVerb,
            )

        private val VERSION_OPTIONS = listOf("--version", "-V")

        /** Runs one verb and ends the process with its exit code. */
        @JvmStatic
        fun main(arguments: Array<String>): Unit = exitProcess(run(Shell.ofThisProcess(FileBlockStore()), *arguments))

        /** Runs one verb; returns the exit code. */
        fun run(shell: Shell, vararg arguments: String): Int {
            val undecoded = UndecodedName.firstOf(*arguments)
            if (undecoded.isPresent) {
                shell.say("cairn: ${UndecodedName.sentence(undecoded.get())}")
                return ExitCodes.NOT_DONE
            }
            return try {
                CairnCommand().lineFor(shell, arguments).execute(*arguments)
            } catch (tooLarge: OutOfMemoryError) {
                shell.say("cairn: this checkpoint needs more memory ($tooLarge): give java a larger -Xmx.")
                ExitCodes.NOT_DONE
            }
        }

        /** The verbs that must be built: reading the options of all takes longer than most verbs run. */
        fun verbsFor(vararg arguments: String): List<String> =
            when {
                arguments.firstOrNull() in VERBS -> listOf(arguments.first())
                arguments.singleOrNull() in VERSION_OPTIONS -> emptyList()
                else -> VERBS.keys.toList()
            }
    }
}

/** How a run of the command ends; its help and docs/reference/exit-codes.md say the same. */
internal object ExitCodes {
    const val YES = 0
    const val NO = 1
    const val WRONG_USAGE = 2
    const val NOT_DONE = 3

    /** 128 + SIGPIPE: what a shell sees of a C program that wrote into a closed pipe. */
    const val READER_LEFT = 141
}

private fun Shell.explainUsage(wrong: ParameterException): Int {
    say(WrongUsage.sentence(wrong))
    return ExitCodes.WRONG_USAGE
}

private fun Shell.explain(failure: Exception): Int {
    if (failure is StandardOutput.ReaderLeft) return ExitCodes.READER_LEFT
    say("cairn: ${sentence(failure)}")
    return when (failure) {
        is Misuse -> ExitCodes.WRONG_USAGE
        is CheckpointException.InUse -> ExitCodes.NOT_DONE
        is CheckpointException -> if (failure.reason == Reason.NO_SUCH_CHECKPOINT) ExitCodes.NOT_DONE else ExitCodes.NO
        is SionException, is Damage -> ExitCodes.NO
        else -> ExitCodes.NOT_DONE
    }
}

private fun sentence(failure: Exception): String =
    when (failure) {
        is CheckpointException -> failure.message.toString()
        is IOException -> failure.sentence()
        else -> "this is a fault of cairn itself, please report it: $failure"
    }

/** The text of `cairn --version`. Only the jar contains the number; classes in a folder are a development build. */
internal class Version : IVersionProvider {
    override fun getVersion(): Array<String> =
        arrayOf("cairn ${Version::class.java.`package`.implementationVersion ?: "(unpackaged)"}")
}
