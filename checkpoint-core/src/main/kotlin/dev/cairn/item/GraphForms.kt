package dev.cairn.item

import dev.cairn.event.fullLine
import dev.cairn.state.ArrayKind
import java.io.Closeable
import java.lang.ref.Reference
import java.lang.reflect.Field
import java.lang.reflect.Modifier
import java.lang.reflect.Proxy
import java.nio.file.Path
import java.util.IdentityHashMap
import java.util.concurrent.Executor
import java.util.concurrent.locks.Condition
import java.util.concurrent.locks.Lock

/**
 * The forms of the classes in a graph: of those that the [guard] lets a restart make, and whose objects come back as they were.
 *
 * @param outside objects of the program that stay, by their names in the graph
 */
internal class GraphForms(private val guard: GraphGuard, outside: Map<String, Any> = emptyMap()) {
    private val entries = IdentityHashMap<Class<*>, Entry>()
    private val outsideNames = IdentityHashMap<Any, String>().apply { outside.forEach { (name, it) -> put(it, name) } }
    private val outsideForm = ConstantForm(Any::class.java, outsideNames::getValue, outside::get, ConstantForm.OUTSIDE)
    private val classes = ConstantForm(Class::class.java, { nameOfClass(it as Class<*>) }, ::classNamed)
    private val constantForms = listOf(classes, outsideForm).associateBy { it.name }

    /** Of the class that was asked for last, if all of its objects have one form. */
    private var last: GraphForm? = null

    /** @property constants the objects of the class that its static fields hold, by their names */
    private class Entry(val form: GraphForm, val constants: Map<Any, String> = emptyMap()) {
        val constantForm = ConstantForm(form.type, constants::getValue, ::find)

        private fun find(name: String) = constants.entries.find { it.value == name }?.key
    }

    /** The form of [found]; a [GraphRefusal] if it has none. */
    fun of(found: Any): GraphForm {
        val type = found.javaClass
        if (outsideNames.isNotEmpty() && found in outsideNames) return outsideForm
        if (type === last?.type) return checkNotNull(last)
        val entry = entryOf(type)
        if (entry.constants.isEmpty()) last = entry.form
        val name = entry.constants[found]
        return when {
            name == null -> entry.form.also { if (it is NoForm) throw it.refusal }
            isFlat(found) || isOfLibrary(type) -> entry.constantForm
            else -> throw GraphRefusal("is the constant ${type.name}.$name, whose content may change", NO_CONSTANT)
        }
    }

    /** The form of what was [stored]; a [GraphRefusal] if the program has no such class, or may not make it here. */
    fun of(stored: GraphClass): GraphForm {
        val known = graphValues[stored.name] ?: graphContainers[stored.name] ?: constantForms[stored.name]
        val form = known ?: loadedForm(stored)
        if (form.kind == stored.kind) return form
        throw GraphRefusal("was stored as one of ${stored.kind}, and is one of ${form.kind} now")
    }

    private fun loadedForm(stored: GraphClass): GraphForm {
        if (!guard.allows(stored)) throw GraphRefusal("may not be made here", "name its package in the declaration")
        val type = guard.load(stored.name) ?: throw GraphRefusal("is not in the program", "put it on the class path")
        val entry = entryOf(type)
        val isConstant = stored.kind == GraphKind.CONSTANT && entry.constants.isNotEmpty()
        return if (isConstant) entry.constantForm else entry.form
    }

    private fun entryOf(type: Class<*>): Entry =
        entries[type] ?: try {
            newEntryOf(type).also { entries[type] = it }
        } catch (missing: LinkageError) {
            throw GraphRefusal("is of ${type.name}, for which a class is missing: ${missing.fullLine()}", "add it")
        }

    private fun newEntryOf(type: Class<*>): Entry {
        val known = graphValues[type.name] ?: graphContainers[type.name]
        return when {
            known != null -> Entry(known)
            type == Class::class.java -> Entry(classes)
            type.isArray -> Entry(arrayForm(type))
            Path::class.java.isAssignableFrom(type) -> Entry(pathForm)
            Enum::class.java.isAssignableFrom(type) -> Entry(enumForm(if (type.isEnum) type else type.superclass))
            else -> entryWithFields(type)
        }
    }

    private fun arrayForm(type: Class<*>): GraphForm {
        requireNameable(lastElementOf(type))
        return ArrayKind.of(type.componentType)?.let { NumbersForm(type, it) } ?: ReferencesForm(type)
    }

    private fun enumForm(type: Class<*>): GraphForm {
        requireNameable(type)
        requireConstants(type)
        val byName by lazy { type.enumConstants.associateBy { (it as Enum<*>).name } }
        return ConstantForm(type, { (it as Enum<*>).name }, { byName[it] })
    }

