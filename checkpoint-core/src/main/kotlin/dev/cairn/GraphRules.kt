package dev.cairn

import dev.cairn.event.requireDeclared
import dev.cairn.item.GraphScope

/** Declares what a graph may hold. Valid only during the call to which it is passed, on the thread of its rank. */
@StateDsl
public class GraphRules internal constructor(private val graph: String) {
    private val packages = mutableSetOf<String>()
    private val outside = LinkedHashMap<String, Any>()
    internal val scope get() = GraphScope(packages, outside)

    /**
     * The graph may have objects of the classes in these [packages] and in those below them. Otherwise a save and a restore take those of
     * the package of the root's class alone, beside values and collections of the JDK. If the program restores before it has a root, there
     * is no such package.
     */
    public fun allow(vararg packages: String): GraphRules {
        val closed = packages.find { it.substringBefore('.') in LIBRARIES }
        requireDeclared(closed == null, graph) {
            "the graph '$graph' allows the package '$closed', of which Cairn takes only objects that it knows: name " +
                "packages of the program"
        }
        this.packages += packages
        return this
    }

    /**
     * The object [kept] of the program stays outside, such as its settings, its output, or a comparator that is a lambda: the graph stores
     * no more than this [name], and after a restart its objects lead to the one that the program declares by that name then.
     */
    public fun outside(name: String, kept: Any): GraphRules {
        requireNamed(name) { "an object outside of the graph '$graph'" }
        requireDeclared(outside.put(name, kept) == null, graph) {
            "the graph '$graph' has two objects outside of it with the name '$name': give each one of its own"
        }
        return this
    }
}

private val LIBRARIES = setOf("java", "javax", "jdk", "sun", "kotlin", "kotlinx")
