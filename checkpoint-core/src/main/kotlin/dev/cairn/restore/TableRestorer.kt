package dev.cairn.restore

import dev.cairn.checkpoint.FramePool
import dev.cairn.checkpoint.StoredState
import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.event.counted
import dev.cairn.grid.Box
import dev.cairn.item.CellBlock
import dev.cairn.item.Column
import dev.cairn.item.RowExchange
import dev.cairn.item.RowItem
import dev.cairn.item.RowLayout
import dev.cairn.item.RowOwners
import dev.cairn.item.Rows
import dev.cairn.item.restoring
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.collectively

/**
 * Restores the rows of one table. Each rank reads its share of every column. If the rows have owners, they are then sent to
 * them, column by column: beside the rows themselves, at most one column is in memory a second time, and those that count held rows.
 *
 * @param held on another number of ranks, how the rows of the share are held by those of another table; null if they are not
 */
internal class TableRestorer(
    private val ranks: Communicator,
    private val stored: StoredState,
    private val match: Match<RowItem>,
    private val layout: RowLayout,
    private val held: HeldRows?,
    private val pool: FramePool,
) {
    private val table = match.item

    /** In the order in which they are stored. */
    private val columns: List<Column<*>> = match.conversion.columns

    private val isOtherCount = stored.contents.tables.size != ranks.size

    private lateinit var share: Rows
    private var owners: IntArray? = null

    /** Collective: reads the share of this rank. In its columns [counting] are the numbers of rows that each row holds. */
    suspend fun readShare(counting: List<String>): RowShare {
        val box = layout.share(ranks.rank)
        val count = box?.cellCount() ?: 0
        val rows = runCatching { Rows(columns, create(count), count.toInt()) }
        val planned = rows.mapCatching { created -> columns.indices.map { columnRestorer(it, created, box) } }
        ranks.exchangeFrames("read '${table.name}'", planned)
        share = rows.getOrThrow()
        owners = if (isOtherCount) findOwners() else null
        return RowShare(counting.associateWith { share.array(it) as IntArray }, owners)
    }

    /** Collective: the rows that go to this rank. */
    suspend fun rows(): Rows = owners?.let { sendToOwners(it) } ?: share

    private fun create(count: Long): MutableList<Any> {
        require(count <= MOST_ROWS) {
            "a share of '${table.name}' has $count rows, but an array holds at most $MOST_ROWS: use more ranks"
        }
        return columns.map { it.create(count.toInt()) }.toMutableList()
    }

    private fun columnRestorer(index: Int, share: Rows, box: Box?): FieldRestorer {
        val widening = match.conversion.widenings[index]
        val cells = StoredCells("${table.name}.${columns[index].name}", match.storedKey + index, widening.narrowSize)
        val block = box?.let { CellBlock(it, it, share.cells(index)).storedAs(widening) }
        val plan = layout.plan(widening.narrowSize)
        return FieldRestorer(ranks.rank, stored, cells, listOfNotNull(block), plan, pool)
    }

    private suspend fun findOwners(): IntArray? {
        if (held == null && table.owners == null) return null
        return ranks.collectively("find the owners of '${table.name}'") {
            held?.owners ?: table.owners?.let { ownersOf(share, it) }
        }
    }

    /** The arrays of the [share] are replaced one by one, so that the old ones can be collected. */
    private suspend fun sendToOwners(owners: IntArray): Rows {
        val exchange = RowExchange.of(ranks, table.name, owners)
        for ((index, column) in columns.withIndex()) {
            val array = column.create(exchange.incomingCount)
            exchange.move(share.cells(index), column.cells(array))
            share.arrays[index] = array
        }
        return Rows(columns, share.arrays, exchange.incomingCount)
    }

    private fun ownersOf(share: Rows, owners: RowOwners): IntArray {
        val declared = table.asDeclared(share)
        val owners =
            table.restoring {
                val ownerOf = owners(declared, ranks.size)
                IntArray(share.count) { row -> ownerOf(row) }
            }
        owners.find { it !in 0 until ranks.size }?.let {
            throw InvalidDeclaration(
                Details(
                    "the owner of a row of the table '${table.name}' should be a rank from 0 to ${ranks.size - 1}, " +
                        "but its owner function returns $it. It is called with ${counted(ranks.size, "rank")}: let " +
                        "it return one of these.",
                    listOf(table.name),
                ),
            )
        }
        return owners
    }

    private companion object {
        const val MOST_ROWS = Int.MAX_VALUE - 8
    }
}