    private fun entryWithFields(type: Class<*>): Entry {
        val constants = constantsOf(type)
        val hasConstantsAlone = constants.isNotEmpty() && isOfLibrary(type) && !GraphGuard.isPlain(type)
        if (hasConstantsAlone) return Entry(NoForm(type, notKnown(type)), constants)
        requireNoResource(type)
        if (!guard.allows(type.name)) throw if (isOfLibrary(type)) notKnown(type) else notAllowed(type)
        if (Modifier.isAbstract(type.modifiers)) throw GraphRefusal("is abstract")
        if (guard.load(type.name) !== type) throw GraphRefusal("is of another ${type.name} than a restart makes", OTHER)
        val columns = COLUMNS.get(type)
        val own = ownFormOf(type) ?: return Entry(FieldsForm(type, columns), constants)
        val refusal = GraphRefusal("is a ${type.name}, whose state is what its $own makes of it", OWN)
        return if (constants.isEmpty()) throw refusal else Entry(NoForm(type, refusal), constants)
    }

    private fun nameOfClass(type: Class<*>): String {
        requireNameable(lastElementOf(type))
        return type.name
    }

    private fun classNamed(name: String): Class<*>? = name.takeIf(guard::allowsToRead)?.let(guard::load)

    private fun requireNameable(type: Class<*>) {
        if (!guard.allowsToName(type.name)) throw notAllowed(type)
    }

    private fun notAllowed(type: Class<*>) =
        GraphRefusal(
            "is of ${type.name}, which is in no package of the graph" + guard.whyEmpty,
            "name the package ${type.packageName} in the declaration, or let the field be transient",
        )
}

/** The fields of a class that a save holds, found once: each graph of each save has forms of its own. */
private val COLUMNS =
    object : ClassValue<List<GraphColumn>>() {
        override fun computeValue(type: Class<*>) =
            typesOf(type, null).flatMap { (declaring, _) ->
                val all = declaring.declaredFields.filterNot { Modifier.isStatic(it.modifiers) }
                val isClosed = all.isNotEmpty() && isOfLibrary(declaring) && !GraphGuard.isOpen(declaring)
                if (isClosed) throw GraphRefusal("is a ${type.name}, and so a ${declaring.name}", COLLECTION)
                val fields = all.filterNot { Modifier.isTransient(it.modifiers) }
                fields.sortedBy { it.name }.onEach(::requireOpen).map { GraphColumn(it) }
            }
    }

/** Of a class that has constants alone. */
private class NoForm(type: Class<*>, val refusal: GraphRefusal) : GraphForm(GraphKind.CONSTANT, type)

/** The function by which a class says what is its state, which its fields do not: some may be transient, others are made of them. */
private fun ownFormOf(type: Class<*>): String? {
    if (java.io.Externalizable::class.java.isAssignableFrom(type)) return "Externalizable"
    val functions = above(type).filterNot(::isOfLibrary).flatMap { it.declaredMethods.asSequence() }
    return functions.map { it.name }.find { it in OWN_FORM }
}

internal fun requireOpen(field: Field) {
    if (field.trySetAccessible()) return
    val (why, remedy) = closed(field.declaringClass)
    throw GraphRefusal("has fields that $why", remedy)
}

private fun notKnown(type: Class<*>) = GraphRefusal("is a ${type.name}, which a restart cannot make")

/** Whether [type] is that of a lambda or of a reference to a function. */
internal fun isFunction(type: Class<*>) =
    type.isHidden || type.isSynthetic || above(type).any { it.name.startsWith("kotlin.jvm.internal.") }

private fun requireNoResource(type: Class<*>) {
    if (isFunction(type)) throw GraphRefusal("is a lambda, which has no name that a restart knows", NO_LAMBDA)
    if (Proxy.isProxyClass(type)) throw GraphRefusal("is a proxy, whose class is made anew by each run")
    val of = above(type).find(::isOfLibrary) ?: return
    val words = RESOURCES.entries.find { (resource, _) -> resource.isAssignableFrom(of) }?.value ?: return
    throw GraphRefusal("is $words (${type.name}), which ends with the run")
}

private fun above(type: Class<*>) = generateSequence(type) { it.superclass }.filter { it != Any::class.java }

private val RESOURCES =
    mapOf(
        Thread::class.java to "a thread",
        Executor::class.java to "an executor",
        java.util.Timer::class.java to "a timer",
        ClassLoader::class.java to "a class loader",
        Lock::class.java to "a lock",
        Condition::class.java to "a condition of a lock",
        Reference::class.java to "a weak reference",
        ThreadLocal::class.java to "a value of each thread",
        Closeable::class.java to "an open file or stream",
        java.util.stream.BaseStream::class.java to "a stream",
    )
private val OWN_FORM = setOf("writeObject", "readObject", "writeReplace", "readResolve")
private const val OWN = "save it by a stream, or let the field be transient, and make it anew after a restore"
private const val COLLECTION = "hold that in a field instead of extending it, or let the field be transient"
private const val NO_CONSTANT = "make an object that is no constant, or let the field be transient"
private const val NO_LAMBDA =
    "write a class with that function, or let the field be transient, and set it again after a restore"
private const val OTHER = "load it by the class loader of the root, or let the field be transient"
