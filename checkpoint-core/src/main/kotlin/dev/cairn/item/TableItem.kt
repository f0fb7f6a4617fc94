package dev.cairn.item

import dev.cairn.checkpoint.FrameChecksums
import dev.cairn.checkpoint.ItemRecords
import dev.cairn.checkpoint.SnapshotMemory
import dev.cairn.checkpoint.TableOfContents
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.event.counted
import dev.cairn.ranks.Communicator
import dev.cairn.redistribution.CellDigest
import dev.cairn.redistribution.CellDigester
import dev.cairn.redistribution.Cells
import dev.cairn.redistribution.DigestFormula
import dev.cairn.redistribution.Runs
import dev.cairn.state.ElementType
import dev.cairn.state.PropertyChanges
import dev.cairn.state.elementTypeOf
import dev.cairn.store.Manifest
import dev.cairn.store.ManifestItem
import java.nio.ByteBuffer

/** The rule for a table's rows on another number of ranks. */
internal sealed interface TableRule {
    /** The restart is refused. */
    object Refuse : TableRule

    /** They are dealt to the new ranks in order, in nearly equal shares. */
    object PositionFree : TableRule

    /** Each row is sent to the rank that the program's function returns. */
    class Owned(val owners: RowOwners) : TableRule

    /** Each goes with the row of another table that holds it. */
    class Held(val holder: RowHolder) : TableRule
}

/** Rows of primitive values, of which each rank has any number. Each column is stored by itself. */
internal class TableItem(
    override val id: ItemName,
    private val source: TableSource<*>,
    private val rule: TableRule,
    private val ids: UniqueIds?,
    val changes: ColumnChanges,
) : RowItem {
    override val kind get() = TableKind

    val columns get() = source.columns

    val lists get() = source.lists

    val linked get() = source.linked

    override val keyCount get() = columns.size
    override val schema get() = Schema(kind.name, "row", emptyList(), columns.map { it.schema })

    override val terms
        get() =
            listOfNotNull(rule.javaClass.simpleName, ids?.let { "unique ids in '${it.column}'" }) +
                source.terms + changes.terms()

    override val layout: Map<String, String>
        get() = super.layout + (ids?.let { mapOf(LAYOUT_IDS to it.column) } ?: emptyMap()) + source.layout

    override val rankChange
        get() =
            when (rule) {
                is TableRule.Refuse -> RankChange.REFUSE
                is TableRule.PositionFree -> RankChange.POSITION_FREE
                is TableRule.Owned -> RankChange.OWNER
                is TableRule.Held -> checkNotNull(rule.holder.table.rankChange)
            }

    override val refusalWithoutRule get() = source.missingRule ?: kind.missingRule

    override val owners get() = (rule as? TableRule.Owned)?.owners
    override val holder get() = (rule as? TableRule.Held)?.holder

    override val isCheckedTogether get() = ids != null || source.mayLeadAway

    override fun savedObjects(): List<Any?> = saving { source.held() }

    override fun heldObject() = saving { source.heldObject() }

    override fun capture(rank: Int): Capture = CurrentRows(saving { source.rows() })

    override fun conversionFrom(stored: ManifestItem, manifest: Manifest, changes: PropertyChanges): Conversion {
        source.requireStoredKinds(stored, this.changes)
        val conversion = ColumnMatching(this, stored, manifest).fit()
        source.requireStoredAlike(stored, this.changes, changes)
        return conversion
    }

    /** If it is new since the save that was restored, refuses rows that lead to others which are no longer there. */
    override fun requireRestored() = if (isNew) requireNewRows() else restoring { source.requireTaken() }

    private fun requireNewRows() {
        if (!source.isLinked) return
        try {
            saving { source.rows() }
        } catch (unfit: InvalidDeclaration) {
            throw notFitting(
                name,
                "'$name' is new since the save that was restored, and its rows could not be saved now: if they lead " +
                    "to rows from before the restore, make them in afterRestore. " +
                    "(${unfit.message.orEmpty().removeSuffix(NOT_SAVED)})",
            )
        }
    }

    override val isOrdered get() = source.isOrdered

    private var isNew = true

    override fun beforeRestore() {
        isNew = true
    }

    override fun keep(rows: Rows) {
        isNew = false
        restoring { source.keep(asDeclared(rows)) }
    }

    override fun link() = restoring { source.link() }

    override fun give() = restoring { source.give() }

    override fun look() = restoring { source.look() }

    override fun release() = source.release()

    override fun asDeclared(rows: Rows): Rows {
        val arrays =
            columns.map { column ->
                val index = rows.columns.indexOfFirst { it.name == column.name }
                val isText = rows.columns.any { it.title == column.title } // One that is wider today ends where it did.
                when {
                    index >= 0 -> changes.translate(column, rows, index, source.isIn(column, rows))
                    isText -> column.create(rows.count)
                    else -> changes.create(column, rows.count)
                }
            }
        return Rows(columns, arrays.toMutableList(), rows.count)
    }

    /** Rows as the cells of their columns, of the program or of a copy. */
    private open inner class TableCapture(private val cells: List<Cells>, private val rowCount: Int) : Capture {
        override val elementCount get() = rowCount.toLong()
        override val parts =
            columns.mapIndexed { index, column -> ColumnPart(key + index, cells[index], column.type, rowCount) }

        override fun digestApart(formula: DigestFormula, written: List<TableOfContents.Entry>): CellDigest {
            val seen = columns.map { FrameChecksums() }
            val digest = formula.rows(cells, rowCount) { column, bytes -> seen[column].add(bytes) }
            val moved = written.indices.any { written[it].checksums != seen[it].finish() }
            if (moved) throw stateMoved(listOf(name))
            return digest
        }

        override fun copy(memory: SnapshotMemory): Capture? =
            memory.allOrNothing {
                val copies = parts.map { it.copy(memory) }
                if (null in copies) null else TableCapture(copies.filterNotNull(), rowCount)
            }
    }

    private inner class CurrentRows(private val rows: SavedRows) :
        TableCapture(columns.indices.map(rows::cells), rows.count) {
        override val listChecksums get() = rows.listChecksums

        override suspend fun check(ranks: Communicator) {
            ids?.check(ranks, rows)
            rows.away.forEach { it.check(ranks) }
        }
    }

    private class ColumnPart(
        override val key: Int,
        private val cells: Cells,
        private val type: ElementType,
        rowCount: Int,
    ) : SizedPart {
        override val size = rowCount.toLong() * type.size

        override fun read(start: Long, target: ByteBuffer, digester: CellDigester) {
            cells.copyTo(target, Runs.row(start / type.size, 0, target.remaining() / type.size))
            target.position(target.limit())
        }

        fun copy(memory: SnapshotMemory): Cells? {
            val room = memory.take(size) ?: return null
            var start = 0L
            for (piece in room) {
                val count = piece.remaining() / type.size
                cells.copyTo(piece, Runs.row(start, 0, count))
                start += count
            }
            return Cells.of(room, type.size)
        }
    }
}

