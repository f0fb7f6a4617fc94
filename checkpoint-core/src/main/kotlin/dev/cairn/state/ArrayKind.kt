package dev.cairn.state

import dev.cairn.redistribution.Cells

/** Operations on the arrays of one type. */
internal class ArrayKind<A : Any>(
    val type: ElementType,
    val create: (Int) -> A,
    val size: (A) -> Int,
    val cells: (A) -> Cells,
) {
    companion object {
        val BOOLEANS = ArrayKind(ElementType.BOOLEAN, ::BooleanArray, BooleanArray::size, Cells::of)
        val BYTES = ArrayKind(ElementType.BYTE, ::ByteArray, ByteArray::size, Cells::of)
        val SHORTS = ArrayKind(ElementType.SHORT, ::ShortArray, ShortArray::size, Cells::of)
        val CHARS = ArrayKind(ElementType.CHAR, ::CharArray, CharArray::size, Cells::of)
        val INTS = ArrayKind(ElementType.INT, ::IntArray, IntArray::size, Cells::of)
        val LONGS = ArrayKind(ElementType.LONG, ::LongArray, LongArray::size, Cells::of)
        val FLOATS = ArrayKind(ElementType.FLOAT, ::FloatArray, FloatArray::size, Cells::of)
        val DOUBLES = ArrayKind(ElementType.DOUBLE, ::DoubleArray, DoubleArray::size, Cells::of)

        private val ALL = listOf(BOOLEANS, BYTES, SHORTS, CHARS, INTS, LONGS, FLOATS, DOUBLES)

        /** The arrays of this primitive type, or null if it is none. */
        fun of(type: Class<*>): ArrayKind<*>? = ALL.find { it.type.toString() == type.name }

        /** Arrays of the class [type], which holds cells of a primitive type; a [refusal] if it does not. */
        @Suppress("UNCHECKED_CAST") // The kind whose arrays have components of the class' component type.
        inline fun <A : Any> ofArrays(
            type: Class<A>,
            refusal: (String) -> RuntimeException = ::IllegalArgumentException,
        ): ArrayKind<A> {
            val kind = type.componentType?.let { of(it) }
            if (kind != null) return kind as ArrayKind<A>
            throw refusal("a field has cells of a primitive type, in arrays such as double[], not in ${type.typeName}")
        }

        fun of(type: ElementType): ArrayKind<*> = ALL.first { it.type == type }
    }
}
