package dev.cairn.item

import java.lang.reflect.Field
import java.lang.reflect.Modifier
import java.util.Collections
import java.util.IdentityHashMap
import java.util.Optional

/**
 * The objects to which the [items] of one rank lead, with a path to each, since a restart would make two of one to which two items lead.
 */
internal class ReachedObjects(private val items: List<StateItem> = emptyList()) {
    /** Those that fields lead to. */
    private val firsts = IdentityHashMap<Any, First>()

    /** Those of the program that never change, to which fields lead too. */
    private val constants = IdentityHashMap<Any, String>()

    /** Those of the save that is written, by the names of their items. */
    private val graphs = LinkedHashMap<String, GraphWalk>()

    /** All objects of these [graphs], so that no object is looked up in each of them. */
    private var inGraphs = GraphNumbers()

    /** Null if [path] is the first one. Refuses an object that a restart [replaces][First.isReplaced] in one of two places. */
    fun firstPathTo(found: Any, path: String, isReplaced: Boolean): String? {
        val earlier = firsts.putIfAbsent(found, First(path, isReplaced)) ?: return null
        if (!isReplaced && !earlier.isReplaced) return earlier.path
        throw refusal(
            path,
            "holds the same ${found.javaClass.typeName} as '${earlier.path}', and a restart would make two of it",
            "declare it once, give each its own, or let one ask the other for it",
        )
    }

    /** Fields lead along [path] to [found], which never changes, and stays where it is. */
    fun addConstant(found: Any, path: String) {
        if (found is Collection<*> || found is Map<*, *>) {
            partsOf(found, null).forEach { part -> part.value?.let { addConstant(it, path) } }
        } else if (isOfProgram(found.javaClass) && !found.javaClass.isRecord) {
            constants.putIfAbsent(found, path)
        }
    }

    /** Whether fields lead to no objects. */
    val isEmpty get() = firsts.isEmpty() && constants.isEmpty()

    /** Null if no fields lead to [found]. */
    fun pathTo(found: Any): String? = firsts[found]?.path ?: constants[found]

    fun clear() {
        firsts.clear()
        constants.clear()
    }

    /** A new save has begun, in which the graph [item] was not written yet. */
    fun forget(item: GraphItem<*>) {
        if (graphs.remove(item.name) == null) return
        inGraphs = GraphNumbers()
        graphs.values.forEach { inGraphs.addAll(it.numbers) }
    }

    /**
     * Walks through the graph of [item] by [walk], which gets the path by which fields or another graph have an object. Behind the last
     * graph of a save, all of them are compared with what other items have.
     */
    fun walkThrough(item: GraphItem<*>, walk: (claimed: (Any) -> String?) -> GraphWalk): GraphWalk {
        forget(item)
        val walked = walk(::claimOn)
        graphs[item.name] = walked
        if (item != items.last { it is GraphItem<*> }) return walked.also { inGraphs.addAll(it.numbers) }
        val met = Collections.newSetFromMap(IdentityHashMap<Any, Boolean>())
        for (other in items) other.savedObjects().forEach { compare(it, other, met) }
        graphs.clear()
        inGraphs = GraphNumbers()
        return walked
    }

    /** The path by which fields or another graph have an object that may not be made twice; null if none has it. */
    private fun claimOn(found: Any): String? {
        val first = firsts[found]
        val isHeld = first != null || inGraphs.of(found) != 0
        if (!isHeld || isValueOfJdk(found)) return null
        return first?.path ?: graphs.values.firstNotNullOfOrNull { it.pathIfHeld(found) }
    }

    /**
     * A codec whose schema is not known may store no more of an object than its name. One with a schema goes through all
     * elements, so that these have no cycles of their own.
     */
    private fun compare(value: Any?, item: StateItem, met: MutableSet<Any>) {
        // Of rows also those matter that never change.
        if (value == null || (item !is TableItem && isFlat(value))) return
        if (!value.javaClass.isRecord) {
            val isOfElements = value is Collection<*> || value is Map<*, *> || value is Array<*>
            if ((item.valueSchema == null || !isOfElements) && !met.add(value)) return
            for (graph in graphs.values) {
                if (item is TableItem) graph.requireNoRow(value, item.name) else graph.requireApart(value, item.name)
            }
        }
        if (value is Map<*, *>) value.forEach { (key, its) -> compare(key, item, met).also { compare(its, item, met) } }
        if (value is Array<*>) value.forEach { compare(it, item, met) }
        if (value is Collection<*>) value.forEach { compare(it, item, met) }
        if (value is Optional<*>) compare(value.orElse(null), item, met)
        if (item.valueSchema != null) LEADING.get(value.javaClass).forEach { compare(it.get(value), item, met) }
    }

    private class First(val path: String, val isReplaced: Boolean)

    private companion object {
        /** The fields of a class of the program that may lead to other objects. */
        val LEADING =
            object : ClassValue<List<Field>>() {
                override fun computeValue(type: Class<*>): List<Field> {
                    val classes = if (isOfProgram(type)) typesOf(type, null).map { (of, _) -> of } else emptyList()
                    return classes.flatMap { it.declaredFields.asList() }.filter {
                        !Modifier.isStatic(it.modifiers) && !it.type.isPrimitive && !isFlat(it) && it.trySetAccessible()
                    }
                }
            }
    }
}
