package dev.cairn.heap

import java.io.DataInputStream
import java.io.IOException
import java.io.InputStream

/**
 * The methods in a class file, with their code and the names to which it refers.
 *
 * @throws IOException if it ends too early
 */
internal class ClassFile(input: InputStream) {
    private val data = DataInputStream(input.buffered())
    private val texts = HashMap<Int, String>()

    /** The indices to which a constant refers. */
    private val references = HashMap<Int, List<Int>>()

    val methods: List<ClassMethod>

    init {
        data.skipNBytes(8)
        readConstants()
        data.skipNBytes(6)
        repeat(data.readUnsignedShort()) { data.readUnsignedShort() }
        readMembers()
        methods = readMembers()
    }

    private fun readConstants() {
        val count = data.readUnsignedShort()
        var index = 1
        while (index < count) {
            val tag = data.readUnsignedByte()
            when (tag) {
                TEXT -> texts[index] = data.readUTF()
                7, 8, 16, 19, 20 -> references[index] = listOf(data.readUnsignedShort())
                9, 10, 11, 12 -> references[index] = List(2) { data.readUnsignedShort() }
                15 -> data.skipNBytes(3)
                3, 4, 17, 18 -> data.skipNBytes(4)
                LONG, DOUBLE -> data.skipNBytes(8)
                else -> throw IOException("the constant $index is of the unknown kind $tag")
            }
            index += if (tag == LONG || tag == DOUBLE) 2 else 1
        }
    }

    /** The text at [index], or those to which the constant there leads: the class, the name and the type of a field or method. */
    fun textsAt(index: Int): List<String> =
        texts[index]?.let(::listOf) ?: references[index].orEmpty().flatMap(::textsAt)

    fun textAt(index: Int): String = texts[index].orEmpty()

    private fun readMembers(): List<ClassMethod> =
        List(data.readUnsignedShort()) {
            data.readUnsignedShort()
            val (name, type) = List(2) { textAt(data.readUnsignedShort()) }
            ClassMethod(name, type, attributesOf(data)[CODE]?.let(::codeOf))
        }

    private fun attributesOf(source: DataInputStream): Map<String, ByteArray> =
        List(source.readUnsignedShort()) {
            textAt(source.readUnsignedShort()) to source.readNBytes(source.readInt())
        }.toMap()

    private fun codeOf(attribute: ByteArray): MethodCode {
        val source = DataInputStream(attribute.inputStream())
        source.skipNBytes(4)
        val bytes = source.readNBytes(source.readInt())
        val handlerCount = source.readUnsignedShort()
        source.skipNBytes(handlerCount * 8L)
        return MethodCode(bytes, handlerCount, attributesOf(source))
    }

    private companion object {
        const val CODE = "Code"
        const val TEXT = 1
        const val LONG = 5
        const val DOUBLE = 6
    }
}

/** @property type of its parameters and its result, as in class files; [code] is null if it has none */
internal class ClassMethod(val name: String, val type: String, val code: MethodCode?)

/** @property attributes what is known of it beside its [bytes], such as the lines of its source */
internal class MethodCode(val bytes: ByteArray, val handlerCount: Int, val attributes: Map<String, ByteArray>)
