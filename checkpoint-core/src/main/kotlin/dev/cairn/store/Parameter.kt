package dev.cairn.store

import dev.cairn.event.requireDeclared
import dev.cairn.event.utf8Of
import kotlinx.serialization.Serializable
import kotlinx.serialization.Transient
import kotlinx.serialization.json.JsonPrimitive

/**
 * A value with which a program is started, as manifests hold it: the text [value] of a value of [type], which is a primitive type,
 * `text`, or `constant` for the name of a constant of an enum.
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

        /** The parameter [name] of a program that was started with [value]. */
        fun of(name: String, value: Any): Parameter {
            val type = value::class.javaPrimitiveType?.name ?: if (value is Enum<*>) CONSTANT else TEXT
            requireDeclared(type != TEXT || value is String, name) {
                "the parameter '$name' is of ${value.javaClass.name}, but a parameter is a value of a primitive " +
                    "type, a text, or a constant of an enum: declare those that make up the value, or a text that " +
                    "identifies it"
            }
            utf8Of(name) { "the name '$name'" }
            return Parameter(name, type, textOf(value)).also { utf8Of(it.value) { "the parameter '$name'" } }
        }

        private fun textOf(value: Any): String =
            when {
                value is Enum<*> -> value.name
                value is Float && value.isNaN() -> nan(value.toRawBits().toHexString(), "7fc00000")
                value is Double && value.isNaN() -> nan(value.toRawBits().toHexString(), "7ff8000000000000")
                else -> "$value"
            }

        private fun nan(bits: String, bitsInJava: String) = if (bits == bitsInJava) NAN else "$NAN $bits"
    }
}
