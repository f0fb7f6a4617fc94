package dev.cairn.item

/**
 * The classes of which a restart may make objects, by their names: those in [packages] and in the ones below them, beside those of the
 * JDK and of Kotlin whose forms are known. A name is looked at before its class is loaded, and loading does not initialize it.
 */
internal class GraphGuard(private val packages: Set<String>, private val loader: ClassLoader) {
    /** The end of a refusal; empty if there are packages. */
    val whyEmpty = if (packages.isEmpty()) ", since its root was no object of the program when the run began" else ""

    fun allows(name: String): Boolean {
        val inPackage = name.substringBeforeLast('.', "")
        return inPackage in packages || packages.any { it.isNotEmpty() && inPackage.startsWith("$it.") } ||
            name in PLAIN
    }

    /** As [allows], and any class of the JDK or of Kotlin: for arrays, whose elements have a form of their own, and for constants. */
    fun allowsToName(name: String): Boolean = allows(name) || LIBRARIES.any(name::startsWith) || name in PRIMITIVES

    /** As [allowsToName], for the name of a class that may be one of arrays. */
    fun allowsToRead(name: String): Boolean = elementNameOf(name)?.let(::allowsToName) ?: false

    fun allows(stored: GraphClass): Boolean =
        when (stored.kind) {
            GraphKind.FIELDS, GraphKind.RECORD -> allows(stored.name)
            else -> allowsToRead(stored.name)
        }

    /** Null if there is no such class. */
    fun load(allowed: String): Class<*>? =
        PRIMITIVES[allowed] ?: runCatching { Class.forName(allowed, false, loader) }.getOrNull()

    companion object {
        /** The package of each of [roots] that is of the program, and the [named] ones. */
        fun of(roots: Collection<Any?>, named: Set<String> = emptySet()): GraphGuard {
            val ofRoots = roots.mapNotNullTo(LinkedHashSet()) { it?.javaClass }
            val classes = ofRoots.map(::lastElementOf).filterNot(::isOfLibrary)
            val loader = classes.firstOrNull()?.classLoader ?: Thread.currentThread().contextClassLoader
            return GraphGuard(named + classes.map { it.packageName }, loader)
        }

        /** Classes of libraries whose objects are their fields. */
        private val PLAIN =
            setOf("java.lang.Object", "kotlin.Pair", "kotlin.Triple", "kotlin.random.XorWowRandom") +
                listOf("IntRange", "IntProgression", "LongRange", "LongProgression").map { "kotlin.ranges.$it" }
        private val LIBRARIES = listOf("java.", "kotlin.")
        val PRIMITIVES: Map<String, Class<*>> =
            listOf<Class<*>>(Boolean::class.java, Byte::class.java, Short::class.java, Char::class.java)
                .plus(listOf(Int::class.java, Long::class.java, Float::class.java, Double::class.java))
                .associateBy { it.name }

        /** Classes of libraries whose own fields are no more than views and counters, which are made anew. */
        private val WITHOUT_STATE = setOf("java.util.AbstractList", "java.util.AbstractMap")

        fun isPlain(type: Class<*>) = type.name in PLAIN

        /** Whether an object of a class below it comes back without what is hidden in [type]. */
        fun isOpen(type: Class<*>) = isPlain(type) || type.name in WITHOUT_STATE
    }
}

/** Of arrays of any depth, the class of what they hold at last. */
internal fun lastElementOf(type: Class<*>): Class<*> = generateSequence(type) { it.componentType }.last()

/** The same for the name of a class, as `Class.getName` gives it; null if it is none. */
internal fun elementNameOf(name: String): String? {
    val element = name.trimStart('[')
    if (element == name) return name
    if (element.startsWith("L")) return element.substring(1).removeSuffix(";")
    return GraphGuard.PRIMITIVES.values
        .find { it.descriptorString() == element }
        ?.name
}
