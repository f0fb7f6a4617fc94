package dev.cairn.cli

import dev.cairn.grid.Decomposition
import dev.cairn.redistribution.Distribution
import dev.cairn.restore.StoredBytes
import dev.cairn.restore.StoredCheckpoint
import dev.cairn.restore.StoredField
import dev.cairn.restore.StoredItem
import dev.cairn.restore.StoredUnknown
import dev.cairn.sion.cli.Refusal
import dev.cairn.sion.cli.Shell
import kotlinx.serialization.Serializable
import picocli.CommandLine.Command
import picocli.CommandLine.Option
import picocli.CommandLine.Parameters

/** `cairn plan`: who would read what on another number of ranks. */
@Command(
    name = "plan",
    description = [
        "Says what each rank would read if a program restarted on M ranks.",
        "It deals the rows of every field to the ranks in nearly equal shares, and reads no data.",
    ],
    footer = ["", "Example: cairn plan heat.cairn --ranks 3"],
)
internal class PlanVerb(
    shell: Shell,
) : ReportVerb<RestartPlan>(shell, RestartPlan.serializer()) {
    @Option(names = ["--ranks"], paramLabel = "M", required = true, description = ["How many ranks would restart."])
    private var rankCount = 0

    @Parameters(
        paramLabel = "DIR[/NUMBER]",
        description = ["A checkpoint, or a directory for its newest good one."],
        converter = [Place.Converter::class],
    )
    private lateinit var place: Place

    override fun report(): RestartPlan {
        if (rankCount < 1) throw Refusal("a program has at least 1 rank, not $rankCount.")
        return shell.open(place).use { checkpoint ->
            val readers = List(rankCount) { Reader(it) }
            val items = checkpoint.items.map { PlannedItem(it.name, checkpoint.plan(it, readers)) }
            RestartPlan("${checkpoint.candidate.path}", checkpoint.manifest.rankCount, items, readers)
        }
    }

    override fun lines(report: RestartPlan): List<String> =
        listOf("${report.checkpoint}: from ${counted(report.savedRankCount, "rank")} to $rankCount") +
            report.items.map { "${it.name}: ${it.note}" } +
            "" +
            columns(listOf(HEAD) + report.readers.map { it.cells() })

    private fun StoredCheckpoint.plan(
        item: StoredItem,
        readers: List<Reader>,
    ): String =
        when (item) {
            is StoredField -> planField(item, readers)
            is StoredBytes -> if (item.isPerRank) planPrivate(item, readers) else planReplicated(item, readers)
            is StoredUnknown -> "a ${item.described.kind}, which this version does not know"
        }

    private fun planField(
        field: StoredField,
        readers: List<Reader>,
    ): String {
        val plan = field.planFor(Distribution.of(Decomposition.rows(field.shape, readers.size).boxes()))
        for (reader in readers) {
            for (number in plan.share(reader.rank).reads()) {
                val frame = plan.frame(number)
                reader.reads(frame.size.toLong())
                frame.pieces.forEach { piece ->
                    if (piece.rank != reader.rank) {
                        readers[piece.rank].receivedBytes += piece.cells.cellCount() * field.type.size
                    }
                }
            }
        }
        return "${counted(plan.frameCount(), "frame")}, each read once; then every rank gets its rows"
    }

    private fun planReplicated(
        item: StoredBytes,
        readers: List<Reader>,
    ): String {
        item.frameSizes(0).forEach { readers.first().reads(it) }
        readers.drop(1).forEach { it.receivedBytes += item.size(0) }
        return "read by rank 0, and sent to all"
    }

    private fun StoredCheckpoint.planPrivate(
        item: StoredBytes,
        readers: List<Reader>,
    ): String {
        if (manifest.rankCount != readers.size) {
            return "private to each of ${counted(
                manifest.rankCount,
                "rank",
            )}: the program must merge or drop it by a rule, " +
                "and without one the restart on ${readers.size} refuses; not counted below"
        }
        readers.forEach { reader -> item.frameSizes(reader.rank).forEach { reader.reads(it) } }
        return "read by each rank for itself"
    }

    private companion object {
        val HEAD = listOf("rank", "frames", "bytes read", "bytes from others")
    }
}

@Serializable
internal class RestartPlan(
    val checkpoint: String,
    val savedRankCount: Int,
    val items: List<PlannedItem>,
    val readers: List<Reader>,
)

@Serializable
internal class PlannedItem(
    val name: String,
    val note: String,
)

/** What one rank would do. */
@Serializable
internal class Reader(
    val rank: Int,
) {
    var frameCount = 0L
        private set
    var readBytes = 0L
        private set
    var receivedBytes = 0L

    fun reads(frameSize: Long) {
        frameCount++
        readBytes += frameSize
    }

    fun cells(): List<String> = listOf("$rank", "$frameCount", "$readBytes", "$receivedBytes")
}
