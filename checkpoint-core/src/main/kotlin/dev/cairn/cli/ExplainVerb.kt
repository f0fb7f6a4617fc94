package dev.cairn.cli

import dev.cairn.event.counted
import dev.cairn.item.knownKind
import dev.cairn.reading.requireRestorable
import dev.cairn.store.CheckpointStore
import dev.cairn.store.Discovery
import dev.cairn.store.Entry
import dev.cairn.store.Flaw
import dev.cairn.store.Manifest
import dev.cairn.store.ManifestItem
import dev.cairn.store.Verdict
import dev.cairn.store.observe
import kotlinx.serialization.Serializable
import picocli.CommandLine.Command
import picocli.CommandLine.Parameters
import java.nio.file.Path

/** `cairn explain`: the decision of a program that starts now. */
@Command(
    name = "explain",
    description = [
        "Predicts what a restart would do, and gives the reasons.",
        "It examines the saves as a restart does, newest first, and reads the same data of each, until one is good.",
    ],
    footer = [
        "",
        "Only the program can check whether the items fit it; 'cairn plan' shows what depends on the " +
            "rank count.",
        "",
        "Exit code 0: it would continue, or start fresh; 1: it would stop, because no checkpoint is good.",
        "",
        "Example: cairn explain heat.cairn",
    ],
)
internal class ExplainVerb(shell: Shell) : ReportVerb<Explanation>(shell, Explanation.serializer()) {
    @Parameters(paramLabel = "DIR", description = ["A directory of checkpoints."])
    private lateinit var directory: Path

    override fun report(): Explanation = shell.explain(directory)

    override fun lines(report: Explanation): List<String> =
        report.saves.map { "save ${it.number}: ${it.verdict}" + (it.reason?.let { reason -> ": $reason" } ?: "") } +
            report.foreign.map { "$it: ignored, Cairn did not make it" } +
            listOfNotNull(report.orderInWords) +
            report.decision

    override fun isYes(report: Explanation): Boolean = report.restart != Restart.STOP
}

/** What a program does that starts now, with its checkpoints in [directory]. */
internal fun Shell.explain(directory: Path): Explanation {
    val store = storeIn(directory)
    return store.observe(isSure = { it.isSure }) { survey ->
        val discovery = store.discover(survey) { store().requireRestorable(it) }
        val foreign = survey.entries.filterIsInstance<Entry.Foreign>().map { it.path.fileName.toString() }
        val saves = survey.numbered.map { consider(it, discovery, store) }
        val sealed = survey.newestSealed ?: return@observe Explanation("$directory", saves, foreign, discovery)
        // Throws if the seal is damaged, as a restart does.
        val manifest = store.read(sealed).manifest
        val decision = decisionOn(manifest, OnHosts.of(store(), sealed, manifest))
        Explanation("$directory", saves, foreign, Restart.GO_ON, decision)
    }
}

/** Whether nothing in it changes if saves were deleted meanwhile: it goes on, and calls no save bad. */
private val Explanation.isSure: Boolean
    get() = restart == Restart.GO_ON && saves.none { it.verdict == REJECTED || it.verdict == UNREADABLE }

private fun consider(entry: Entry.Numbered, discovery: Discovery, store: CheckpointStore): ConsideredSave {
    val number = entry.number
    val rejected = discovery.rejected.find { it.number == number }
    val aside = discovery.aside.find { it.number == number }
    val last = discovery.last
    return when {
        rejected != null -> ConsideredSave(number, rejected.inWords, rejected.reason)
        aside != null -> ConsideredSave(number, discovery.ofAside, aside.manifest.run { "step $step of the run $run" })
        number == last?.number -> last
        entry is Entry.Save && last != null && number < last.number -> ConsideredSave(number, OLDER)
        entry is Entry.Sealed -> consider(entry, newest = (discovery as? Discovery.Good)?.newest?.number)
        entry is Entry.Deleted -> ConsideredSave(number, DELETED)
        else -> ConsideredSave(number, "no checkpoint, ${store.lackOf(entry)}", (entry as? Entry.Unfinished)?.failure)
    }
}

private fun consider(sealed: Entry.Sealed, newest: Int?): ConsideredSave {
    val isOlder = newest != null && newest > sealed.number
    return ConsideredSave(sealed.number, if (isOlder) notNeeded(newest) else SEALED)
}

private val Verdict.Rejected.inWords get() = if (flaw == Flaw.UNREADABLE) UNREADABLE else REJECTED

private val Discovery.ofAside get() = if (isHistoryKnown) OTHER_HISTORY else UNKNOWN_HISTORY

/** The save that determines the action of a restart; null if none does. */
private val Discovery.last: ConsideredSave?
    get() =
        when (this) {
            is Discovery.Good -> ConsideredSave(newest.number, ACCEPTED, newest.manifest.placeInRun)
            is Discovery.NoneGood -> unsupported?.let { ConsideredSave(it.number, UNSUPPORTED, it.failure.message) }
            is Discovery.None -> null
        }

