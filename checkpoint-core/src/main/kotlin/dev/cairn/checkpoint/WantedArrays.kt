package dev.cairn.checkpoint

import dev.cairn.state.ArrayKind
import dev.cairn.state.ElementType

/** Arrays of the class [type], which hold cells of [item] unchanged; [advice] is the end of the refusal of any other class. */
internal fun <A : Any> arrayKind(
    type: Class<A>,
    elementType: ElementType,
    item: String,
    advice: String = "",
): ArrayKind<A> {
    require(type.componentType?.name == "$elementType") {
        "'$item' holds cells of the type $elementType: read it as $elementType[]$advice"
    }
    return ArrayKind.ofArrays(type)
}

/** The length of an array of [count] elements; [what] describes them in the message of a refusal. */
internal fun arraySize(count: Long, what: String): Int {
    require(
        count <= LONGEST_ARRAY,
    ) { "$what has $count elements, but an array holds at most $LONGEST_ARRAY: read parts" }
    return count.toInt()
}

/** The longest array that every JVM can allocate. */
private const val LONGEST_ARRAY = Int.MAX_VALUE - 8
