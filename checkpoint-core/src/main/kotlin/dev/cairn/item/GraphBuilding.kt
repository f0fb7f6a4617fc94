package dev.cairn.item

import dev.cairn.event.CheckpointException.Mismatch
import dev.cairn.event.fullLine
import java.util.BitSet

/**
 * Makes records, and the collections that nothing can be put into later, each after those that it needs. Other objects are there by now,
 * and have no content yet.
 */
internal class GraphBuilding(private val store: GraphObjects) {
    private val needs = store.groups.mapNotNull(::needsOf)

    /** Numbers of objects that wait for what they need, and for each, how many of its needs are there. */
    private val waiting = ArrayDeque<Int>()
    private val done = ArrayDeque<Int>()
    private val isWaiting = BitSet(store.objects.size)

    /** What the objects of one [group] need to be made. */
    private class Needs(val group: StoredGroup, val parts: StoredParts, val make: (Int, held: List<Any?>) -> Any)

    /** Those that others need have the higher numbers, mostly. */
    fun run() {
        for (need in needs.asReversed()) for (number in need.group.numbers.reversed()) build(number)
    }

    private fun needsOf(group: StoredGroup): Needs? {
        val form = group.form
        if (form is FieldsForm && form.kind == GraphKind.RECORD) {
            val parts = StoredParts(store.source, group.stored) { form.references.size }.apply { readColumns() }
            return Needs(group, parts) { index, held -> makeRecord(form, parts, index, held.iterator()) }
        }
        if (form !is ContainerForm || form.needed == 0) return null
        val parts = StoredParts(store.source, group.stored) { minOf(form.needed, group.lengths[it]) }
        parts.readNumbers { 0 until parts.countOf(it) }
        return Needs(group, parts) { index, held ->
            val fact = group.facts.getOrElse(index) { 0 }
            refusingDamage({ "a ${form.name} cannot be made" }) { form.make(held.toTypedArray(), fact) }
        }
    }

    private fun build(number: Int) {
        if (store.objects[number] == null) wait(number)
        while (waiting.isNotEmpty()) {
            val last = waiting.last()
            val need = needs.first { last in it.group.numbers }
            val index = last - need.group.first
            val parts = need.parts
            val next = (done.removeLast() until parts.countOf(index)).find { isMissing(parts.numberAt(index, it)) }
            if (next == null) {
                store.objects[last] = need.make(index, parts.numbersOf(index).map { store.objects[it] })
                isWaiting.clear(waiting.removeLast())
            } else {
                done.addLast(next)
                wait(parts.numberAt(index, next))
            }
        }
    }

    private fun isMissing(number: Int) = number != 0 && store.objects[number] == null

    private fun wait(number: Int) {
        if (isWaiting[number]) throw DamagedGraph("the object $number needs itself to be made")
        isWaiting.set(number)
        waiting.addLast(number)
        done.addLast(0)
    }

    private fun makeRecord(form: FieldsForm, parts: StoredParts, index: Int, held: Iterator<Any?>): Any =
        form.makeRecord(
            form.columns.mapIndexed { place, it -> it.element?.boxed(parts.bits[place][index]) ?: held.next() },
            store::failed,
        )
}

/** Makes the record whose columns have these [values]; what does not keep them is thrown as [failed] says. */
internal fun FieldsForm.makeRecord(values: List<Any?>, failed: (flaw: String, cause: Throwable?) -> Mismatch): Any {
    val record =
        try {
            makeRecord(Array(values.size) { values[parameters[it]] })
        } catch (failure: RuntimeException) {
            throw failed(
                "the constructor of $name threw ${failure.fullLine()}. It gets objects that have no content yet: let " +
                    "it check no more than null",
                failure,
            )
        }
    columns.forEachIndexed { place, column -> requireKept(column, column.get(record), values[place], failed) }
    return record
}

/** A constructor may copy or change what it gets, and then another object would be lost. */
private fun FieldsForm.requireKept(
    column: GraphColumn,
    kept: Any?,
    given: Any?,
    failed: (flaw: String, cause: Throwable?) -> Mismatch,
) {
    val isKept = if (column.element == null) kept === given else bitsOf(kept!!) == bitsOf(given!!)
    if (isKept) return
    throw failed(
        "the constructor of $name changes its component '${column.name}', so that it does not come back as it was: " +
            "let the constructor take what it gets, or write a class instead of the record",
        null,
    )
}
