package dev.cairn.state

import dev.cairn.redistribution.Widening

/** The type of a cell of a field or of a column: a Java primitive. Stored little-endian; a boolean takes a byte. */
public enum class ElementType(
    /** The bytes of one cell. */
    public val size: Int,
) {
    BOOLEAN(1),
    BYTE(1),
    SHORT(2),
    CHAR(2),
    INT(4),
    LONG(8),
    FLOAT(4),
    DOUBLE(8),
    ;

    private val text = name.lowercase()

    /** The name in manifests. */
    override fun toString(): String = text

    /** The conversion of cells of this type to [wider]; null if that cannot hold all of their values. */
    internal fun wideningTo(wider: ElementType): Widening? {
        val kind =
            when (this) {
                BYTE, SHORT, INT -> Widening.Kind.SIGNED.takeIf { wider in SIGNED }
                CHAR -> Widening.Kind.UNSIGNED.takeIf { wider == INT || wider == LONG }
                FLOAT -> Widening.Kind.FLOATING.takeIf { wider == DOUBLE }
                BOOLEAN, LONG, DOUBLE -> null
            }
        return when {
            wider == this -> Widening(Widening.Kind.UNSIGNED, size, size)
            kind == null || wider.size < size -> null
            else -> Widening(kind, size, wider.size)
        }
    }
}

private val SIGNED = setOf(ElementType.BYTE, ElementType.SHORT, ElementType.INT, ElementType.LONG)

/** The type that a manifest names, or null if it names none. */
internal fun elementTypeOf(text: String): ElementType? = ElementType.values().find { it.toString() == text }
