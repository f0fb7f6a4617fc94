package dev.cairn.testing

import com.sun.jdi.AbsentInformationException
import com.sun.jdi.ArrayReference
import com.sun.jdi.ArrayType
import com.sun.jdi.BooleanValue
import com.sun.jdi.ByteValue
import com.sun.jdi.CharValue
import com.sun.jdi.ClassType
import com.sun.jdi.DoubleValue
import com.sun.jdi.FloatValue
import com.sun.jdi.IntegerValue
import com.sun.jdi.LongValue
import com.sun.jdi.ObjectReference
import com.sun.jdi.PrimitiveValue
import com.sun.jdi.ShortValue
import com.sun.jdi.StackFrame
import com.sun.jdi.StringReference
import com.sun.jdi.Value
import com.sun.jdi.VirtualMachine
import dev.cairn.heap.Forgotten
import dev.cairn.heap.HeapClass
import dev.cairn.heap.LOCAL
import dev.cairn.heap.ProgramClasses

/**
 * A number, a text or an array of numbers that a restart has lost, where a program that is stopped keeps it: in a local variable, or in a
 * field to which fields lead from a static one or from a local variable.
 */
internal class LostValue(private val found: Forgotten) {
    private class Holder(val value: Value?, val assign: (Value) -> Unit)

    private val isArray = ELEMENT.containsMatchIn(found.path)
    private val path = found.path.replace(ELEMENT, "")

    /** Null if it is another value, or not to be found. */
    fun read(machine: VirtualMachine): Any? = holderIn(machine)?.value?.let(::plain)

    /** Whether it could be set. */
    fun set(machine: VirtualMachine, value: Any): Boolean {
        val holder = holderIn(machine) ?: return false
        if (value !is List<*>) {
            holder.assign(machine.mirror(value))
            return true
        }
        val array = (holder.value as? ArrayReference)?.takeIf { it.length() == value.size } ?: return false
        array.values = value.map { machine.mirror(checkNotNull(it)) }
        return true
    }

    /** Of several values, only one is known. */
    private fun holderIn(machine: VirtualMachine): Holder? {
        if (!isArray && found.count != 1L) return null
        val local = OF_METHOD.matchEntire(path) ?: return static(machine)
        val (name, method, fields) = local.destructured
        return variable(machine, name, method)?.follow(fields.split('.').drop(1))
    }

    private fun static(machine: VirtualMachine): Holder? =
        machine
            .allClasses()
            .filter { it is ClassType && !ProgramClasses.isLibrary(it.name()) }
            .mapNotNull { static(it as ClassType) }
            .singleOrNull()

    private fun static(type: ClassType): Holder? {
        val own = "${HeapClass.shortNameOf(type.name())}."
        if (!path.startsWith(own)) return null
        val fields = path.removePrefix(own).split('.')
        val first = type.fieldByName(fields.first())?.takeIf { it.isStatic } ?: return null
        return Holder(type.getValue(first)) { type.setValue(first, it) }.follow(fields.drop(1))
    }

    /** Null if several calls have such a variable. */
    private fun variable(machine: VirtualMachine, name: String, method: String): Holder? =
        machine
            .allThreads()
            .flatMap { it.frames() }
            .filter { nameOf(it) == method }
            .mapNotNull { variable(it, name) }
            .singleOrNull()

    private fun variable(frame: StackFrame, name: String): Holder? {
        if (name == "this") return frame.thisObject()?.let { Holder(it) {} }
        return try {
            frame.visibleVariableByName(name)?.let { Holder(frame.getValue(it)) { new -> frame.setValue(it, new) } }
        } catch (_: AbsentInformationException) {
            null
        }
    }

    private fun nameOf(frame: StackFrame) =
        "${HeapClass.shortNameOf(frame.location().declaringType().name())}.${frame.location().method().name()}"

    private fun Holder.follow(fields: List<String>): Holder? =
        fields.fold(this as Holder?) { holder, name -> holder?.follow(name) }

    /** A field that is final has no value but its first one. */
    private fun Holder.follow(name: String): Holder? {
        val owner = value as? ObjectReference ?: return null
        val field = owner.referenceType().fieldByName(name) ?: return null
        val inner = owner.getValue(field)
        return if (field.isFinal && inner is PrimitiveValue) null else Holder(inner) { owner.setValue(field, it) }
    }

    /** A value that another virtual machine can have, too. */
    private fun plain(value: Value): Any? =
        when (value) {
            is BooleanValue -> value.value()
            is ByteValue -> value.value()
            is CharValue -> value.value()
            is ShortValue -> value.value()
            is IntegerValue -> value.value()
            is LongValue -> value.value()
            is FloatValue -> value.value()
            is DoubleValue -> value.value()
            is StringReference -> value.value()
            is ArrayReference -> value.takeIf(::isOfNumbers)?.values?.map(::plain)
            else -> null
        }

    private fun isOfNumbers(array: ArrayReference) = (array.type() as ArrayType).componentSignature().length == 1

    private fun VirtualMachine.mirror(value: Any): Value =
        when (value) {
            is Boolean -> mirrorOf(value)
            is Byte -> mirrorOf(value)
            is Char -> mirrorOf(value)
            is Short -> mirrorOf(value)
            is Int -> mirrorOf(value)
            is Long -> mirrorOf(value)
            is Float -> mirrorOf(value)
            is Double -> mirrorOf(value)
            else -> mirrorOf("$value")
        }

    private companion object {
        val ELEMENT = Regex("""\[\d+]$""")
        val OF_METHOD = Regex("""\(?$LOCAL (\S+) of ([^\s)]+)\)?((?:\.[^.\[\]{}]+)*)""")
    }
}
