package dev.cairn.item

import io.kotest.matchers.shouldBe
import java.io.ByteArrayInputStream
import java.io.ByteArrayOutputStream

/** The bytes of the graph of [roots], of which the classes of [named] packages may be part. */
internal fun bytesOfGraph(roots: Map<String, Any?>, named: Set<String> = OWN_PACKAGE): ByteArray {
    val walk = GraphWalk("graph", roots, GraphForms(GraphGuard.of(emptyList(), named))).apply { requireInPlace() }
    return ByteArrayOutputStream().also { GraphWriting("graph", walk, it).run() }.toByteArray()
}

internal fun readGraph(bytes: ByteArray, named: Set<String> = OWN_PACKAGE): RestoredGraph =
    GraphReading("graph", formsOf(named), ByteArrayInputStream(bytes), bytes.size.toLong()).read()

/** What comes back for [root], whose whole graph is equal. */
internal fun <T : Any> copyOf(root: T): T {
    val roots = mapOf("Model" to root)
    val forms = formsOf(OWN_PACKAGE)
    val walk = GraphWalk("graph", roots, forms).apply { requireInPlace() }
    val bytes = ByteArrayOutputStream().also { GraphWriting("graph", walk, it).run() }.toByteArray()
    val restored = readGraph(bytes)
    val present = walk.content
    differenceOf(present, restored.content) shouldBe null
    val stored = storedGraph(bytes)
    differenceOf(present, stored) shouldBe null
    differenceOf(stored, present) shouldBe null
    @Suppress("UNCHECKED_CAST") // The comparison has compared the classes.
    return restored.roots.getValue("Model") as T
}

internal fun formsOf(packages: Set<String>) = GraphForms(GraphGuard.of(emptyList(), packages))

internal val OWN_PACKAGE = setOf("dev.cairn.item")

internal fun differenceOf(one: GraphContent, other: GraphContent): String? =
    GraphComparison(one, other).firstDifference()?.run { "'$path' is $mine, and was read as $its" }

internal fun storedGraph(bytes: ByteArray): GraphContent =
    checkNotNull(StoredGraph(GraphInput(ByteArrayInputStream(bytes), bytes.size.toLong())).content())
