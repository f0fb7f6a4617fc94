package dev.cairn.heap

import java.io.DataInputStream

/** The names of local variables, which the compilers of Java and Kotlin write into class files; a dump has only their objects. */
internal class LocalNames(private val classes: ClassFiles) {
    private val known = HashMap<String, List<Variable>>()

    /** @property type its declared type, as in class files */
    private class Variable(val method: String, val name: String, val type: String, val slot: Int, val lines: Set<Int>) {
        /** Kotlin's compiler adds variables such as `$result` to suspended functions. A receiver begins with `$this$`. */
        val isOfSource get() = !name.startsWith("$") || name.startsWith("\$this$")
    }

    /**
     * The names of the variables in [frame] that can hold objects of the class [type], in the order of the dump; null if these are not
     * [count], as when one is null, since it is not known then which one has which object.
     */
    fun namesOf(frame: HeapFrame, type: String, count: Int): List<String>? {
        val held = classes.find(type)
        return variablesOf(frame.className)
            .filter {
                it.method == frame.method && frame.line in it.lines && it.isOfSource &&
                    canHold(it.type, type, held)
            }.sortedBy { it.slot }
            .map { it.name.substringBefore("\$iv") }
            .distinct()
            .takeIf { it.size == count }
    }

    /** Classes of lambdas are in no file, and have interfaces as types. */
    private fun canHold(declared: String, type: String, held: Class<*>?): Boolean {
        if (declared.length == 1) return false
        val variable = classes.find(declared.removePrefix("L").removeSuffix(";").replace('/', '.'))
        return if (held ==
            null
        ) {
            declared == type || variable?.isInterface == true
        } else {
            variable?.isAssignableFrom(held) == true
        }
    }

    private fun variablesOf(className: String): List<Variable> =
        known.getOrPut(className) { classes.open(className)?.use { variablesIn(ClassFile(it)) }.orEmpty() }

    private fun variablesIn(file: ClassFile): List<Variable> =
        file.methods.flatMap { method -> method.code?.let { variablesIn(it, method.name, file) }.orEmpty() }

    private fun variablesIn(code: MethodCode, method: String, file: ClassFile): List<Variable> {
        val table = rowsOf(code.attributes["LineNumberTable"], 2)
        val lines = table.map { (from, line) -> from to line }.sortedBy { it.first }
        return rowsOf(code.attributes["LocalVariableTable"], 5).map { (start, length, name, type, slot) ->
            val own = linesOf(lines, start, start + length)
            Variable(method, file.textAt(name), file.textAt(type), slot, own)
        }
    }

    /** A table of as many numbers in each row. */
    private fun rowsOf(table: ByteArray?, columnCount: Int): List<List<Int>> {
        val data = DataInputStream((table ?: return emptyList()).inputStream())
        return List(data.readUnsignedShort()) { List(columnCount) { data.readUnsignedShort() } }
    }

    /** The lines whose code begins or goes on between the positions [start] and [end]. */
    private fun linesOf(lines: List<Pair<Int, Int>>, start: Int, end: Int): Set<Int> =
        lines
            .filterIndexed { index, (from, _) -> from < end && lines.getOrElse(index + 1) { end to 0 }.first > start }
            .map { it.second }
            .toSet()
}
