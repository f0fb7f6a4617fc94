package dev.cairn.heap

import dev.cairn.heap.Forgotten.Note
import dev.cairn.heap.planted.run
import dev.cairn.house.JDK_DEPENDENT
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import java.util.zip.CRC32

/** Two virtual machines run the same program. In the dumps of one of them, a single part of its state differs each time. */
@Tags(JDK_DEPENDENT)
class HeapComparisonSpec :
    FunSpec({
        val changes =
            mapOf(
                "field" to found("Wood.season", "World.wood.season", "SUMMER", "SPRING"),
                "null" to found("Tree.neighbour", "World.wood.byName[\"tree 7\"].neighbour", "object of Tree", "null"),
                "element" to found("Wood.grid", "World.wood.grid[2][3]", "0.0", "1.0"),
                "elements" to found("Tree.height", "World.wood.byName[\"tree 0\"].height", "0.0", "1.0", 100),
                "chain" to found("Tree.rings", "World.wood.byName[\"tree 1\"].rings[1]", "1", "8"),
                "type" to found("Wood.hidden", "World.wood.hidden", "\"text\"", "5"),
                "captured" to found("Wood.rate", "World.wood.rate", "1.5", "2.0"),
                "random" to
                    found("Wood.random", "World.wood.random.seed.value", "${seeded(7)}", "${afterwards(seeded(7))}"),
                "counter" to found("Wood.ids", "World.wood.ids.value", "100", "101"),
                "bits" to found("Wood.sparks", "World.wood.sparks", "{5, 6}", "{5, 6, 100}"),
                "optional" to found("Wood.best", "World.wood.best.value", "\"beech\"", "\"oak\""),
                "map" to found("Wood.cells", "World.wood.cells[Cell(column = 4, row = 3)]", "3.4", "-1.0"),
                "concurrent" to found("Wood.shared", "World.wood.shared[\"key 5\"]", "5", "0"),
                "skip" to found("Wood.skipping", "World.wood.skipping[5]", "\"value 5\"", "\"other\""),
                "enum" to found("Wood.seasons", "World.wood.seasons[SUMMER]", "1", "9"),
                "key" to found("Wood.sorted", "World.wood.sorted", "with \"key 77\"", "without it"),
                "set" to found("Wood.names", "World.wood.names", "without it", "with \"another\""),
                "order" to
                    found("Wood.names", "World.wood.names", "\"name 9\" at place 28", "\"name 27\" at place 28")
                        .copy(note = Note.OrderOfHash),
                "size" to found("Wood.chain", "World.wood.chain", "LinkedList of 3", "LinkedList of 4"),
                "deque" to found("Wood.waiting", "World.wood.waiting", "ArrayDeque of 2", "ArrayDeque of 3"),
                "read ahead" to
                    found("Wood.notes", "World.wood.notes", "11 characters read ahead", "6 characters read ahead"),
                "permits" to found("Wood.permits", "World.wood.permits", "3 permits", "2 permits"),
                "checksum" to found("Wood.crc", "World.wood.crc", checksumOf(2), checksumOf(1)),
                "written" to found("Wood.written", "World.wood.written", "y", "n"),
                "letters" to found("Wood.letters", "World.wood.letters", "yes", "no"),
                "static" to found("World.count", "World.count", "3", "4"),
                "thread" to
                    found(
                        "World.perThread",
                        "World.perThread[thread main].seed.value",
                        "${seeded(3)}",
                        "${afterwards(seeded(3))}",
                    ),
                "worker" to found("Worker.load", "World.worker.load", "1", "2"),
                "shared" to
                    found(
                        "Twins.twin",
                        "World.twins.twin",
                        "the array of World.twins.one",
                        "another array than that of World.twins.one",
                    ).copy(note = Note.NoLongerShared),
                "suspended" to found("local variable height of ForestKt.grow", "World.waiting.height", "1.0", "2.0"),
                "local" to
                    found(
                        "local variable years of ForestKt.live",
                        "(local variable years of ForestKt.live)[1]",
                        "2",
                        "3",
                    ),
                "text" to
                    found(
                        "local variable diary of ForestKt.live",
                        "(local variable diary of ForestKt.live)",
                        "dry",
                        "wet",
                    ),
            )
        val directory = tempdir().toPath()
        val restarted = directory.resolve("restarted")

        fun compared(unbroken: String, change: String, ignored: Set<String> = emptySet()) =
            compareHeaps(
                directory.resolve("$unbroken.hprof"),
                restarted.resolve("$change.hprof"),
                ProgramClasses(PROGRAM, HeapComparisonSpec::class.java.classLoader),
                ignored = Ignored(ignored + "Wood.started" + "Task"),
            ).onceEach()

        beforeSpec {
            restarted.toFile().mkdir()
            run(PROGRAM, "$directory", "none", "large none")
            run(PROGRAM, "$restarted", "none", "large links", "large array", *changes.keys.toTypedArray())
        }

        test("two runs that do the same do not differ") {
            compared("none", "none").shouldBeEmpty()
        }

        for ((change, expected) in changes) {
            test("what differs is found at its place: $change") {
                compared("none", change) shouldContainExactly listOf(expected)
            }
        }

        test("a chain of 200,000 objects, and the last element of a large array") {
            val way = ".next".repeat(8)
            compared("large none", "large links") shouldContainExactly
                listOf(
                    found(
                        "Link.value",
                        "World.links$way … 199984 steps … ${way.removeSuffix(".next")}.value",
                        "0",
                        "-1",
                    ),
                )
            compared("large none", "large array") shouldContainExactly
                listOf(found("World.large", "World.large[999999]", "999999", "0"))
        }

        test("what the program names is left out: a field, a class, a package") {
            compared("none", "element", setOf("Wood.grid", "Wood.same")).shouldBeEmpty()
            compared("none", "elements", setOf("dev.cairn.heap.planted.Tree")).shouldBeEmpty()
            compared("none", "field", setOf("dev.cairn.heap")).shouldBeEmpty()
        }
    })

private const val PROGRAM = "dev.cairn.heap.planted.Task"

private fun found(place: String, path: String, unbroken: String, restarted: String, count: Long = 1) =
    Forgotten(place, path, unbroken, restarted, count, Note.NeverDeclared)

/** As the documentation of `java.util.Random` says. */
private fun checksumOf(byte: Int) = CRC32().also { it.update(byte) }.value.toString(radix = 16)

private fun seeded(seed: Long) = (seed xor 0x5DEECE66DL) and (1L shl 48) - 1

private fun afterwards(state: Long) = (state * 0x5DEECE66DL + 0xBL) and (1L shl 48) - 1
