package dev.cairn.item

import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.Mismatch
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.fullLine
import dev.cairn.event.textOfUtf8
import java.io.InputStream
import java.lang.reflect.Array.newInstance

/** @property objects by their numbers */
internal class RestoredGraph(val roots: Map<String, Any?>, val objects: Array<Any?>, private val forms: GraphForms) {
    val content get() = PresentGraph(roots, GraphNumbers.of(objects), forms)
}

/**
 * Makes the objects of a graph, which [GraphTable] describes, from [length] bytes. All that a length or a count says is compared with
 * the bytes that are there before room is made for it.
 */
internal class GraphReading(
    private val name: String,
    private val forms: GraphForms,
    source: InputStream,
    length: Long,
) {
    private val source = GraphSource(GraphInput(source, length))

    fun read(): RestoredGraph {
        val table = source.table
        source.requireWhole()
        var first = 1
        val groups =
            table.classes.map { stored -> StoredGroup(stored, formOf(stored), first).also { first += stored.count } }
        for (group in groups) group.stored.requireConsistent(table.referenceSize)
        val store = GraphObjects(name, groups, source)
        groups.forEach(store::make)
        GraphBuilding(store).run()
        GraphFilling(store).run()
        return RestoredGraph(table.roots.associate { it.name to store.at(it.number) }, store.objects, forms)
    }

    private fun formOf(stored: GraphClass): GraphForm {
        val form =
            try {
                forms.of(stored)
            } catch (refused: GraphRefusal) {
                val why = "${stored.name}, which ${refused.why}: ${refused.remedy}."
                throw notFitting(name, "the graph '$name' has objects of $why")
            }
        requireFields(stored, form.fields)
        return form
    }

    private fun requireFields(stored: GraphClass, present: List<GraphField>) {
        if (stored.fields == present) return
        val gone = stored.fields.firstOrNull { it !in present }
        val added = present.firstOrNull { it !in stored.fields }
        val difference =
            when {
                gone != null && added != null && gone.name == added.name -> "${gone.inWords} is ${added.inWords} now"
                gone != null -> "${gone.inWords} is gone"
                added != null -> "${added.inWords} is new"
                else -> "the fields are in another order"
            }
        throw notFitting(
            name,
            "the graph '$name' was saved with other fields in ${stored.name}: $difference. Start the program that " +
                "saved it, or begin a new run.",
        )
    }
}

/** The objects of one class, of which the [first] one has this number. */
internal class StoredGroup(val stored: GraphClass, val form: GraphForm, val first: Int) {
    var facts = IntArray(0)
    var lengths = IntArray(0)
    val numbers get() = first until first + stored.count
}

/** The objects that are there by their numbers, while a graph is read. */
internal class GraphObjects(val name: String, val groups: List<StoredGroup>, val source: GraphSource) {
    private val input = source.input
    val objects = arrayOfNulls<Any>(source.objectCount + 1)
    private val spare = SpareBuckets()

    /** The object with this number, or null for 0. */
    fun at(number: Int): Any? = objects[source.requireNumber(number)]

    /** Makes the objects of [group] that need no other ones. */
    fun make(group: StoredGroup) {
        group.facts = source.takeFacts(group.stored)
        group.lengths = source.takeLengths(group.stored)
        when (val form = group.form) {
            is ValueForm -> makeEach(group) { decoded(form, it) }
            is ConstantForm -> makeEach(group) { constant(form, it) }
            is NumbersForm<*> -> makeEach(group) { form.make(it) }
            is ReferencesForm -> makeEach(group) { newInstance(form.type.componentType, it) }
            is FieldsForm -> if (form.kind == GraphKind.FIELDS) makeEach(group) { form.makeEmpty() }
            is ContainerForm -> makeContainers(group, form)
            else -> throw DamagedGraph("${group.stored.name} has constants alone")
        }
    }

    private inline fun makeEach(group: StoredGroup, make: (Int) -> Any) {
        for ((index, number) in group.numbers.withIndex()) objects[number] = make(group.lengths.getOrElse(index) { 0 })
    }

    private fun makeContainers(group: StoredGroup, form: ContainerForm) {
        group.lengths.find { it < minOf(form.needed, 1) && form.needed != ContainerForm.ALL }?.let {
            throw DamagedGraph("a ${group.stored.name} has $it parts")
        }
        if (form.needed > 0) return
        for ((index, number) in group.numbers.withIndex()) {
            val facts = group.facts.getOrElse(index) { 0 }
            if (facts >= MOST_FACTS) throw DamagedGraph("a ${group.stored.name} has the size 2^$facts")
            if (!spare.take(form, facts, group.lengths[index])) throw DamagedGraph("it has hash tables with $EMPTY")
            objects[number] = form.make(NOTHING, facts)
        }
    }

    private fun decoded(form: ValueForm, size: Int): Any {
        val bytes = input.bytes(size)
        return refusingDamage({ "a value of ${form.name} cannot be read" }) { form.decode(bytes) }
    }

    private fun constant(form: ConstantForm, size: Int): Any {
        val constant = refusingDamage({ "a name is none" }) { textOfUtf8(input.bytes(size)) }
        val isOutside = form.name == ConstantForm.OUTSIDE
        val what = if (isOutside) "leads to '$constant' outside of it" else "holds $constant of ${form.name}"
        val remedy = if (isOutside) "name it by outside(\"$constant\", …)" else "add it"
        return form.find(constant) ?: throw notFitting(
            name,
            "the graph '$name' $what, which the program does not have: $remedy, or start the program that saved it.",
        )
    }

    fun failed(flaw: String, cause: Throwable? = null) = graphNotRestored(name, flaw, cause)

    private companion object {
        val NOTHING = emptyArray<Any?>()
        const val MOST_FACTS = 31
        const val EMPTY = "${SpareBuckets.MOST} empty places"
    }
}

/** The program does not take what it has saved. */
internal fun graphNotRestored(name: String, flaw: String, cause: Throwable?) =
    "the graph '$name' cannot be restored: $flaw.".let {
        Mismatch(Details(it, listOf(name), reason = Reason.PROGRAM, cause = cause))
    }

/** Runs code of the JDK, which throws many exceptions, on stored bytes. */
internal inline fun <T> refusingDamage(flaw: () -> String, make: () -> T): T =
    try {
        make()
    } catch (known: DamagedGraph) {
        throw known
    } catch (unfit: RuntimeException) {
        throw DamagedGraph("${flaw()}: ${unfit.fullLine()}", unfit)
    }
