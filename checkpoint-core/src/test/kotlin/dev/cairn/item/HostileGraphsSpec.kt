package dev.cairn.item

import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Mismatch
import dev.cairn.house.Campaign
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.util.TreeMap
import kotlin.random.Random

private class Herd {
    var name: String? = "sheep"
    val members = arrayListOf<Any?>()
    val byName = HashMap<Any?, Any?>()
    var weight = 1.5
    val cells = IntArray(5) { it }
    val sorted = TreeMap<String, Any?>()
    var other: Any? = null
}

@JvmRecord
private data class Pen(val size: Int, val herd: Any?)

private fun herd(): Herd =
    Herd().apply {
        repeat(5) { members += Pen(it, if (it > 2) this else null) }
        byName["a"] = members
        byName[setOf(1)] = arrayOf<Any?>(this, 3L)
        sorted["x"] = java.util.List.of(1, 2, 3)
        other = Pair(Thread.State.NEW, Herd::class.java)
    }

/** [bytes] with another table. */
private fun withTable(bytes: ByteArray, change: (GraphTable) -> GraphTable): ByteArray {
    val size = ByteBuffer.wrap(bytes).order(LITTLE_ENDIAN).getInt()
    val table = change(GraphTable.STRUCTURE.readAll(ByteBuffer.wrap(bytes, 4, size).slice().order(LITTLE_ENDIAN)))
    val changed = ByteBuffer.allocate(4 + GraphTable.STRUCTURE.size(table).toInt()).order(LITTLE_ENDIAN)
    changed.putInt(changed.capacity() - 4)
    GraphTable.STRUCTURE.write(table, changed)
    return changed.array() + bytes.drop(4 + size)
}

private fun withClass(bytes: ByteArray, name: String, change: (GraphClass) -> GraphClass): ByteArray =
    withTable(bytes) { table -> table.copy(classes = table.classes.map { if (it.name == name) change(it) else it }) }

private const val HERD = "dev.cairn.item.Herd"