/** The names of the items that hold what the lists in rows of tables hold: these get values with their tables. */
internal val List<StateItem>.listsOfRows: List<String>
    get() = filterIsInstance<TableItem>().flatMap { table -> table.lists.map { it.name } }

/** Rows, of which each rank has any number. The rule of a table determines their owners on another number of ranks. */
internal object TableKind : RuledKind("table", StoredForm.ROWS) {
    override val missingRule =
        MissingRule("a table", "Give it an owner, or declare it positionFree() if any rank may have any row")

    override fun isReadable(stored: ManifestItem) =
        stored.columns.isNotEmpty() && stored.columns.all { elementTypeOf(it.elementType) != null }

    /** Rows that stay on their rank come back in their order, and the program may depend on it. */
    override fun isOrdered(stored: ManifestItem) = RankChange.of(stored.layout) == RankChange.REFUSE

    override fun planOwn(item: ItemRecords, reads: RestartReads): String {
        addRows(item, reads)
        return EACH_FOR_ITSELF
    }

    override fun planMoved(item: ItemRecords, rule: RankChange, reads: RestartReads): String {
        val frameCount = addRows(item, reads)
        val next =
            when {
                LAYOUT_HOLDER in item.described.layout -> "with those that hold them"
                rule == RankChange.OWNER -> "and sent on to owners that the program names"
                else -> "in order"
            }
        return "${counted(frameCount, "frame")}, each read once; the rows are dealt $next"
    }

    /** Adds the reads of all columns, and returns the number of their frames. */
    private fun addRows(item: ItemRecords, reads: RestartReads): Long {
        val cellSizes = item.described.columns.map { checkNotNull(elementTypeOf(it.elementType)).size }
        val rowCounts = (0 until reads.oldCount).map { item.state.size(it, item.key) / cellSizes.first() }
        val layout = RowLayout(rowCounts, reads.newCount)
        return cellSizes.sumOf { cellSize ->
            val plan = layout.plan(cellSize)
            reads.add(plan, cellSize)
            plan.frameCount()
        }
    }
}
