package dev.cairn

import dev.cairn.event.requireDeclared
import dev.cairn.item.ColumnChanges
import dev.cairn.item.ItemName
import dev.cairn.item.TableItem
import dev.cairn.item.TableRule
import dev.cairn.item.TableSource
import dev.cairn.item.UniqueIds
import dev.cairn.state.ThrowingBiFunction

/**
 * Declares properties of a table's rows, of type [R], and the rule for another number of ranks.
 * Valid only during the call to which it is passed, on the thread of its rank.
 */
@StateDsl
public abstract class RowRules<R> internal constructor() {
    internal var idColumn: String? = null
        private set
    private val owners = mutableListOf<ThrowingBiFunction<R, Int, Int>?>()
    private val changes = mutableListOf<ColumnChanges.() -> Unit>()
    private val textSizes = mutableMapOf<String, Int>()

    /** On another number of ranks each row goes to the rank that [owner] returns for it and that number: a pure function, the same on every rank. */
    public fun owner(owner: ThrowingBiFunction<R, Int, Int>) {
        owners += owner
    }

    /** Any rank may have any row: on another number of ranks they are dealt in order, in nearly equal shares. */
    public fun positionFree() {
        owners += null
    }

    /** No two rows have the same number in [column], which is of longs or ints. Every save compares them all. */
    public fun uniqueIds(column: String) {
        idColumn = column
    }

    /** In older checkpoints [column] may have one of these [names]. */
    public fun formerly(column: String, vararg names: String) {
        changes += { rename(column, names.toList()) }
    }

    /** Older checkpoints may hold a column of this name, which this program no longer needs. */
    public fun removed(column: String) {
        changes += { remove(column) }
    }

    /** Older checkpoints may have no [column]: their rows get [value] there. */
    public fun added(column: String, value: Any) {
        changes += { add(column, value) }
    }

    /** The texts in [column] have at most [atMost] bytes of UTF-8; a longer one is refused when it is saved. */
    public fun text(column: String, atMost: Int) {
        textSizes[column] = atMost
    }

    internal fun item(id: ItemName): TableItem {
        val table = id.today
        requireDeclared(owners.size <= 1, table) {
            "table '$table' has two rules for another number of ranks: declare one owner, or positionFree()"
        }
        val source = source(id, textSizes)
        val changes = ColumnChanges(table).also { all -> changes.forEach { all.it() } }
        changes.requireFit(source.columns)
        val ids = idColumn?.let { UniqueIds(table, it) }
        ids?.requireIn(source.columns)
        val rule = ruleFor(source).also { source.requireRule(it, changes) }
        return TableItem(id, source, rule, ids, changes)
    }

    private fun ruleFor(source: TableSource<R>): TableRule {
        if (owners.isEmpty()) return TableRule.Refuse
        val owner = owners.single() ?: return TableRule.PositionFree
        return TableRule.Owned { rows, rankCount ->
            val row = source.reader(rows)
            return@Owned { owner.apply(row(it), rankCount) }
        }
    }

    internal abstract fun source(id: ItemName, textSizes: Map<String, Int>): TableSource<R>
}
