package dev.cairn.heap

/**
 * The names that local variables of suspended functions have in the source. They are in the class files: the compiler of Kotlin keeps
 * the variables in fields such as `L$0`, whose meaning depends on where the function waits.
 */
internal class SuspendedNames(private val classes: ClassFiles) {
    private val known = HashMap<String, Metadata?>()

    /** @property labels where each of the variables [names] is in the field of [fields] at the same index */
    private class Metadata(
        val function: String,
        val labels: IntArray,
        val fields: Array<String>,
        val names: Array<String>,
    )

    /** The names by their fields where the function [instance] waits now; null if they are not known. */
    fun slotsOf(dump: HeapDump, instance: Int): Map<String, String>? {
        val metadata = metadataOf(dump.classOf(instance)) ?: return null
        val label = (dump.bits(instance, "label").toInt() and Int.MAX_VALUE) - 1
        return metadata.labels.indices.filter { metadata.labels[it] == label }.associate {
            metadata.fields[it] to
                metadata.names[it]
        }
    }

    /** What the source calls the function. */
    fun functionOf(type: HeapClass): String {
        val metadata = metadataOf(type) ?: return type.shortName
        val outer = type.name.substringBefore('$')
        val method =
            metadata.function.takeIf { it != "invokeSuspend" }
                ?: type.name
                    .split('$')
                    .drop(1)
                    .firstOrNull { it.toIntOrNull() == null }
                ?: "lambda"
        return "${HeapClass.shortNameOf(outer)}.$method"
    }

    private fun metadataOf(type: HeapClass): Metadata? {
        if (type.name !in known) known[type.name] = read(type.name)
        return known[type.name]
    }

    /** The annotation is internal to Kotlin's library, which the program may have in another version than this one. */
    private fun read(className: String): Metadata? {
        val annotation =
            classes.find(className)?.annotations?.find {
                it.annotationClass.java.name ==
                    "kotlin.coroutines.jvm.internal.DebugMetadata"
            }
                ?: return null

        fun value(name: String): Any =
            annotation.annotationClass.java
                .getMethod(name)
                .invoke(annotation)
        @Suppress("UNCHECKED_CAST") // The annotation declares them as arrays of texts.
        return Metadata(
            value("m") as String,
            value("i") as IntArray,
            value("s") as Array<String>,
            value("n") as Array<String>,
        )
    }

    companion object {
        private val SLOT = Regex("""[A-Z]\$\d+""")

        fun isSlot(field: String): Boolean = SLOT.matches(field)
    }
}
