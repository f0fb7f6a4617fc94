package dev.cairn.item

import dev.cairn.state.NamedType
import dev.cairn.state.SerialCodec
import java.util.Random

/**
 * A field of an object, or an element of a list or an array.
 *
 * @property type as it is declared; null if that is a type parameter whose argument is not known
 * @property isConstant whether it holds the same object for ever
 * @property set null if nothing else can be put there
 */
internal class FieldPlace(
    val path: String,
    val type: NamedType?,
    val isConstant: Boolean,
    val get: () -> Any?,
    val set: ((Any?) -> Unit)? = null,
)

/**
 * What the fields of an object hold at one [path]. A restart finds the same form there, since it makes its objects as this run did.
 *
 * @property form in words, the same at each save
 * @property held the object that stays there; null if another one may take its place
 * @property lengths of an array of arrays
 * @property content what is saved; null if this only leads to other pieces
 */
internal class FieldPiece(
    val path: String,
    val form: String,
    val held: Any? = null,
    val lengths: List<Int> = emptyList(),
    val content: FieldContent? = null,
) {
    fun isAs(other: FieldPiece) =
        path == other.path && form == other.form && held === other.held && lengths == other.lengths
}

/** How a piece is declared. */
internal sealed interface FieldContent {
    class Value(val codec: SerialCodec<Any?>, val get: () -> Any?, val set: (Any?) -> Unit) : FieldContent

    class Cells(val get: () -> Any) : FieldContent

    class Generator(val get: () -> Any, val set: (Any) -> Unit) : FieldContent

    class Generators(val byName: MutableMap<String, Random>) : FieldContent
}
