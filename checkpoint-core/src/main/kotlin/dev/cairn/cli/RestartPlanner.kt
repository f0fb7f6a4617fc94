package dev.cairn.cli

import dev.cairn.contents.TableOfContents
import dev.cairn.grid.Decomposition
import dev.cairn.item.Coverage
import dev.cairn.item.OutputItem
import dev.cairn.item.PerRankItem
import dev.cairn.item.RankChange
import dev.cairn.reading.StoredBytes
import dev.cairn.reading.StoredField
import dev.cairn.reading.StoredItem
import dev.cairn.reading.StoredTable
import dev.cairn.reading.StoredUnknown
import dev.cairn.redistribution.Distribution
import dev.cairn.redistribution.FieldPlan
import dev.cairn.restore.RowLayout
import dev.cairn.state.dealt
import dev.cairn.text.counted
import kotlinx.serialization.Serializable

/** Works out what each of [newCount] ranks would read of the items of [oldCount] ranks, from tables of contents alone. */
internal class RestartPlanner(
    private val oldCount: Int,
    private val newCount: Int,
) {
    val readers: List<Reader> = List(newCount) { Reader(it) }

    private val isSameCount = oldCount == newCount
    private val ofOldRanks = "of ${counted(oldCount, "rank")}"

    /** Adds what the [readers] would do for [item]. */
    fun plan(item: StoredItem): PlannedItem =
        when {
            item is StoredUnknown -> item.planned("a ${item.described.kind} of what only a newer version knows")
            item is StoredField -> item.planned(planField(item))
            item is StoredBytes && !item.isPrivate -> item.planned(planShared(item))
            isSameCount -> item.planned(planOwn(item))
            else -> planByRule(item)
        }

    private fun planField(field: StoredField): String {
        val plan = field.planFor(Distribution.of(Decomposition.rows(field.shape, newCount).boxes()))
        count(plan, field.elementType.size)
        val share = if (field.coverage == Coverage.SPARSE) "what was stored of its rows" else "its rows"
        return "${counted(plan.frameCount(), "frame")}, each read once; then every rank gets $share"
    }

    private fun planShared(item: StoredBytes): String {
        readers.first().reads(item.size(0))
        if (item.described.kind == OutputItem.KIND) return "read by rank 0, which cuts the file back"
        readers.drop(1).forEach { it.receivedBytes += item.size(0) }
        return "read by rank 0, and sent to all"
    }

    private fun planOwn(item: StoredItem): String {
        if (item is StoredTable) countRows(item) else readers.forEach { it.reads(item.size(it.rank)) }
        return "read by each rank for itself"
    }

    private fun planByRule(item: StoredItem): PlannedItem =
        when (item.rule) {
            RankChange.DROP -> item.planned("not read: on another number of ranks it is dropped")
            RankChange.REFUSE -> item.refused("the program that saved it had no rule for $newCount")
            null -> item.refused("the program must have a rule for $newCount, and the checkpoint does not tell it")
            else -> item.planned(planMoved(item))
        }

    private fun planMoved(item: StoredItem): String =
        when {
            item is StoredTable -> {
                val frameCount = countRows(item)
                val isOwned = item.rule == RankChange.OWNER
                val next = if (isOwned) "and sent on to owners whom the program names" else "in order"
                "${counted(frameCount, "frame")}, each read once; the rows are dealt $next"
            }

            item.described.kind == PerRankItem.ACCUMULATOR -> {
                (0 until oldCount).forEach { readers.first().reads(item.size(it)) }
                "those $ofOldRanks read and merged by rank 0"
            }

            else -> {
                readers.forEach { reader ->
                    dealt(oldCount, reader.rank, newCount).forEach { reader.reads(item.size(it)) }
                }
                "those $ofOldRanks dealt in order, and ${if (item.rule == RankChange.MERGE) "merged" else "read"}"
            }
        }

    /** Adds how the rows of [table] are read, which is how many frames. */
    private fun countRows(table: StoredTable): Long {
        val layout = RowLayout((0 until oldCount).map(table::rowCount), newCount)
        return table.columns.sumOf { column ->
            val plan = layout.plan(column.elementType.size)
            count(plan, column.elementType.size)
            plan.frameCount()
        }
    }

    private fun count(
        plan: FieldPlan,
        cellSize: Int,
    ) {
        for (reader in readers) {
            for (number in plan.share(reader.rank).reads()) {
                val frame = plan.frame(number)
                reader.reads(frame.size.toLong())
                frame.pieces.filter { it.rank != reader.rank }.forEach { piece ->
                    readers[piece.rank].receivedBytes += piece.cells.cellCount() * cellSize
                }
            }
        }
    }

    private fun StoredItem.planned(note: String) = PlannedItem(name, note)

    private fun StoredItem.refused(reason: String) =
        PlannedItem(name, "refused: it is private to each $ofOldRanks, and $reason", isRefused = true)
}

/** What becomes of one item, in a sentence. */
@Serializable
internal class PlannedItem(
    val name: String,
    val note: String,
    val isRefused: Boolean = false,
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

    /** Reads that many bytes in a row. */
    fun reads(size: Long) {
        frameCount += TableOfContents.frameCount(size)
        readBytes += size
    }

    fun cells(): List<String> = listOf("$rank", "$frameCount", "$readBytes", "$receivedBytes")
}
