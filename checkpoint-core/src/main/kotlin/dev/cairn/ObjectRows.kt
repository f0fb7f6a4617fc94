package dev.cairn

import dev.cairn.event.requireDeclared
import dev.cairn.item.BoundObjects
import dev.cairn.item.ItemName
import dev.cairn.item.LinkedRows
import dev.cairn.item.Row
import dev.cairn.item.RowClass
import dev.cairn.state.ThrowingConsumer
import dev.cairn.state.ThrowingFunction
import java.util.concurrent.Callable

/**
 * Declares how rows that are objects of a class [R] are saved, and the rule for another number of ranks. Each component of a record, or
 * each field of another class that is neither static nor `transient`, is a column of its name, also if it is private or inherited.
 *
 * Where the constructor of a record may do more than keep what it gets, a save calls it for each, to see whether it does: that may
 * change nothing.
 *
 * A field whose type is that of the rows of a table leads to one of them, in this table or another one, or is null. It is a column of
 * longs: the [id][uniqueIds] of that row, or if it has none, its place in the list. Rows on other ranks are [elsewhere].
 */
@StateDsl
public class ObjectRows<R : Any> internal constructor(
    private val type: Class<R>,
    private val get: Callable<List<R>>?,
    private val set: ThrowingConsumer<List<R>>,
    private val linked: LinkedRows,
) : RowRules<R>() {
    private val excepted = mutableSetOf<String>()
    private val kinds = LinkedHashMap<String, Class<out R>>()
    private var make: ThrowingFunction<Row, R>? = null
    private var elsewhere: ThrowingFunction<Long, R>? = null

    /**
     * Some rows are objects of the class [type], which the checkpoint calls [name] in the column `class`. All classes are declared so,
     * also [R] itself. A field that one of them has alone is a column of 0, false or empty texts for the others.
     */
    public fun kind(name: String, type: Class<out R>) {
        requireNamed(name) { "a kind of rows" }
        requireDeclared(kinds.put(name, type) == null) {
            "two kinds of rows are called '$name': give each a name of its own"
        }
    }

    /** Some rows are objects of the class [K]. */
    @JvmSynthetic
    public inline fun <reified K : R> kind(name: String): Unit = kind(name, K::class.java)

    /** Some rows are objects of these [types], each of which the checkpoint calls by its simple name. */
    @SafeVarargs
    public fun kinds(vararg types: Class<out R>) {
        types.forEach { kind(it.simpleName, it) }
    }

    /** These [fields] are not saved. After a restart they are null, 0 or false, or what [make] has put there. */
    public fun except(vararg fields: String) {
        excepted += fields
    }

    /**
     * A restart calls [maker] for each row, which returns a new object; then it sets the fields that are columns. Otherwise no
     * constructor is called, except of records.
     */
    public fun make(maker: ThrowingFunction<Row, R>) {
        make = maker
    }

    /**
     * Rows may lead to rows of this table that are on other ranks: to an object with the [id][uniqueIds] of such a row, which is in no
     * list. A save stores its id alone, and refuses one that no row has on any rank. A restart calls [maker] once for each id that no row
     * of this rank has, and all fields that lead to that row get what it returns: an object with that id. On another number of ranks it
     * is also called before, for what [owner] sees: it makes an object, and does nothing else.
     */
    public fun elsewhere(maker: ThrowingFunction<Long, R>) {
        elsewhere = maker
    }

    override fun source(id: ItemName, textSizes: Map<String, Int>): BoundObjects<R> {
        val rowClass = RowClass(id.today, type, kinds, excepted, make)
        return BoundObjects(
            id,
            rowClass,
            idColumn,
            textSizes,
            get?.let { it::call },
            set::accept,
            elsewhere,
            linked,
        ).also(linked::add)
    }
}
