package dev.cairn.item

import dev.cairn.ranks.Structure
import dev.cairn.ranks.StructureIo
import dev.cairn.ranks.choice
import dev.cairn.ranks.text
import dev.cairn.state.ElementType
import dev.cairn.state.elementTypeOf
import java.lang.Math.addExact
import java.lang.Math.multiplyExact

/**
 * What stands in front of the objects of a graph, led by its size as u32, and what is known of them without their classes.
 *
 * A graph is stored in three parts behind this table, in each of which class follows class in the order of the table:
 * 1. what is needed to make its objects: the facts and the lengths, each a column, then the bytes of values
 * 2. the columns of records, and the references without which a collection cannot be made
 * 3. the columns of objects with fields, the elements of arrays and of other collections
 *
 * Objects are numbered from 1 on in the order of the table; 0 is null. A reference is a number of as few bytes as the count of all
 * objects needs. Fields are stored in groups of [GROUP_SIZE] objects, column by column; an object without fields takes a byte. All
 * numbers are little-endian.
 */
internal data class GraphTable(val version: Int, val roots: List<GraphRoot>, val classes: List<GraphClass>) {
    val objectCount: Long get() = classes.sumOf { it.count.toLong() }

    val referenceSize: Int get() = sizeOf(objectCount)

    /** Behind the table. */
    val byteCount: Long get() = classes.sumOf { it.byteCount }

    companion object {
        const val VERSION = 1
        const val GROUP_SIZE = 256

        val STRUCTURE =
            Structure(GraphTable(VERSION, emptyList(), emptyList())) { table ->
                GraphTable(
                    u8(table.version),
                    list(table.roots, GraphRoot.STRUCTURE),
                    list(table.classes, GraphClass.STRUCTURE),
                )
            }

        /** The bytes that a number up to [most] takes. */
        fun sizeOf(most: Long): Int = maxOf(1, (Long.SIZE_BITS - most.countLeadingZeroBits() + 7) / 8)
    }
}

/** A name in the program, and the number of the object that it held. */
internal data class GraphRoot(val name: String, val number: Int) {
    companion object {
        val STRUCTURE = Structure(GraphRoot("", 0)) { GraphRoot(text(it.name), u32(it.number)) }
    }
}

/**
 * @property declaring the class that declares it, which may be one above
 * @property type its type, as Java names it
 */
internal data class GraphField(val declaring: String, val name: String, val type: String) {
    /** Null if it holds references. */
    val element: ElementType? = elementTypeOf(type)
    val inWords: String get() = "$type ${declaring.substringAfterLast('.')}.$name"

    companion object {
        val STRUCTURE =
            Structure(GraphField("", "", "")) { GraphField(text(it.declaring), text(it.name), text(it.type)) }
    }
}

/** What the objects of a class are made from. */
internal enum class GraphKind {
    VALUE,
    CONSTANT,
    RECORD,
    FIELDS,
    NUMBERS,
    REFERENCES,
    CONTAINER,
    ;

    /** Whether its objects have elements. */
    val isSized get() = this >= NUMBERS

    /** Whether they hold bytes alone, and lead to no object. */
    val isOfBytes get() = this == VALUE || this == CONSTANT || this == NUMBERS

    val hasFields get() = this == RECORD || this == FIELDS
}

/** What is known of the objects of a class without it. */
internal interface GraphType {
    val kind: GraphKind
    val name: String

    /** Those above first, then by their names; of a record, its components. */
    val fields: List<GraphField>
}

/** What an array of the class [name] has as elements; null if these are no numbers. */
internal fun elementOfArray(name: String): ElementType? =
    if (name.lastIndexOf('[') == 0) elementNameOf(name)?.let(::elementTypeOf) else null

/**
 * The objects of one class.
 *
 * @property elementCount the sum of the lengths of all of them: elements of arrays and collections, bytes of values
 * @property lengthSize the bytes of one length; 0 if they have none
 * @property factSize the bytes of what else a collection is made from; 0 if there is none
 * @property byteCount what all of them take
 */
internal data class GraphClass(
    override val kind: GraphKind,
    override val name: String,
    override val fields: List<GraphField>,
    val count: Int,
    val elementCount: Long,
    val lengthSize: Int,
    val factSize: Int,
    val byteCount: Long,
) : GraphType {
    /** What all objects take, by the numbers but that; fails if it is more than a long can hold. */
    fun countBytes(referenceSize: Int): Long {
        val each = lengthSize + factSize + fields.sumOf { it.element?.size ?: referenceSize }
        return addExact(
            multiplyExact(count.toLong(), maxOf(1L, each.toLong())),
            multiplyExact(elementCount, elementSize(referenceSize).toLong()),
        )
    }

    private fun elementSize(referenceSize: Int): Int =
        when (kind) {
            GraphKind.NUMBERS -> checkNotNull(elementOfArray(name)) { "$name has no numbers" }.size
            GraphKind.REFERENCES, GraphKind.CONTAINER -> referenceSize
            else -> 1
        }

    /** Refuses numbers that do not agree with each other, so that no length is larger than the bytes that are there. */
    fun requireConsistent(referenceSize: Int) {
        val hasFacts = kind == GraphKind.CONTAINER && graphContainers[name]?.facts != null
        val isConsistent =
            lengthSize in (if (kind.hasFields) 0..0 else 1..4) &&
                factSize in 0..(if (hasFacts) 4 else 0) &&
                (!kind.hasFields || elementCount == 0L) &&
                (kind != GraphKind.CONTAINER || name in graphContainers) &&
                runCatching { countBytes(referenceSize) }.getOrNull() == byteCount
        if (!isConsistent) throw DamagedGraph("the counts of $name do not agree")
    }

    /** Refuses [lengths] of objects that have other ones together. */
    fun requireSum(lengths: IntArray) {
        if (lengths.sumOf { it.toLong() } != elementCount) throw DamagedGraph("the lengths of $name have another sum")
    }

    companion object {
        private val KINDS = GraphKind.values().asList()

        val STRUCTURE =
            Structure(GraphClass(GraphKind.VALUE, "", emptyList(), 0, 0, 0, 0, 0)) { fieldsOf(it) }

        private fun StructureIo.fieldsOf(it: GraphClass) =
            GraphClass(
                choice(KINDS, it.kind),
                text(it.name),
                list(it.fields, GraphField.STRUCTURE),
                u32(it.count),
                u64(it.elementCount),
                u8(it.lengthSize),
                u8(it.factSize),
                u64(it.byteCount),
            )
    }
}
