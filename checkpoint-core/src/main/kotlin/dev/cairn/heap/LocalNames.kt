package dev.cairn.heap

import java.io.DataInputStream
import java.io.InputStream

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
        known.getOrPut(className) {
            classes.open(className)?.use { VariableReading(it).variables() }.orEmpty()
        }

    /** Reads a class file, from its beginning. */
    private class VariableReading(input: InputStream) {
        private val data = DataInputStream(input.buffered())
        private val texts = HashMap<Int, String>()

        fun variables(): List<Variable> {
            data.skipNBytes(8)
            readConstants()
            data.skipNBytes(6)
            repeat(u2()) { u2() }
            repeat(u2()) { member { _, length -> data.skipNBytes(length) } }
            val found = ArrayList<Variable>()
            repeat(u2()) {
                member { method, length ->
                    if (attribute ==
                        CODE
                    ) {
                        found += code(method)
                    } else {
                        data.skipNBytes(length)
                    }
                }
            }
            return found
        }

        private var attribute: String? = null

        private fun u2() = data.readUnsignedShort()

        private fun u4() = data.readInt().toLong() and 0xffff_ffffL

        private fun readConstants() {
            val count = u2()
            var index = 1
            while (index < count) {
                val tag = data.readUnsignedByte()
                when (tag) {
                    1 -> texts[index] = data.readUTF()
                    7, 8, 16, 19, 20 -> data.skipNBytes(2)
                    15 -> data.skipNBytes(3)
                    5, 6 -> data.skipNBytes(8)
                    else -> data.skipNBytes(4)
                }
                index += if (tag == 5 || tag == 6) 2 else 1
            }
        }

        /** A field or a method. */
        private fun member(read: (name: String, length: Long) -> Unit) {
            u2()
            val name = texts[u2()].orEmpty()
            u2()
            attributes { read(name, it) }
        }

        private fun attributes(read: (length: Long) -> Unit) =
            repeat(u2()) {
                attribute = texts[u2()]
                read(u4())
            }

        private fun code(method: String): List<Variable> {
            data.skipNBytes(4)
            data.skipNBytes(u4())
            data.skipNBytes(u2() * 8L)
            val lines = ArrayList<Pair<Int, Int>>()
            val variables = ArrayList<IntArray>()
            attributes { length ->
                when (attribute) {
                    "LineNumberTable" -> repeat(u2()) { lines += u2() to u2() }
                    "LocalVariableTable" -> repeat(u2()) { variables += IntArray(5) { u2() } }
                    else -> data.skipNBytes(length)
                }
            }
            lines.sortBy { it.first }
            return variables.map { (start, length, name, type, slot) ->
                val own = linesOf(lines, start, start + length)
                Variable(method, texts[name].orEmpty(), texts[type].orEmpty(), slot, own)
            }
        }

        /** The lines whose code begins or goes on between the positions [start] and [end]. */
        private fun linesOf(lines: List<Pair<Int, Int>>, start: Int, end: Int): Set<Int> =
            lines
                .filterIndexed { index, (from, _) ->
                    from < end &&
                        lines.getOrElse(index + 1) { end to 0 }.first > start
                }.map { it.second }
                .toSet()
    }

    private companion object {
        const val CODE = "Code"
    }
}
