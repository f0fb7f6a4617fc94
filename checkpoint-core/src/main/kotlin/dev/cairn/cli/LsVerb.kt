package dev.cairn.cli

import dev.cairn.reading.readContents
import dev.cairn.sion.cli.Shell
import dev.cairn.store.CheckpointStore
import dev.cairn.store.Entry
import dev.cairn.store.InstantText
import dev.cairn.store.Verdict
import kotlinx.serialization.Serializable
import picocli.CommandLine.Command
import picocli.CommandLine.Option
import picocli.CommandLine.Parameters
import java.nio.file.Path
import java.time.Instant

/** `cairn ls`: what lies in a directory of checkpoints. */
@Command(
    name = "ls",
    description = [
        "Lists the saves in a directory, oldest first.",
        "It looks at manifests only, so 'good' means no more than that the save was finished and its manifest",
        "is whole; 'cairn verify' reads the rest.",
    ],
    footer = ["", "Example: cairn ls heat.cairn"],
)
internal class LsVerb(
    shell: Shell,
) : ReportVerb<Listing>(shell, Listing.serializer()) {
    @Option(names = ["--deep"], description = ["Looks at the tables of contents, too."])
    private var isDeep = false

    @Parameters(paramLabel = "DIR", description = ["A directory of checkpoints."])
    private lateinit var directory: Path

    override fun report(): Listing {
        val store = shell.storeIn(directory)
        val saves = store.survey().entries.filterIsInstance<Entry.Numbered>()
        return Listing(directory.toString(), saves.map { line(store, it) })
    }

    override fun lines(report: Listing): List<String> =
        if (report.saves.isEmpty()) {
            listOf("${report.store} holds no saves")
        } else {
            columns(listOf(HEAD) + report.saves.map { it.cells() })
        }

    private fun line(
        store: CheckpointStore,
        entry: Entry.Numbered,
    ): ListedSave =
        when (val verdict = store.judge(entry) { if (isDeep) shell.store().readContents(it) }) {
            is Verdict.Accepted -> {
                good(verdict)
            }

            is Verdict.Rejected -> {
                ListedSave(
                    entry.number,
                    "damaged",
                    verdict.reason,
                    entry is Entry.Save && entry.isPinned,
                )
            }

            is Verdict.Unsupported -> {
                ListedSave(
                    entry.number,
                    "not readable by this version",
                    verdict.failure.message,
                    entry is Entry.Save && entry.isPinned,
                )
            }

            null -> {
                ListedSave(entry.number, "unfinished", (entry as? Entry.Unfinished)?.failure)
            }
        }

    private fun good(verdict: Verdict.Accepted): ListedSave {
        val manifest = verdict.candidate.manifest
        return ListedSave(
            number = verdict.candidate.number,
            state = "good",
            isPinned = verdict.candidate.isPinned,
            step = manifest.step,
            phase = manifest.phase,
            time = manifest.time,
            rankCount = manifest.rankCount,
            byteCount = manifest.items.sumOf { it.byteCount },
        )
    }

    private companion object {
        val HEAD = listOf("save", "step", "time", "ranks", "bytes", "pinned", "state")
    }
}

@Serializable
internal class Listing(
    val store: String,
    val saves: List<ListedSave>,
)

@Serializable
internal class ListedSave(
    val number: Int,
    val state: String,
    val reason: String? = null,
    val isPinned: Boolean = false,
    val step: Long? = null,
    val phase: String? = null,
    @Serializable(with = InstantText::class) val time: Instant? = null,
    val rankCount: Int? = null,
    val byteCount: Long? = null,
) {
    fun cells(): List<String> =
        listOf(
            "$number",
            text(step),
            text(time),
            text(rankCount),
            text(byteCount),
            if (isPinned) "pinned" else "",
            if (reason == null) state else "$state: $reason",
        )

    private fun text(value: Any?) = value?.toString() ?: ""
}
