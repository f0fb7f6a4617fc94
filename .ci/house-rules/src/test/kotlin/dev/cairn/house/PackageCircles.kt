package dev.cairn.house

import com.tngtech.archunit.core.domain.JavaClass

/** Packages of which each uses, directly or through others, all the others; and the classes that make it so. */
class PackageCircle(val packages: List<String>, private val uses: List<PackageUse>) {
    /** A line for each pair of packages, those with the fewest uses first: there a circle is opened with the least work. */
    override fun toString(): String =
        "${packages.joinToString(", ")} use each other:\n" +
            uses.sortedWith(compareBy({ it.classes.size }, { it.user }, { it.used })).joinToString("\n") { "  $it" }
}

/** One package uses another one, by [classes] of which each text names the class that uses and the one that is used. */
class PackageUse(val user: String, val used: String, val classes: Set<String>) {
    override fun toString(): String {
        val shown = classes.sorted().take(MOST_SHOWN)
        val more = if (classes.size > shown.size) " and ${classes.size - shown.size} more" else ""
        return "$user -> $used: ${shown.joinToString(", ")}$more"
    }

    private companion object {
        const val MOST_SHOWN = 8
    }
}

/**
 * The circles among the packages of [classes]. Each package stands for itself, so a package and the packages below it are
 * different ones. No class uses a spec, and a spec may use anything, so what a spec uses does not count; what helpers of specs use does.
 *
 * The compiler leaves no trace of some uses: of constants, which it copies, and of inline functions.
 */
fun packageCircles(classes: Iterable<JavaClass>): List<PackageCircle> {
    val uses = packageUses(classes)
    val next = uses.groupBy({ it.user }, { it.used })
    val reached = next.keys.associateWith { reachedFrom(it, next) }
    return next.keys
        .map { start -> reached.getValue(start).filter { start in reached[it].orEmpty() }.sorted() }
        .filter { it.isNotEmpty() }
        .distinct()
        .map { circle -> PackageCircle(circle, uses.filter { it.user in circle && it.used in circle }) }
}

private fun packageUses(classes: Iterable<JavaClass>): List<PackageUse> {
    val own = classes.map { it.name }.toSet()
    return classes
        .filterNot(::isPartOfSpec)
        .flatMap { it.directDependenciesFromSelf }
        .filter { it.targetClass.name in own && it.originClass.packageName != it.targetClass.packageName }
        .groupBy { it.originClass.packageName to it.targetClass.packageName }
        .map { (pair, dependencies) ->
            val named = dependencies.map { "${simpleName(it.originClass)} uses ${simpleName(it.targetClass)}" }
            PackageUse(pair.first, pair.second, named.toSet())
        }
}

private fun isPartOfSpec(type: JavaClass): Boolean =
    type.source
        .flatMap { it.fileName }
        .map { it.substringBeforeLast('.').endsWith("Spec") }
        .orElse(false)

/** With the classes around it, but without what the compiler numbers. */
private fun simpleName(type: JavaClass): String =
    type.name
        .substringAfterLast('.')
        .split('$')
        .takeWhile { it.firstOrNull()?.isUpperCase() == true }
        .joinToString(".")

private fun reachedFrom(start: String, next: Map<String, List<String>>): Set<String> {
    val reached = mutableSetOf<String>()
    val waiting = ArrayDeque(next[start].orEmpty())
    while (waiting.isNotEmpty()) {
        val name = waiting.removeFirst()
        if (reached.add(name)) waiting += next[name].orEmpty()
    }
    return reached
}
