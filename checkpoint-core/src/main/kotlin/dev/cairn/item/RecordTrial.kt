package dev.cairn.item

import java.lang.reflect.Array.getLength
import java.lang.reflect.Array.newInstance
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.util.AbstractMap.SimpleEntry
import java.util.BitSet

/**
 * Makes the records in the [walk] through the graph [name] as a restart does, of objects that have no content yet, since a constructor may
 * do with these components what it did with none before. The program's own objects are left alone: others stand for them. Records whose
 * constructors only keep what they get are made where others need them. An entry whose value was set later may need itself.
 */
internal class RecordTrial(private val name: String, private val walk: GraphWalk) {
    private val numbers = walk.numbers
    private val groups = walk.groups.filter { it.form.hasCodeOfItsOwn || isOfEntries(it.form) }
    private val standIns = arrayOfNulls<Any>(if (groups.isEmpty()) 0 else numbers.count + 1)

    /** Numbers of objects that wait for those which they need, and of all for which that is so, or was. */
    private val waiting = ArrayDeque<Int>()
    private val isWaiting = BitSet(standIns.size)

    /** Those that others need have the higher numbers, mostly. */
    fun run() {
        for (group in groups.asReversed()) {
            for (number in group.numbers.reversed()) if (standIns[number] == null) make(number)
        }
        standIns.indices.forEach(::requireUnchanged)
    }

    /** Of all that needs its parts to be made, only these and records with code of their own can come to need themselves. */
    private fun isOfEntries(form: GraphForm) = form.type == SimpleEntry::class.java

    private fun make(wanted: Int) {
        waiting.addLast(wanted)
        while (waiting.isNotEmpty()) {
            val number = waiting.last()
            val found = numbers[number]
            val needs = needsOf(found)
            val missing = needs.filter { it != null && standInOf(it) == null }
            if (missing.isEmpty()) {
                if (standIns[number] == null) standIns[number] = standInFor(found, needs.map(::standInOf))
                waiting.removeLast()
            } else {
                if (isWaiting[number]) throw failed("'${walk.pathTo(found)}' needs itself to be made")
                isWaiting.set(number)
                for (need in missing) waiting.addLast(numbers.of(checkNotNull(need)))
            }
        }
    }

    private fun standInOf(found: Any?): Any? = if (found == null) null else standIns[numbers.of(found)]

    private fun needsOf(found: Any): List<Any?> =
        when (val form = walk.forms.of(found)) {
            is FieldsForm -> if (form.kind == GraphKind.RECORD) form.references.map { it.get(found) } else emptyList()
            is ContainerForm -> if (form.needed == 0) emptyList() else form.parts(found).take(form.needed)
            else -> emptyList()
        }

    /** What a restart makes of [found] before it has content, from what stands for its [needs]. */
    private fun standInFor(found: Any, needs: List<Any?>): Any =
        when (val form = walk.forms.of(found)) {
            is FieldsForm -> if (form.kind == GraphKind.RECORD) record(form, found, needs) else form.makeEmpty()
            is ContainerForm -> form.make(needs.toTypedArray(), if (form.isMadeAtOnce) form.factOf(found) else 0)
            is NumbersForm<*> -> form.make(getLength(found))
            is ReferencesForm -> newInstance(form.type.componentType, getLength(found))
            is ValueForm -> if (form.isOwned) form.decode(bytesOf(form, found)) else found
            else -> found
        }

    private fun record(form: FieldsForm, found: Any, needs: List<Any?>): Any {
        val next = needs.iterator()
        return form.makeRecord(form.columns.map { if (it.element == null) next.next() else it.get(found) }, ::failed)
    }

    /** A constructor that puts something into what it gets would put it in at each restart. */
    private fun requireUnchanged(number: Int) {
        val standIn = standIns[number] ?: return
        val found = numbers[number]
        val form = walk.forms.of(found)
        val isChanged =
            when (form) {
                is ContainerForm -> !form.isMadeAtOnce && form.parts(standIn).drop(form.needed).any { it != null }
                is ValueForm -> form.isOwned && bytesOf(form, standIn) != bytesOf(form, found)
                else -> false
            }
        if (isChanged) {
            throw failed(
                "the constructor of a record changes '${walk.pathTo(found)}', which it should only keep",
            )
        }
    }

    private fun bytesOf(form: ValueForm, found: Any) = ByteBuffer.wrap(form.encoded(found)).order(LITTLE_ENDIAN)

    private fun failed(flaw: String, cause: Throwable? = null) = graphNotRestored(name, flaw, cause)
}
