package dev.cairn.cli

import dev.cairn.event.sentence
import dev.cairn.item.sizeOf
import dev.cairn.reading.StoredSave
import dev.cairn.reading.requireIndex
import dev.cairn.run.KeptOutputs
import dev.cairn.store.InstantText
import kotlinx.serialization.Serializable
import picocli.CommandLine.Command
import picocli.CommandLine.Option
import picocli.CommandLine.Parameters
import java.io.IOException
import java.nio.file.Path
import java.time.Instant

/** `cairn ls`: the saves in a directory of checkpoints. */
@Command(
    name = "ls",
    description = [
        "Lists the saves in a directory, oldest first.",
        "It reads names and manifests only, so 'good' means only that the save was finished, its manifest is whole, " +
            "and its files exist; 'cairn verify' reads the rest. Saves with the same letters under 'run' belong to " +
            "one run. Below them are outputs that are kept for saves which a restart has passed over.",
    ],
    footer = ["", "Example: cairn ls heat.cairn"],
)
internal class LsVerb(shell: Shell) : ReportVerb<Listing>(shell, Listing.serializer()) {
    @Option(names = ["--deep"], description = ["Reads the tables of contents, too."])
    private var isDeep = false

    @Parameters(paramLabel = "DIR", description = ["A directory of checkpoints."])
    private lateinit var directory: Path

    override fun report(): Listing {
        val checkpoints = shell.checkpointsIn(directory)
        val saves = if (isDeep) checkpoints.saves { shell.store().requireIndex(it) } else checkpoints.saves()
        return try {
            Listing("$directory", ListedSave.of(saves), keptOutputs())
        } catch (unfit: IOException) {
            Listing("$directory", ListedSave.of(saves), keptOutputsFlaw = unfit.sentence())
        }
    }

    private fun keptOutputs(): List<ListedOutput> {
        val files = shell.store()
        return KeptOutputs(files, shell.storeIn(directory)).present().map {
            ListedOutput(it.file, files.sizeOf(it.path), it.number)
        }
    }

    override fun lines(report: Listing): List<String> {
        val saves = if (report.saves.isEmpty()) listOf("${report.store} holds no saves") else columns(report.rows())
        return saves + report.keptOutputs.map { it.line() } + listOfNotNull(report.keptOutputsFlaw)
    }
}

/** @property keptOutputsFlaw why the kept outputs cannot be listed; null if they can */
@Serializable
internal class Listing(
    val store: String,
    val saves: List<ListedSave>,
    val keptOutputs: List<ListedOutput> = emptyList(),
    val keptOutputsFlaw: String? = null,
) {
    /** The head and a row for each save. Most programs have no parameters, and then there is no column for them. */
    fun rows(): List<List<String>> {
        val rows = listOf(ListedSave.HEAD) + saves.map { it.cells() }
        if (saves.any { it.parameters.isNotEmpty() }) return rows
        return rows.map { row -> row.filterIndexed { column, _ -> ListedSave.HEAD[column] != ListedSave.PARAMETERS } }
    }
}

/** A file of an output that is kept for the save [number]. */
@Serializable
internal class ListedOutput(val file: String, val byteCount: Long, val number: Int) {
    fun line() = "$file  $byteCount bytes  kept for save $number"
}

@Serializable
internal class ListedSave(
    val number: Int,
    val state: String,
    val reason: String? = null,
    val isPinned: Boolean = false,
    val step: Long? = null,
    val phase: String? = null,
    val run: String? = null,
    @Serializable(with = InstantText::class) val time: Instant? = null,
    val rankCount: Int? = null,
    val byteCount: Long? = null,
    val parameters: Map<String, String> = emptyMap(),
) {
    fun cells(): List<String> =
        listOf(
            number,
            step,
            phase,
            time,
            run?.take(RUN_LENGTH),
            rankCount,
            byteCount,
            "pinned".takeIf { isPinned },
            textOfParameters(),
            if (reason == null) state else "$state: $reason",
        ).map { it?.toString().orEmpty() }

    private fun textOfParameters(): String {
        val all = parameters.entries.joinToString { (name, value) -> "$name = ${value.replace(CONTROLS, "?")}" }
        return if (all.length > PARAMETERS_LENGTH) all.take(PARAMETERS_LENGTH - 1) + "…" else all
    }

    companion object {
        const val PARAMETERS = "parameters"

        val HEAD = listOf("save", "step", "phase", "time", "run", "ranks", "bytes", "pinned", PARAMETERS, "state")

        private const val ON_HOSTS = "on its hosts"

        /** Enough for a few short ones; the JSON report and `cairn info` have them whole. */
        private const val PARAMETERS_LENGTH = 60

        private val CONTROLS = Regex("\\p{Cntrl}")

        /** Enough of a run's name to distinguish it; the JSON report has the whole name. */
        private const val RUN_LENGTH = 8

        /** The lines of all [saves] in a store. */
        fun of(saves: List<StoredSave>): List<ListedSave> = saves.map { of(it, saves) }

        private fun of(save: StoredSave, all: List<StoredSave>): ListedSave =
            when (save) {
                is StoredSave.Good -> good(save)
                is StoredSave.Sealed -> ListedSave(save.number, ON_HOSTS, all.prospectOf(save.number), step = save.step)
                else -> ListedSave(save.number, save.state.inWords, save.reason, save.isPinned)
            }

        private fun good(save: StoredSave.Good) =
            with(save) {
                ListedSave(number, "good", null, isPinned, step, phase, run, time, rankCount, byteCount, parameters)
            }
    }
}
