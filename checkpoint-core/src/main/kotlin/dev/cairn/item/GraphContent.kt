package dev.cairn.item

import dev.cairn.event.textOfUtf8
import dev.cairn.redistribution.Runs
import dev.cairn.state.ElementType
import java.lang.reflect.Array.getLength
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

/** The objects of a graph by their numbers, from 1 on: those of the program, or those in a checkpoint, which need no class of it. */
internal interface GraphContent {
    val roots: List<GraphRoot>

    /** The highest number. */
    val count: Int

    fun typeOf(number: Int): GraphType

    /** Of an array or a collection. */
    fun lengthOf(number: Int): Int

    /** What else a collection is made from. */
    fun factOf(number: Int): Int

    /** Those of a value, or of the name of a constant. */
    fun bytesOf(number: Int): ByteArray

    /** A primitive [field], by its index, as its bits. */
    fun bitsOf(number: Int, field: Int): Long

    /** Some elements of an array of numbers, as in a checkpoint. */
    fun elementsOf(number: Int, from: Int, count: Int): ByteArray

    /** The numbers of all objects to which it leads, in order; 0 for null. */
    fun referencesOf(number: Int): IntArray
}

/** Whether it matters that two places hold the same object. */
internal fun GraphContent.isOwned(number: Int): Boolean {
    val type = typeOf(number)
    return type.kind != GraphKind.CONSTANT && (type.kind != GraphKind.VALUE || graphValues[type.name]?.isOwned == true)
}

/** A value, the name of a constant, or null; of other objects there is no text. */
internal fun GraphContent.textOf(number: Int): String? {
    if (number == 0) return "null"
    val type = typeOf(number)
    val bytes by lazy { ByteBuffer.wrap(bytesOf(number)).order(LITTLE_ENDIAN) }
    return refusingDamage({ "one of ${type.name} cannot be read" }) {
        when (type.kind) {
            GraphKind.VALUE -> graphValues[type.name]?.decode?.let { "${it(bytes)}".take(MOST_SHOWN) }
            GraphKind.CONSTANT -> textOfUtf8(bytes)
            else -> null
        }
    }
}

/** Objects that are there, by their [numbers]. */
internal class PresentGraph(
    named: Map<String, Any?>,
    private val numbers: GraphNumbers,
    private val forms: GraphForms,
) : GraphContent {
    override val roots = named.map { (name, root) -> GraphRoot(name, numberOf(root)) }
    override val count get() = numbers.count

    override fun typeOf(number: Int): GraphForm = forms.of(numbers[number])

    override fun lengthOf(number: Int): Int =
        when (val form = typeOf(number)) {
            is NumbersForm<*>, is ReferencesForm -> getLength(numbers[number])
            is ContainerForm -> form.parts(numbers[number]).size
            else -> 0
        }

    override fun factOf(number: Int): Int = (typeOf(number) as? ContainerForm)?.factOf(numbers[number]) ?: 0

    override fun bytesOf(number: Int): ByteArray = checkNotNull(typeOf(number).encoded(numbers[number]))

    /** As in a checkpoint, where the bits have no more bytes than the element. */
    override fun bitsOf(number: Int, field: Int): Long {
        val column = typeOf(number).columns[field]
        val left = Long.SIZE_BITS - Byte.SIZE_BITS * checkNotNull(column.element).size
        return column.bits(numbers[number]) shl left ushr left
    }

    override fun elementsOf(number: Int, from: Int, count: Int): ByteArray {
        val cells = (typeOf(number) as NumbersForm<*>).cellsOf(numbers[number])
        val bytes = ByteBuffer.allocate(count * cells.elementSize()).order(LITTLE_ENDIAN)
        cells.copyTo(bytes, Runs.row(from.toLong(), 0, count))
        return bytes.array()
    }

    override fun referencesOf(number: Int): IntArray {
        val found = ArrayList<Any?>()
        typeOf(number).forEach(numbers[number], found::add)
        return IntArray(found.size) { numberOf(found[it]) }
    }

    private fun numberOf(found: Any?): Int = if (found == null) 0 else numbers.of(found)
}

private const val MOST_SHOWN = 60
