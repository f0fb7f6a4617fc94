package dev.cairn.heap

/**
 * A class in a heap dump.
 *
 * @property number its place in [HeapDump.classes]
 * @property domain the object that says where its class file lies; 0 for classes of the JDK
 * @property statics its static fields, whose [HeapField.position] is that of the value in the dump
 */
internal class HeapClass(
    val number: Int,
    val name: String,
    val domain: Long,
    val superclass: HeapClass?,
    val statics: List<HeapField>,
    declared: List<HeapField>,
) {
    /**
     * All fields of its instances, its own ones first, each class's by their names: their order in a dump depends on the release of the JDK.
     * [HeapField.position] counts from the beginning of the instance's bytes.
     */
    val fields: List<HeapField>
    val instanceSize: Long

    init {
        var end = 0L
        val own = declared.map { field -> HeapField(this, field.name, field.type, end).also { end += field.type.size } }
        val inherited =
            superclass?.fields.orEmpty().map { HeapField(it.owner, it.name, it.type, it.position + end) }
        fields = own.sortedBy { it.name } + inherited
        instanceSize = end + (superclass?.instanceSize ?: 0)
    }

    private val byName = fields.asReversed().associateBy { it.name }

    /** The classes above it, itself first. */
    val lineage: Sequence<HeapClass> get() = generateSequence(this) { it.superclass }

    /** The name without what differs in each virtual machine: the numbers of lambdas and proxies. */
    val stableName: String = UNSTABLE.replace(name, "")

    /** That of its instances. */
    val kind: ObjectKind =
        when {
            !name.startsWith("[") -> ObjectKind.INSTANCE
            name.length == 2 -> ObjectKind.PRIMITIVES
            else -> ObjectKind.REFERENCES
        }

    val isLambda: Boolean get() = LAMBDA in name

    /** The name without its package, and `Outer.Inner` for a nested class. */
    val shortName: String get() = shortNameOf(name)

    fun field(name: String): HeapField? = byName[name]

    infix fun isA(other: String): Boolean = lineage.any { it.name == other }

    override fun toString(): String = name

    companion object {
        /** In the name of the class that a virtual machine makes for a lambda. */
        const val LAMBDA = "\$\$Lambda"
        private val UNSTABLE = Regex("""(?<=\$\${'$'}Lambda)[$/+].*|(?<=\.\${'$'}Proxy)\d+$|[/+]0x.*$""")

        fun shortNameOf(name: String): String {
            if (name.startsWith("[")) return elementName(name.substring(1)) + "[]"
            val simple = name.substringBefore(LAMBDA).substringAfterLast('.').replace('$', '.')
            return if (LAMBDA in name) "lambda of $simple" else simple
        }

        private fun elementName(descriptor: String): String =
            when {
                descriptor.startsWith("[") -> shortNameOf(descriptor)
                descriptor.length > 1 -> shortNameOf(descriptor.substring(1).removeSuffix(";").replace('/', '.'))
                else -> ValueType.entries.find { it.descriptor == descriptor }?.word ?: descriptor
            }
    }
}

/** A field of [owner]; [position] is in its instances, or in the dump for a static one. */
internal class HeapField(val owner: HeapClass?, val name: String, val type: ValueType, val position: Long)

/** Types of values in a dump, by their codes there. */
internal enum class ValueType(val code: Int, val size: Int, val word: String, val descriptor: String) {
    REFERENCE(2, 8, "Object", "L"),
    BOOLEAN(4, 1, "boolean", "Z"),
    CHAR(5, 2, "char", "C"),
    FLOAT(6, 4, "float", "F"),
    DOUBLE(7, 8, "double", "D"),
    BYTE(8, 1, "byte", "B"),
    SHORT(9, 2, "short", "S"),
    INT(10, 4, "int", "I"),
    LONG(11, 8, "long", "J"),
    ;

    /** Its value at [position], in bits. */
    fun bits(bytes: DumpBytes, position: Long): Long =
        when (size) {
            1 -> bytes.byte(position).toLong()
            2 -> bytes.short(position).toLong()
            4 -> bytes.int(position).toLong()
            else -> bytes.long(position)
        }

    fun text(bits: Long): String =
        when (this) {
            REFERENCE -> "object $bits"
            BOOLEAN -> "${bits != 0L}"
            CHAR -> "'${bits.toInt().toChar()}'"
            FLOAT -> "${Float.fromBits(bits.toInt())}"
            DOUBLE -> "${Double.fromBits(bits)}"
            BYTE -> "${bits.toByte()}"
            SHORT -> "${bits.toShort()}"
            INT, LONG -> "$bits"
        }

    companion object {
        private val byCode = arrayOfNulls<ValueType>(256).also { types -> entries.forEach { types[it.code] = it } }

        fun of(code: Int): ValueType? = byCode[code]
    }
}
