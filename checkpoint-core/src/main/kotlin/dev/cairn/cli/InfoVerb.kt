package dev.cairn.cli

import dev.cairn.checkpoint.describedColumns
import dev.cairn.event.counted
import dev.cairn.options.withoutSettings
import dev.cairn.reading.StoredCheckpoint
import dev.cairn.reading.StoredItem
import dev.cairn.store.CheckpointStore
import dev.cairn.store.Entry
import dev.cairn.store.Manifest
import dev.cairn.store.ManifestItem
import dev.cairn.store.observe
import kotlinx.serialization.Serializable
import picocli.CommandLine.Command
import picocli.CommandLine.Parameters

/** `cairn info`: the description of a checkpoint. */
@Command(
    name = "info",
    description = ["Shows the origin of a checkpoint, its items, and the ranks that wrote them."],
    footer = ["", "Example: cairn info heat.cairn 7"],
)
internal class InfoVerb(shell: Shell) : ReportVerb<Description>(shell, Description.serializer()) {
    @Parameters(index = "0", paramLabel = "DIR[/NUMBER]", description = [Place.OR_NEWEST])
    private lateinit var place: Place

    @Parameters(index = "1", arity = "0..1", paramLabel = "NUMBER", description = [Place.NUMBER])
    private var number: Int? = null

    override fun report(): Description {
        val save = shell.locate(place, number)
        val store = shell.storeIn(save.directory)
        val sealed = store.survey().sealed.find { it.number == save.number } ?: return describe(save)
        return store.observe(sealed) { if (it is Entry.Sealed) describe(it, store) else describe(save) }
            ?: describe(save)
    }

    private fun describe(save: Place) =
        shell.open(save).use { checkpoint ->
            val writers = checkpoint.items.map { checkpoint.writersOf(it) }
            val classes = checkpoint.storedClasses()
            checkpoint.candidate.run { Description("$path", isPinned, stored.digest, manifest, writers, classes) }
        }

    private fun describe(sealed: Entry.Sealed, store: CheckpointStore): Description {
        val stored = store.read(sealed)
        val newest = store.survey().saves.firstOrNull { store.readOrNull(it) != null }
        val newer = newest?.number?.takeIf { it > sealed.number }
        val onHosts = OnHosts.of(shell.store(), sealed, stored.manifest, newer)
        return Description("${sealed.path}", isPinned = false, stored.digest, stored.manifest, onHosts = onHosts)
    }

    override fun lines(report: Description): List<String> {
        val items = columns(listOf(HEAD) + report.manifest.items.zip(report.writers, ::cells))
        return head(report) + "" + (report.onHosts?.lines() ?: (items + report.classes.flatMap { it.lines() }))
    }

    private fun head(report: Description): List<String> {
        val manifest = report.manifest
        val facts =
            listOf(
                title(report),
                listOf("step", "${manifest.step}".plus(if (manifest.phase.isEmpty()) "" else " of ${manifest.phase}")),
                listOf("time", "${manifest.time}"),
                listOf("run", manifest.run + (manifest.parent?.let { ", after save $it" } ?: ", its first save")),
                listOf("ranks", "${manifest.rankCount}"),
                listOf("data", "${manifest.hints.firstFile}, ${counted(manifest.hints.fileCount, "file")}"),
                listOf("contents", manifest.contents),
                listOf("manifest", report.digest),
            ) + manifest.parameters.map { listOf("parameter", "$it") } +
                withoutSettings(manifest.provenance).map { (name, value) -> listOf(name, value) }
        val width = facts.maxOf { it[0].length }
        return facts.map { (name, value) -> "${name.padEnd(width)}  $value" }
    }

    private fun title(report: Description): List<String> {
        val place = report.onHosts?.place
        return when {
            place != null -> listOf("sealed", "${report.directory}, no checkpoint${yet(report)}: $place")
            report.isPinned -> listOf("checkpoint", "${report.directory}, pinned")
            else -> listOf("checkpoint", report.directory)
        }
    }

    private fun yet(report: Description) = if (report.onHosts?.newer == null) " yet" else ""

    private fun cells(item: ManifestItem, writers: Writers) =
        listOf(
            item.name,
            item.kind,
            item.elementType,
            item.shape.joinToString("x"),
            "${item.elementCount}",
            "${item.byteCount}",
            item.digest,
            "$writers" + columnsOf(item) + item.layout.map { (name, value) -> "; $name: $value" }.joinToString(""),
        )

    private fun columnsOf(item: ManifestItem): String =
        if (item.columns.isEmpty()) "" else "; ${item.describedColumns()}"
}

private val HEAD = listOf("item", "kind", "type", "shape", "elements", "bytes", "digest", "written by")

@Serializable
internal class Description(
    val directory: String,
    val isPinned: Boolean,
    val digest: String,
    val manifest: Manifest,
    val writers: List<Writers> = emptyList(),
    val classes: List<StoredClasses> = emptyList(),
    val onHosts: OnHosts? = null,
)

/** The writers of an item: the number of ranks, the total number of boxes, and the range of their bytes. */
@Serializable
internal class Writers(
    val item: String,
    val rankCount: Int,
    val boxCount: Int,
    val leastBytes: Long,
    val mostBytes: Long,
) {
    override fun toString(): String =
        counted(rankCount, "rank") +
            (if (boxCount == 0) "" else ", ${counted(boxCount, "box", "boxes")}") +
            ", " + bytes()

    private fun bytes(): String =
        when {
            leastBytes < mostBytes -> "$leastBytes to $mostBytes bytes each"
            rankCount == 1 -> counted(mostBytes, "byte")
            else -> "${counted(mostBytes, "byte")} each"
        }
}

private fun StoredCheckpoint.writersOf(item: StoredItem): Writers {
    val sizes = (0 until item.rankCount).map(item::size).filter { it > 0 }
    val boxCount = state.contents.entries(item.key).sumOf { it.value.boxes.size }
    return Writers(item.name, sizes.size, boxCount, sizes.minOrNull() ?: 0, sizes.maxOrNull() ?: 0)
}
