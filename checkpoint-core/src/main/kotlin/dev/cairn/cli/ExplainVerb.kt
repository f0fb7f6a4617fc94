package dev.cairn.cli

import dev.cairn.reading.requireRestorable
import dev.cairn.sion.cli.Shell
import dev.cairn.store.Aside
import dev.cairn.store.Discovery
import dev.cairn.store.Entry
import dev.cairn.store.Flaw
import dev.cairn.store.Verdict
import dev.cairn.text.counted
import kotlinx.serialization.Serializable
import picocli.CommandLine.Command
import picocli.CommandLine.Parameters
import java.nio.file.Path

/** `cairn explain`: what a program would do that starts now. */
@Command(
    name = "explain",
    description = [
        "Says what a restart would do, and why.",
        "It looks at the saves as a restart does, newest first, and reads all that a restart reads of each, until " +
            "one is good.",
    ],
    footer = [
        "",
        "Whether the items fit a program only that program knows; 'cairn plan' shows what depends on the " +
            "rank count.",
        "",
        "Exit code 0: it would go on, or start fresh; 1: it would stop, because no checkpoint is good.",
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
        val survey = store.survey()
        val discovery = store.discover { shell.store().requireRestorable(it) }
        val foreign = survey.entries.filterIsInstance<Entry.Foreign>().map { it.path.fileName.toString() }
        return Explanation(directory.toString(), survey.numbered.map { consider(it, discovery) }, foreign, discovery)
    }

    override fun lines(report: Explanation): List<String> =
        report.saves.map { "save ${it.number}: ${it.verdict}" + (it.reason?.let { reason -> ": $reason" } ?: "") } +
            report.foreign.map { "$it: left alone, it is none of Cairn's" } +
            report.decision

    override fun isYes(report: Explanation): Boolean = report.restart != Restart.STOP

    private fun consider(
        entry: Entry.Numbered,
        discovery: Discovery,
    ): ConsideredSave =
        discovery.rejected.find { it.number == entry.number }?.let { ConsideredSave(it) }
            ?: discovery.aside.find { it.number == entry.number }?.let { ConsideredSave(it, discovery.isHistoryKnown) }
            ?: considerLast(entry, discovery)

    private fun considerLast(
        entry: Entry.Numbered,
        discovery: Discovery,
    ): ConsideredSave {
        val (number, verdict, reason) = discovery.last ?: Triple(0, "", null)
        return when {
            entry.number == number -> ConsideredSave(number, verdict, reason)
            entry is Entry.Save && entry.number < number -> ConsideredSave(entry.number, OLDER)
            entry is Entry.Deleted -> ConsideredSave(entry.number, DELETED)
            else -> ConsideredSave(entry.number, NONE, (entry as? Entry.Unfinished)?.failure)
        }
    }
}

/** The save that decides what a restart does, and why; null if none does. */
private val Discovery.last: Triple<Int, String, String?>?
    get() =
        when (this) {
            is Discovery.Good -> {
                newest.manifest.run {
                    Triple(
                        save,
                        ACCEPTED,
                        "step $step of ${counted(rankCount, "rank")}",
                    )
                }
            }

            is Discovery.Unsupported -> {
                Triple(newest.number, UNSUPPORTED, newest.failure.message)
            }

            is Discovery.DamagedOnly, is Discovery.None -> {
                null
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
    constructor(store: String, saves: List<ConsideredSave>, foreign: List<String>, discovery: Discovery) : this(
        store,
        saves,
        foreign,
        restartFrom(discovery),
        decisionOn(discovery),
    )
}

@Serializable
internal class ConsideredSave(
    val number: Int,
    val verdict: String,
    val reason: String? = null,
) {
    constructor(rejected: Verdict.Rejected) : this(
        rejected.number,
        if (rejected.flaw == Flaw.UNREADABLE) UNREADABLE else REJECTED,
        rejected.reason,
    )

    constructor(aside: Aside, isHistoryKnown: Boolean) : this(
        aside.number,
        if (isHistoryKnown) OTHER_HISTORY else UNKNOWN_HISTORY,
        "step ${aside.step} of the run ${aside.run}",
    )
}

private fun restartFrom(discovery: Discovery): Restart =
    when (discovery) {
        is Discovery.Good -> Restart.GO_ON
        is Discovery.None -> Restart.FRESH
        is Discovery.DamagedOnly, is Discovery.Unsupported -> Restart.STOP
    }

private fun decisionOn(discovery: Discovery): String =
    when (discovery) {
        is Discovery.Good -> {
            "A restart goes on from save ${discovery.newest.number}."
        }

        is Discovery.None -> {
            "A program that starts now starts fresh: there is no checkpoint."
        }

        is Discovery.DamagedOnly -> {
            stopOn(discovery)
        }

        is Discovery.Unsupported -> {
            "A restart stops: save ${discovery.newest.number} is in a format that only a newer version of Cairn reads."
        }
    }

private fun stopOn(discovery: Discovery.DamagedOnly): String =
    when {
        discovery.aside.isNotEmpty() && !discovery.isHistoryKnown -> {
            "A restart stops: nothing readable tells what led to save ${discovery.rejected.first().number}. --from " +
                "${discovery.aside.first().number} would go on nevertheless."
        }

        discovery.aside.isNotEmpty() -> {
            "A restart stops: nothing is good that led to save ${discovery.rejected.first().number}. --from " +
                "${discovery.aside.first().number} would go on from another history."
        }

        discovery.rejected.any { it.flaw == Flaw.UNREADABLE } -> {
            "A restart stops: there are checkpoints, and none is good that can be read now."
        }

        else -> {
            "A restart stops: there are checkpoints, and none is good."
        }
    }

private const val ACCEPTED = "accepted"
private const val REJECTED = "rejected"
private const val UNREADABLE = "cannot be read now"
private const val UNSUPPORTED = "not readable by this version"
private const val OTHER_HISTORY = "of another history"
private const val UNKNOWN_HISTORY = "not known to have led to the newest"
private const val NONE = "no checkpoint, the save has not finished"
private const val DELETED = "no checkpoint, it was deleted"
private const val OLDER = "not looked at, a newer one decides"