/** For people. */
internal val Manifest.placeInRun: String get() = "step $step of ${counted(rankCount, "rank")}"

/** The decision of a program that starts now. */
internal enum class Restart { GO_ON, FRESH, STOP }

@Serializable
internal class Explanation(
    val store: String,
    val saves: List<ConsideredSave>,
    val foreign: List<String>,
    val restart: Restart,
    val decision: String,
    val order: List<OrderedItems> = emptyList(),
) {
    /** The order in which items come back; null if the restart brings none back, or if the checkpoint is not read yet. */
    val orderInWords: String?
        get() = if (order.isEmpty()) null else "Items come back in this order: ${order.joinToString("; ")}."

    constructor(store: String, saves: List<ConsideredSave>, foreign: List<String>, discovery: Discovery) :
        this(store, saves, foreign, restartFrom(discovery), decisionOn(discovery), orderOf(discovery))
}

/** Items that come back in the same turn of a restore, in the order in which the program that saved them declares them. */
@Serializable
internal class OrderedItems(val turn: String, val items: List<String>) {
    override fun toString(): String = "$turn ${items.joinToString { "'$it'" }}"
}

/** The program may have declared them in another order since; items of kinds that only a newer version knows are left out. */
private fun orderOf(discovery: Discovery): List<OrderedItems> {
    if (discovery !is Discovery.Good) return emptyList()
    return discovery.newest.manifest.items
        .groupBy { it.knownKind()?.form?.turn }
        .mapNotNull { (turn, items) -> turn?.let { it to items.map(ManifestItem::name) } }
        .sortedBy { (turn) -> turn }
        .map { (turn, names) -> OrderedItems(turn.title, names) }
}

@Serializable
internal class ConsideredSave(val number: Int, val verdict: String, val reason: String? = null)

private fun restartFrom(discovery: Discovery): Restart =
    when (discovery) {
        is Discovery.Good -> Restart.GO_ON
        is Discovery.None -> Restart.FRESH
        is Discovery.NoneGood -> Restart.STOP
    }

private fun decisionOn(manifest: Manifest, onHosts: OnHosts): String {
    val number = manifest.save
    val needed = onHosts.files.filter { !it.isDrained }
    val condition = conditionOf(manifest) + onHosts.doubt?.let { " $it" }.orEmpty()
    if (needed.isEmpty()) {
        return "A restart verifies the files of save $number, which are all here, commits it and continues from it. " +
            "For a file that is not good it needs a host that has it, and the same setting local.$condition"
    }
    return "A restart with the same setting local that finds ${needed.joinToString()} commits save $number and " +
        "continues from it. Any other restart stops, unless lost-local is go-on.$condition"
}

/** A sentence on the parameters that a program must have to continue from this save; empty if there are none. */
private fun conditionOf(manifest: Manifest): String {
    if (manifest.parameters.isEmpty()) return ""
    return " It is refused if the program is started with other parameters than " +
        "${manifest.parameters.joinToString()} and does not allow the change."
}

private fun decisionOn(discovery: Discovery): String =
    when (discovery) {
        is Discovery.Good -> continuing(discovery.newest.manifest)
        is Discovery.None -> "A program that starts now starts fresh: there is no checkpoint."
        is Discovery.NoneGood -> "A restart stops: ${obstacleIn(discovery)}"
    }

private fun continuing(manifest: Manifest) = "A restart continues from save ${manifest.save}.${conditionOf(manifest)}"

private fun obstacleIn(discovery: Discovery.NoneGood): String {
    discovery.unsupported?.let { return "save ${it.number} is in a format that only a newer version of Cairn reads." }
    val newest = discovery.rejected.first().number
    val other = discovery.aside.firstOrNull()?.number
    if (other != null && !discovery.isHistoryKnown) {
        return "no readable data tell which saves led to save $newest. --from $other would continue nevertheless."
    }
    if (other != null) {
        return "no checkpoint is good that led to save $newest. --from $other would continue from another history."
    }
    val isUnreadable = discovery.rejected.any { it.flaw == Flaw.UNREADABLE }
    return "there are checkpoints, but ${if (isUnreadable) "no good one can be read now" else "none is good"}."
}

private const val ACCEPTED = "accepted"
private const val REJECTED = "rejected"
private const val UNREADABLE = "cannot be read now"
private const val UNSUPPORTED = "not readable by this version"
private const val OTHER_HISTORY = "of another history"
private const val UNKNOWN_HISTORY = "not known to have led to the newest"
private const val SEALED = "complete on the disks of its hosts, and not committed"
private const val DELETED = "no checkpoint, since it was deleted"
private const val OLDER = "not examined, a newer one decides"
