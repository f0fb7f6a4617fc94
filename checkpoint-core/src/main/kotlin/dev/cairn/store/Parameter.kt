package dev.cairn.store

import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.event.requireDeclared
import dev.cairn.event.utf8Of
import dev.cairn.state.unwrapped
import kotlinx.serialization.Serializable
import kotlinx.serialization.Transient
import kotlinx.serialization.json.JsonPrimitive
import java.lang.reflect.Array.get
import java.lang.reflect.Array.getLength
import java.lang.reflect.Method
import java.nio.file.Path
import java.security.MessageDigest

/**
 * A value with which a program is started, as manifests hold it: the text [value] of a value of [type], which is a primitive type,
 * `text`, or `constant` for the name of a constant of an enum or for `null`.
 *
 * A number is written in decimal digits, and reading them gives its bits again. Only a NaN has more than one form: `NaN` stands for
 * the one that Java makes, and any other is followed by its bits, such as `NaN 7ff8000000000001`.
 */
@Serializable
internal data class Parameter(val name: String, val type: String, val value: String) {
    /** Equal for the same values: the width of whole numbers and the precision of other numbers do not count. */
    @Transient
    val identity: Any =
        when (type) {
            "byte", "short", "int", "long" -> value.toLong()
            "float" -> value.takeIf { it.isNan } ?: value.toFloat().toDouble()
            "double" -> value.takeIf { it.isNan } ?: value.toDouble()
            else -> type to value
        }

    /** The value in one line. */
    val shown: String get() = if (type in QUOTED) JsonPrimitive(value).toString() else value

    fun isSame(other: Parameter): Boolean = identity == other.identity

    /** The value in words that distinguish it from that of [other]. */
    fun shownBeside(other: Parameter): String = if (shown == other.shown) "$shown ($type)" else shown

    override fun toString(): String = "'$name' = $shown"

    companion object {
        private const val TEXT = "text"
        private const val CONSTANT = "constant"
        private const val NAN = "NaN"
        private val QUOTED = setOf(TEXT, "char")

        private val String.isNan: Boolean get() = startsWith(NAN)

        /**
         * The parameters of a program that was started with [value]: that of this [name], and if it is a record, whose class it names then,
         * one for each component, such as `settings.seed`. The elements of arrays and lists are one text, or if they are many, its digest.
         * No constant of an enum is called `null`.
         */
        fun of(name: String, value: Any?): List<Parameter> {
            utf8Of(name) { "the name '$name'" }
            return when {
                value is Record -> ofRecord(name, value)
                value == null -> listOf(Parameter(name, CONSTANT, "null"))
                else -> listOf(single(name, value))
            }
        }

        private fun ofRecord(name: String, record: Record): List<Parameter> =
            listOf(Parameter(name, CONSTANT, record.javaClass.simpleName)) +
                componentsOf(record).flatMap { (component, part) -> of("$name.$component", part) }

        private fun single(name: String, value: Any): Parameter {
            val text = textOf(name, value)
            val type = value::class.javaPrimitiveType?.name ?: if (value is Enum<*>) CONSTANT else TEXT
            return Parameter(name, type, text).also { utf8Of(it.value) { "the parameter '$name'" } }
        }

        private fun textOf(name: String, value: Any): String =
            when {
                value is String || value is Path -> "$value"
                value is Enum<*> -> value.name
                value is Float && value.isNaN() -> nan(value.toRawBits().toHexString(), "7fc00000")
                value is Double && value.isNaN() -> nan(value.toRawBits().toHexString(), "7ff8000000000000")
                value::class.javaPrimitiveType != null -> "$value"
                value is Array<*> -> textOfAll(name, value.size, value.asSequence().map { partOf(name, it) })
                value is List<*> -> textOfAll(name, value.size, value.asSequence().map { partOf(name, it) })
                value.javaClass.isArray -> textOfArray(name, value)
                else -> throw InvalidDeclaration(Details(unknown(name, value), listOf(name)))
            }

        private fun textOfArray(name: String, array: Any): String {
            val size = getLength(array)
            val mark = if (array is FloatArray) FLOAT else ""
            return textOfAll(name, size, (0 until size).asSequence().map { textOf(name, get(array, it)) + mark })
        }

        /** An element or a component; texts have quotes, so that no two lists have the same text. */
        private fun partOf(name: String, part: Any?): String =
            when (part) {
                null -> {
                    "null"
                }

                is Record -> {
                    val parts = componentsOf(part).joinToString { (component, of) -> "$component: ${partOf(name, of)}" }
                    "${part.javaClass.simpleName}{$parts}"
                }

                is String, is Char, is Path -> {
                    JsonPrimitive("$part").toString()
                }

                is Float -> {
                    textOf(name, part) + FLOAT
                }

                else -> {
                    textOf(name, part)
                }
            }

        private fun textOfAll(name: String, size: Int, parts: Sequence<String>): String {
            if (size <= SHOWN) return parts.joinToString(", ", "[", "]")
            val digest = MessageDigest.getInstance("SHA-256")
            parts.forEach { digest.update(utf8Of("$it,") { "the parameter '$name'" }) }
            return "$size elements, SHA-256 ${digest.digest().toHexString()}"
        }

        private fun componentsOf(record: Record): List<Pair<String, Any?>> =
            record.javaClass.recordComponents.map { it.name to valueOf(record, it.accessor) }

        private fun valueOf(record: Record, accessor: Method): Any? {
            requireDeclared(accessor.trySetAccessible()) {
                val type = record.javaClass
                "the module ${type.module.name} does not open the package of the record ${type.name}: write " +
                    "'opens ${type.packageName} to dev.cairn.core;' into its module-info.java"
            }
            return unwrapped { accessor.invoke(record) }
        }

        private fun unknown(name: String, value: Any) =
            "the parameter '$name' is of ${value.javaClass.name}, but a parameter is a value of a primitive type, a " +
                "text, a path, a constant of an enum, an array or a list of these, or a record: declare those that " +
                "make up the value, or a text that identifies it"

        private fun nan(bits: String, bitsInJava: String) = if (bits == bitsInJava) NAN else "$NAN $bits"

        private const val SHOWN = 16

        /** 0.1f is not 0.1. */
        private const val FLOAT = "f"
    }
}
