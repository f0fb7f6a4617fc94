package dev.cairn.cli

import dev.cairn.event.counted
import dev.cairn.item.PlannedItem
import dev.cairn.item.Reader
import dev.cairn.item.RestartReads
import dev.cairn.item.knownKind
import dev.cairn.reading.StoredItem
import kotlinx.serialization.Serializable
import picocli.CommandLine.Command
import picocli.CommandLine.ITypeConverter
import picocli.CommandLine.Option
import picocli.CommandLine.Parameters
import picocli.CommandLine.TypeConversionException

/** `cairn plan`: the reads of each rank on another number of ranks, or the items that would be refused. */
@Command(
    name = "plan",
    description = [
        "Predicts what each rank would read if a program restarted on M ranks, or the item that would be refused.",
        "It deals the rows of every field to the ranks in nearly equal shares, takes the rules of the " +
            "program that saved, and reads no data.",
    ],
    footer = [
        "",
        "Exit code 0: every item would be restored; 1: an item would be refused, or counts as refused because an " +
            "older version saved it without its rule.",
        "",
        "Example: cairn plan heat.cairn --ranks 3",
    ],
)
internal class PlanVerb(shell: Shell) : ReportVerb<RestartPlan>(shell, RestartPlan.serializer()) {
    @Option(
        names = ["--ranks"],
        paramLabel = "M",
        required = true,
        description = ["The number of ranks of the restart."],
        converter = [RankCount::class],
    )
    private var rankCount = 0

    @Parameters(paramLabel = "DIR[/NUMBER]", description = [Place.OR_NEWEST])
    private lateinit var place: Place

    override fun report(): RestartPlan =
        shell.open(place).use { checkpoint ->
            val reads = RestartReads(checkpoint.manifest.rankCount, rankCount)
            val items = checkpoint.items.map(reads::plan)
            RestartPlan("${checkpoint.candidate.path}", checkpoint.manifest.rankCount, items, reads.readers)
        }

    override fun lines(report: RestartPlan): List<String> =
        listOf("${report.checkpoint}: from ${counted(report.savedRankCount, "rank")} to $rankCount") +
            report.items.map { "${it.name}: ${it.note}" } +
            "" +
            columns(listOf(HEAD) + report.readers.map(::cells))

    override fun isYes(report: RestartPlan): Boolean = report.items.none { it.isRefused }

    private fun cells(reader: Reader) =
        listOf(reader.rank, reader.frameCount, reader.readBytes, reader.receivedBytes).map { "$it" }
}

private val HEAD = listOf("rank", "frames", "bytes read", "bytes from others")

/** What the kind of [item] says that these ranks would read of it. */
internal fun RestartReads.plan(item: StoredItem): PlannedItem =
    item.described.knownKind()?.plan(item.records, this)
        ?: PlannedItem(item.name, "a ${item.kind}, a kind that only a newer version can read")

/** How many ranks a program has. */
internal class RankCount : ITypeConverter<Int> {
    override fun convert(text: String): Int =
        text.toIntOrNull()?.takeIf { it > 0 }
            ?: throw TypeConversionException("a program has at least 1 rank, not '$text'")
}

@Serializable
internal class RestartPlan(
    val checkpoint: String,
    val savedRankCount: Int,
    val items: List<PlannedItem>,
    val readers: List<Reader>,
)
