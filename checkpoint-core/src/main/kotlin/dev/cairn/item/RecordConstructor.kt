package dev.cairn.item

import dev.cairn.heap.ClassFile
import dev.cairn.heap.ClassFiles
import java.io.IOException
import java.nio.ByteBuffer

/** Whether these are records whose constructor does more than keep what it gets. */
internal val GraphForm.hasCodeOfItsOwn get() = kind == GraphKind.RECORD && !keepsWhatItGets(type)

/**
 * Whether the canonical constructor of [record] does nothing but put each parameter into the field of its component, so that it treats
 * all objects alike; it may refuse null. False if its class file is not at hand.
 */
internal fun keepsWhatItGets(record: Class<*>): Boolean = KEEPS.get(record)

private val KEEPS =
    object : ClassValue<Boolean>() {
        override fun computeValue(type: Class<*>) =
            try {
                val file = ClassFiles(type.classLoader).open(type.name)?.use(::ClassFile)
                file != null && RecordConstructor(type, file).keepsWhatItGets()
            } catch (_: IOException) {
                false
            } catch (_: RuntimeException) {
                // The file is not that of the class any more.
                false
            }
    }

/** The canonical constructor of [record], as its class file has it. */
private class RecordConstructor(record: Class<*>, private val file: ClassFile) {
    private val name = record.name.replace('.', '/')
    private val components = record.recordComponents.toList()
    private val type = components.joinToString("", "(", ")V") { it.type.descriptorString() }

    /** The components by the slots of their parameters: 0 is the record. */
    private val bySlot = components.runningFold(1) { slot, it -> slot + sizeOf(it.type) }.zip(components).toMap()

    private fun sizeOf(type: Class<*>) = if (type == Long::class.java || type == Double::class.java) 2 else 1

    fun keepsWhatItGets(): Boolean {
        val code = file.methods.find { it.name == "<init>" && it.type == type }?.code ?: return false
        return code.handlerCount == 0 && Instructions(ByteBuffer.wrap(code.bytes)).kept() == bySlot.keys
    }

    /** Each function that asks for an instruction passes it if it is the next one. */
    private inner class Instructions(private val bytes: ByteBuffer) {
        /** The slots whose parameters are put into the fields of their components; null if anything else is done. */
        fun kept(): Set<Int>? {
            val kept = HashSet<Int>()
            while (!isNext(RETURN)) {
                val slot = loaded() ?: return null
                when {
                    slot != 0 -> if (!refusesNull()) return null
                    !isNext(CALL_SPECIAL, OF_RECORD) -> kept += putParameter() ?: return null
                }
            }
            return kept.takeUnless { bytes.hasRemaining() }
        }

        private fun putParameter(): Int? {
            val slot = loaded()
            val component = bySlot[slot] ?: return null
            return slot.takeIf { isNext(PUT_FIELD, listOf(name, component.name, component.type.descriptorString())) }
        }

        private fun refusesNull(): Boolean {
            if (isNext(SHORT_CONSTANT)) {
                bytes.get()
            } else if (isNext(CONSTANT)) {
                bytes.short
            }
            return isNext(CALL_STATIC, OF_KOTLIN) || (OF_JAVA.any { isNext(CALL_STATIC, it) } && isNext(POP))
        }

        /** The slot of the variable that is loaded. */
        private fun loaded(): Int? {
            if (!bytes.hasRemaining()) return null
            return when (val code = bytes.get(bytes.position()).toInt() and 0xff) {
                in LOADS -> bytes.short.toInt() and 0xff
                in SHORT_LOADS -> (bytes.get() - SHORT_LOADS.first) % 4
                else -> null
            }
        }

        private fun isNext(code: Int): Boolean {
            val isNext = bytes.hasRemaining() && bytes.get(bytes.position()).toInt() and 0xff == code
            if (isNext) bytes.get()
            return isNext
        }

        private fun isNext(code: Int, target: List<String>): Boolean {
            val begin = bytes.position()
            val isNext = isNext(code) && file.textsAt(bytes.short.toInt() and 0xffff) == target
            if (!isNext) bytes.position(begin)
            return isNext
        }
    }

    private companion object {
        const val SHORT_CONSTANT = 0x12
        const val CONSTANT = 0x13

        /** Of each of five types, with the slot behind it, and with the slot, 0 to 3, in it. */
        val LOADS = 0x15..0x19
        val SHORT_LOADS = 0x1a..0x2d
        const val POP = 0x57
        const val RETURN = 0xb1
        const val PUT_FIELD = 0xb5
        const val CALL_SPECIAL = 0xb7
        const val CALL_STATIC = 0xb8
        val OF_RECORD = listOf("java/lang/Record", "<init>", "()V")
        val OF_KOTLIN =
            listOf(
                "kotlin/jvm/internal/Intrinsics",
                "checkNotNullParameter",
                "(Ljava/lang/Object;Ljava/lang/String;)V",
            )
        val OF_JAVA =
            listOf("(Ljava/lang/Object;)Ljava/lang/Object;", "(Ljava/lang/Object;Ljava/lang/String;)Ljava/lang/Object;")
                .map { listOf("java/util/Objects", "requireNonNull", it) }
    }
}
