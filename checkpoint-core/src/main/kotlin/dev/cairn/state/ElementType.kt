package dev.cairn.state

/** What a cell of a field is: a Java primitive. Stored little-endian; a boolean takes a byte. */
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

    /** As manifests write it. */
    override fun toString(): String = name.lowercase()
}
