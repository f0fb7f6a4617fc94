package dev.cairn.item

/** Paths to the objects of a graph, such as `Model.agents[3].home`: each is the one by which the object was [entered][enter] first. */
internal class GraphPaths(private val content: GraphContent) {
    /** For each number that was entered, the number of the object that leads to it, 0 of a root; and what step does so. */
    private val holders = IntArray(content.count + 1) { NONE }
    private val steps = IntArray(content.count + 1)

    /** False if the object has a path, or is null. */
    fun enter(number: Int, holder: Int, step: Int): Boolean {
        if (number == 0 || holders[number] != NONE) return false
        holders[number] = holder
        steps[number] = step
        return true
    }

    /** A shortest one to [target], of a new instance. Walks through the graph, so it is for messages. */
    fun find(target: Int): String {
        val ahead = ArrayDeque<Int>()
        content.roots.forEachIndexed { index, root -> if (enter(root.number, 0, index)) ahead += root.number }
        while (holders[target] == NONE && ahead.isNotEmpty()) {
            val holder = ahead.removeFirst()
            val references =
                try {
                    content.referencesOf(holder)
                } catch (_: RuntimeException) {
                    continue // It is what is refused, or another thread changes it.
                }
            references.forEachIndexed { step, number -> if (enter(number, holder, step)) ahead += number }
        }
        return to(target)
    }

    fun to(number: Int): String = to(holders[number], steps[number])

    /** To what a [step] from [holder] leads to. */
    fun to(holder: Int, step: Int): String {
        val path = ArrayDeque<String>()
        var next = step
        var from = holder
        while (from > 0) {
            path.addFirst(stepOf(from, next))
            next = steps[from]
            from = holders[from]
        }
        path.addFirst(content.roots[next].name)
        if (path.size <= MOST_STEPS) return path.joinToString("")
        val left = path.size - MOST_STEPS
        return path.take(MOST_STEPS / 2).joinToString("") + "…($left more)…" +
            path.takeLast(MOST_STEPS / 2).joinToString("")
    }

    private fun stepOf(holder: Int, index: Int): String {
        val type = content.typeOf(holder)
        return when (type.kind) {
            GraphKind.FIELDS, GraphKind.RECORD -> type.fields.stepTo(type.fields.filter { it.element == null }[index])
            GraphKind.CONTAINER -> graphContainers.getValue(type.name).step(index) { keyAt(holder, it) }
            else -> "[$index]"
        }
    }

    private fun keyAt(holder: Int, index: Int): String? =
        content.referencesOf(holder)[index].let { if (it == 0 || !content.isOwned(it)) content.textOf(it) else null }
}

/** That to [field], with its class if a class below has one of the same name. */
internal fun List<GraphField>.stepTo(field: GraphField): String {
    val isHidden = last { it.name == field.name } != field
    val within = field.declaring.substringAfterLast('.').substringAfterLast('$')
    return if (isHidden) ".$within.${field.name}" else ".${field.name}"
}

private const val NONE = -1
private const val MOST_STEPS = 20