class HostileGraphsSpec :
    FunSpec({
        val bytes = bytesOfGraph(mapOf("Model" to herd()))

        test("a class of another package is not loaded") {
            for (name in listOf(
                "dev.cairn.itemized.Trap",
                "dev.cairn.state.Codecs",
                "javax.script.ScriptEngineManager",
            )) {
                val hostile = withClass(bytes, HERD) { it.copy(name = name, fields = emptyList()) }
                shouldThrow<Mismatch> { readGraph(hostile) }.message shouldContain "$name, which may not be made here"
            }
        }

        test("a class that is not allowed is not initialized, whatever its kind") {
            val name = "dev.cairn.state.trap.GraphTrap"
            for (kind in GraphKind.values()) {
                for (found in listOf(name, "[L$name;", "[[L$name;")) {
                    val hostile = withClass(bytes, HERD) { it.copy(kind = kind, name = found) }
                    shouldThrow<RuntimeException> { readGraph(hostile) }
                }
            }
            System.getProperty("cairn.trap") shouldBe null
        }

        test("objects of the classes of known gadget chains are refused") {
            val gadgets =
                listOf("java.lang.ProcessBuilder", "java.net.URL", "java.rmi.server.UnicastRemoteObject") +
                    listOf("javax.management.BadAttributeValueExpException", "java.beans.EventHandler") +
                    listOf("com.sun.rowset.JdbcRowSetImpl", "java.lang.invoke.SerializedLambda", "java.lang.Thread") +
                    listOf("java.util.WeakHashMap", "javax.naming.InitialContext", "java.util.ServiceLoader")
            for (name in gadgets) {
                for (kind in GraphKind.values()) {
                    val hostile = withClass(bytes, HERD) { it.copy(kind = kind, name = name) }
                    withClue("$name $kind") { shouldThrow<RuntimeException> { readGraph(hostile) } }
                }
            }
        }

        test("counts and lengths are compared with the bytes") {
            val flaws =
                listOf<(GraphClass) -> GraphClass>(
                    { it.copy(count = Int.MAX_VALUE) },
                    { it.copy(count = -1) },
                    { it.copy(elementCount = Long.MAX_VALUE) },
                    { it.copy(elementCount = -1) },
                    { it.copy(byteCount = Long.MAX_VALUE) },
                    { it.copy(byteCount = -5) },
                    { it.copy(lengthSize = 0) },
                    { it.copy(lengthSize = 200) },
                    { it.copy(factSize = 3) },
                    { it.copy(count = Int.MAX_VALUE, byteCount = Int.MAX_VALUE.toLong()) },
                )
            for (name in listOf("java.lang.String", "java.util.ArrayList", "[I", HERD, "java.util.HashMap")) {
                for ((index, flaw) in flaws.withIndex()) {
                    if (name == HERD && index == 6) continue // It has no lengths anyway.
                    withClue(
                        "$name $index",
                    ) { shouldThrow<RuntimeException> { readGraph(withClass(bytes, name, flaw)) } }
                }
            }
        }

        test("the large size of a hash table is refused") {
            val map = HashMap<String, Int>(128).apply { put("a", 1) }
            val small = bytesOfGraph(mapOf("Model" to map))
            val flaws =
                small.indices.filter { small[it] == 7.toByte() }.map { place ->
                    runCatching { readGraph(small.copyOf().also { it[place] = 30 }) }.exceptionOrNull()?.message
                }
            flaws.joinToString() shouldContain "hash tables with 16777216 empty places"
        }

        test("records that need each other are damage") {
            val pens = bytesOfGraph(mapOf("Model" to Pen(1, Pen(2, null))))
            // Their components are a reference each, which come first, and an int.
            val hostile = pens.copyOf().also { it[pens.size - 2 * Int.SIZE_BYTES - 1] = 1 }
            shouldThrow<DamagedGraph> { readGraph(hostile) }.message shouldContain "needs itself"
        }

        test("bytes that are cut end in an exception that says so") {
            for (size in 0 until bytes.size step 7) {
                shouldThrow<RuntimeException> { readGraph(bytes.copyOf(size)) }
                shouldThrow<RuntimeException> { storedGraph(bytes.copyOf(size)) }
            }
        }

        test("whatever the bytes, they are read, or refused by an exception of the reader") {
            val random = Random(Campaign.seed)
            println("seed ${Campaign.seed}")
            val stored = storedGraph(bytes)
            repeat(Campaign.FUZZED_FILES.count) { round ->
                val hostile = bytes.copyOf()
                repeat(random.nextInt(1, 4)) { hostile[random.nextInt(bytes.size)] = random.nextInt().toByte() }
                for (read in listOf<() -> Unit>(
                    { readGraph(hostile) },
                    { differenceOf(stored, storedGraph(hostile)) },
                )) {
                    try {
                        read()
                    } catch (_: DamagedGraph) {
                    } catch (_: CheckpointException) {
                    } catch (other: Throwable) {
                        throw AssertionError("round $round: $other", other)
                    }
                }
            }
        }

        test("changed classes are refused with class and field") {
            fun refusal(change: (GraphField) -> GraphField?) =
                shouldThrow<Mismatch> {
                    readGraph(withClass(bytes, HERD) { it.copy(fields = it.fields.mapNotNull(change)) })
                }.message!!
            refusal { if (it.name == "weight") null else it } shouldBe
                "the graph 'graph' was saved with other fields in dev.cairn.item.Herd: double Herd.weight is new. " +
                "Start the program that saved it, or begin a new run."
            refusal { if (it.name == "weight") it.copy(name = "mass") else it } shouldContain
                "double Herd.mass is gone"
            refusal { if (it.name == "weight") it.copy(type = "float") else it } shouldContain
                "float Herd.weight is double Herd.weight now"
            refusal { if (it.name == "weight") it.copy(declaring = "dev.cairn.item.Animal") else it } shouldContain
                "double Animal.weight is double Herd.weight now"
        }

        test("a class or a constant that is gone is named") {
            val gone = withClass(bytes, HERD) { it.copy(name = "dev.cairn.item.Gone") }
            shouldThrow<Mismatch> { readGraph(gone) }.message shouldContain
                "dev.cairn.item.Gone, which is not in the program"
            val text = String(bytes, Charsets.ISO_8859_1)
            val constant = text.replace("NEW", "OLD").toByteArray(Charsets.ISO_8859_1)
            shouldThrow<Mismatch> { readGraph(constant) }.message shouldContain "holds OLD of java.lang.Thread\$State"
        }
    })
