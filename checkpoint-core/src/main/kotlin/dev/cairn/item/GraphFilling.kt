package dev.cairn.item

import dev.cairn.event.CheckpointException.Mismatch
import dev.cairn.event.fullLine
import java.util.IdentityHashMap

/**
 * Gives objects their content when all of them are there: fields and elements of arrays and lists, then those of hash tables, whose keys
 * have their content by then, and of trees and queues, whose elements are compared.
 */
internal class GraphFilling(private val store: GraphObjects) {
    private val source = store.source
    private val placed = ArrayList<Placed>()
    private val held = arrayOfNulls<Any>(GraphTable.GROUP_SIZE)
    private var parts = arrayOfNulls<Any>(0)

    fun run() {
        for (group in store.groups) fill(group)
        fillByContent()
    }

    private fun fill(group: StoredGroup) {
        val form = group.form
        when {
            form is FieldsForm && form.kind == GraphKind.FIELDS -> setFields(group, form)
            form is NumbersForm<*> -> setNumbers(group, form)
            form is ReferencesForm -> group.numbers.forEach { setElements(group, it) }
            form is ContainerForm && form.stage != GraphStage.BUILT -> fillAll(group, form)
        }
    }

    private fun fillAll(group: StoredGroup, form: ContainerForm) {
        for ((index, number) in group.numbers.withIndex()) {
            val holder = checkNotNull(store.objects[number])
            val parts = takeParts(group.lengths[index] - form.needed, form.stage)
            if (form.stage >= GraphStage.HASHED) placed += Placed(holder, form, parts)
            if (form.stage < GraphStage.HASHED) {
                refusingDamage({ "a ${form.name} cannot be filled" }) { form.fill(holder, parts) }
            }
        }
    }

    private fun setNumbers(group: StoredGroup, form: NumbersForm<*>) {
        for ((index, number) in group.numbers.withIndex()) {
            source.input.put(form.cellsOf(checkNotNull(store.objects[number])), group.lengths[index])
        }
    }

    private fun setFields(group: StoredGroup, form: FieldsForm) =
        source.forEachColumn(group.stored) { index, from, to ->
            val column = form.columns[index]
            refusingDamage({ "the field '${column.name}' of ${form.name} cannot be set" }) {
                set(column, group.first + from, group.first + to)
            }
        }

    private fun set(column: GraphColumn, from: Int, to: Int) {
        val objects = store.objects
        if (column.element == null) {
            for (index in 0 until to - from) held[index] = objects[source.takeReference()]
            // Memory is read for many at once, which takes less time than one by one.
            for (index in 0 until to - from) requireFits(column, held[index])
            for (number in from until to) column.set(checkNotNull(objects[number]), held[number - from])
        } else {
            val size = column.element.size
            for (number in from until to) column.setBits(checkNotNull(objects[number]), source.input.take(size))
        }
    }

    private fun requireFits(column: GraphColumn, found: Any?) {
        if (found == null || column.type.isInstance(found)) return
        throw DamagedGraph("the field ${column.described.inWords} cannot hold a ${found.javaClass.typeName}")
    }

    @Suppress("UNCHECKED_CAST") // An array of references, which refuses what it cannot hold.
    private fun setElements(group: StoredGroup, number: Int) {
        val array = store.objects[number] as Array<Any?>
        refusingDamage({ "an element of a ${group.stored.name} cannot be set" }) {
            for (index in array.indices) array[index] = store.objects[source.takeReference()]
        }
    }

    /** Lists copy their elements, so that one array is enough for those of one length. */
    private fun takeParts(count: Int, stage: GraphStage): Array<Any?> {
        if (parts.size != count || stage != GraphStage.FILLED) parts = arrayOfNulls(maxOf(0, count))
        for (index in parts.indices) parts[index] = store.objects[source.takeReference()]
        return parts
    }

    /**
     * What a hash or a comparator asks may be in tables and queues as well: those that are not right when all are filled, are filled once
     * more. Tables inside come first.
     */
    private fun fillByContent() {
        val (queues, tables) = placed.partition { it.form.stage == GraphStage.ORDERED }
        requireHashable(tables)
        val all = tables.asReversed() + queues
        var ahead = all
        repeat(MOST_ROUNDS) {
            ahead.forEach { it.fill() }
            ahead = all.filterNot { it.isRight() }
            if (ahead.isEmpty()) return
        }
        throw ahead.first().failed()
    }

    private fun requireHashable(tables: List<Placed>) {
        val work by lazy { HashWork(placed.associateTo(IdentityHashMap()) { it.holder to it.parts }) }
        for (table in tables) {
            val containers = table.form.keysIn(table.parts).filter { it.javaClass.name in graphContainers }
            val isTooMuch = containers.any { work.isTooMuch(it) }
            if (isTooMuch) throw DamagedGraph("a key of a ${table.form.name} has $TOO_MUCH_IN_WORDS")
        }
    }

    /** A table or a queue, whose content stands where the program puts it. */
    private inner class Placed(val holder: Any, val form: ContainerForm, val parts: Array<Any?>) {
        /** What the program has thrown in the last attempt. */
        private var failure: Throwable? = null

        fun fill() {
            failure = null
            attempt {
                if (holder is MutableMap<*, *>) holder.clear() else (holder as MutableCollection<*>).clear()
                form.fill(holder, parts)
            }
        }

        fun isRight(): Boolean {
            if (failure != null) return false
            val isOrdered = form.stage == GraphStage.ORDERED
            return attempt { if (isOrdered) form.isFilled(holder, parts, 0) else hasAllKeys() } == true
        }

        private fun hasAllKeys(): Boolean {
            val keys = form.keysIn(parts)
            if (keys.all(::hasFixedHash)) return true
            val size = if (holder is Map<*, *>) holder.size else (holder as Collection<*>).size
            return size >= keys.size && keys.all { form.hasKey(holder, it) }
        }

        private inline fun <T> attempt(call: () -> T): T? =
            try {
                call()
            } catch (thrown: RuntimeException) {
                null.also { failure = thrown }
            } catch (thrown: StackOverflowError) {
                null.also { failure = thrown }
            }

        fun failed(): Mismatch {
            val ofQueue = "its elements are not in the order of its comparator"
            val ofTable = "some keys are not found by their hash, or are equal to others"
            val why = failure?.fullLine() ?: if (form.stage == GraphStage.ORDERED) ofQueue else ofTable
            return store.failed(
                "a ${form.name} cannot be filled again: $why. Let hashCode, equals and compareTo of its elements " +
                    "read no transient field, and no table that holds them",
                failure,
            )
        }
    }
}

private const val MOST_ROUNDS = 8
