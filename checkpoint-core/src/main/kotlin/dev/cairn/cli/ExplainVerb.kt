package dev.cairn.cli

import dev.cairn.reading.verify
import dev.cairn.sion.cli.Shell
import dev.cairn.store.CheckpointStore
import dev.cairn.store.Entry
import dev.cairn.store.Verdict
import kotlinx.serialization.Serializable
import picocli.CommandLine.Command
import picocli.CommandLine.Parameters
import java.nio.file.Path

/** `cairn explain`: what a program would do that starts now. */
@Command(
    name = "explain",
    description = [
        "Says what a restart would do, and why.",
        "It looks at the saves as a restart does, newest first, and reads each to the last byte, until one is",
        "good.",
    ],
    footer = [
        "",
        "Whether the items fit a program only that program knows; 'cairn plan' shows what depends on the",
        "rank count.",
        "",
        "Exit code 0: it would go on, or start fresh; 1: it would stop, because all checkpoints are damaged.",
        "",
        "Example: cairn explain heat.cairn",
    ],
)
internal class ExplainVerb(
    shell: Shell,
) : ReportVerb<Explanation>(shell, Explanation.serializer()) {
    @Parameters(paramLabel = "DIR", description = ["A directory of checkpoints."])
    private lateinit var directory: Path

    override fun report(): Explanation {
        val store = shell.storeIn(directory)
        val entries = store.survey().entries
        val considered = mutableListOf<ConsideredSave>()
        for (entry in entries.filterIsInstance<Entry.Numbered>().sortedByDescending { it.number }) {
            val isDecided = considered.any { it.verdict == ACCEPTED || it.verdict == UNSUPPORTED }
            considered += if (isDecided) ConsideredSave(entry.number, OLDER) else consider(store, entry)
        }
        val foreign = entries.filterIsInstance<Entry.Foreign>().map { it.path.fileName.toString() }
        return Explanation(directory.toString(), considered, foreign)
    }

    override fun lines(report: Explanation): List<String> =
        report.saves.map { "save ${it.number}: ${it.verdict}" + (it.reason?.let { reason -> ": $reason" } ?: "") } +
            report.foreign.map { "$it: left alone, it is none of Cairn's" } +
            report.decision

    override fun isYes(report: Explanation): Boolean = report.restart != Restart.STOP

    private fun consider(
        store: CheckpointStore,
        entry: Entry.Numbered,
    ): ConsideredSave =
        when (val verdict = store.judge(entry) {}) {
            is Verdict.Accepted -> consider(verdict)
            is Verdict.Rejected -> ConsideredSave(entry.number, REJECTED, verdict.reason)
            is Verdict.Unsupported -> ConsideredSave(entry.number, UNSUPPORTED, verdict.failure.message)
            null -> ConsideredSave(entry.number, NONE, (entry as? Entry.Unfinished)?.failure)
        }

    private fun consider(verdict: Verdict.Accepted): ConsideredSave {
        val manifest = verdict.candidate.manifest
        val flaw = shell.store().verify(verdict.candidate).firstOrNull()
        return if (flaw == null) {
            ConsideredSave(manifest.save, ACCEPTED, "step ${manifest.step} of ${counted(manifest.rankCount, "rank")}")
        } else {
            ConsideredSave(manifest.save, REJECTED, flaw)
        }
    }
}

/** What a program would do that starts now. */
internal enum class Restart { GO_ON, FRESH, STOP }

@Serializable
internal class Explanation private constructor(
    val store: String,
    val saves: List<ConsideredSave>,
    val foreign: List<String>,
    val restart: Restart,
    val decision: String,
) {
    constructor(store: String, saves: List<ConsideredSave>, foreign: List<String>) : this(
        store,
        saves,
        foreign,
        restartFrom(saves),
        decisionOn(saves),
    )
}

@Serializable
internal class ConsideredSave(
    val number: Int,
    val verdict: String,
    val reason: String? = null,
)

private fun restartFrom(saves: List<ConsideredSave>): Restart =
    when {
        saves.any { it.verdict == ACCEPTED } -> Restart.GO_ON
        saves.any { it.verdict == UNSUPPORTED } -> Restart.STOP
        saves.any { it.verdict == REJECTED } -> Restart.STOP
        else -> Restart.FRESH
    }

private fun decisionOn(saves: List<ConsideredSave>): String =
    when (restartFrom(saves)) {
        Restart.GO_ON -> "A restart goes on from save ${saves.first { it.verdict == ACCEPTED }.number}."
        Restart.FRESH -> "A program that starts now starts fresh: there is no checkpoint."
        Restart.STOP -> stopOn(saves)
    }

private fun stopOn(saves: List<ConsideredSave>): String {
    val newer =
        saves.find { it.verdict == UNSUPPORTED } ?: return "A restart stops: there are checkpoints, and none is good."
    return "A restart stops: save ${newer.number} is in a format that only a newer version of Cairn reads."
}

private const val ACCEPTED = "accepted"
private const val REJECTED = "rejected"
private const val UNSUPPORTED = "not readable by this version"
private const val NONE = "no checkpoint, the save has not finished"
private const val OLDER = "not looked at, a newer one decides"
