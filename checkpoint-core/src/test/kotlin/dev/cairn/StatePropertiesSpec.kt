package dev.cairn

import dev.cairn.event.ExitCode
import dev.cairn.grid.Box
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Halo
import dev.cairn.grid.RandomStreams
import dev.cairn.grid.Shape
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.allReduce
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.state.ElementType
import dev.cairn.state.PerRankRule
import dev.cairn.state.StreamRule
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import java.lang.reflect.Array
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import kotlin.io.path.appendText
import kotlin.io.path.readText

/** State of every kind behind properties, whose names are the items' names. */
class StatePropertiesSpec :
    FunSpec({
        quietly()
        val directory = tempdir().toPath()

        suspend fun run(store: String, rankCount: Int, program: suspend Simulation.() -> Unit) =
            runSimulation(
                store,
                arrayOf("--dir", "${directory.resolve(store)}", "--ranks", "$rankCount"),
                body = program,
            ) shouldBe
                ExitCode.FINISHED

        fun items(store: String, save: Int) = manifestOf(FileBlockStore(), directory.resolve(store), save).items

        test("every kind of state comes back on other ranks") {
            val energies = directory.resolve("energies.txt")

            suspend fun Simulation.program(
                until: Long,
                check: Simulation.(BodyColumns, Long, List<StoredBody>, StringBuilder, RandomStreams) -> Unit,
            ) {
                val cells by field<IntArray>(Decomposition.blocks(Shape.of(7, 9, 2), size))
                var released by accumulator(0.0, Double::plus)
                var visits by accumulator(0L, Long::plus)
                var seen by accumulator(emptyList<Int>()) { lower, upper -> lower + upper }
                var own by perRank(rank, PerRankRule.Merge { it.sum() })
                var records by rows(emptyList<StoredBody>()) { owner { body, count -> (body.id % count).toInt() } }
                val bodies by table(BodyColumns()) { positionFree() }
                val noise by randomStreams(seed = SEED)
                val text = StringBuilder()
                stream(
                    "journal",
                    write = { it.write("$text".encodeToByteArray()) },
                    read = { text.append(it.reader().readText()) },
                    rule = StreamRule.Deal { sources -> sources.forEach { text.append(it.reader().readText()) } },
                )
                val log by output(energies)
                for (step in steps(until)) {
                    if (step == 0L) {
                        records = List(3) { StoredBody(rank * 3L + it) }
                        bodies.id = LongArray(rank + 1) { rank * 10L + it }
                        bodies.x = DoubleArray(rank + 1) { bodies.id[it] * 0.5 }
                        text.append("rank $rank\n")
                        seen = listOf(rank)
                    }
                    for (block in cells.blocks) for (cell in block.cells.indices) block.cells[cell] += step.toInt()
                    released += 0.25
                    visits++
                    log.line("$step")
                }
                val sum = cells.blocks.sumOf { it.cells.sum().toLong() }
                ranks.allReduce(sum, Long::plus) shouldBe 7 * 9 * 2 * (until * (until - 1) / 2)
                check(bodies, visits, records, text, noise)
                seen.sorted() shouldBe
                    if (size == 4) {
                        listOf(rank)
                    } else if (rank == 0) {
                        listOf(0, 1, 2, 3)
                    } else {
                        emptyList()
                    }
                own shouldBe if (size == 4) rank else (rank * 4 / size until (rank + 1) * 4 / size).sum()
                released shouldBe 0.25 * visits
            }
            run("kinds", 4) { program(until = 5) { _, visits, _, _, _ -> visits shouldBe 5 } }
            energies.appendText("what a killed program had written\n")
            run("kinds", 3) {
                program(until = 8) { bodies, visits, records, journal, noise ->
                    visits shouldBe if (rank == 0) 4 * 5 + 3 else 3
                    records.map { it.id } shouldBe (0L until 12).filter { it % 3 == rank.toLong() }
                    bodies.x.toList() shouldBe bodies.id.map { it * 0.5 }
                    bodies.id.size shouldBe if (rank == 0) 4 else 3
                    "$journal" shouldBe (rank * 4 / 3 until (rank + 1) * 4 / 3).joinToString("") { "rank $it\n" }
                    noise.bits(1, 2, 3) shouldBe RandomStreams(SEED).bits(1, 2, 3)
                }
            }
            energies.readText() shouldBe (0..7).joinToString("") { "$it\n" }
            items("kinds", 1).map { "${it.name}: ${it.kind}" } shouldBe
                listOf(
                    "cells: field",
                    "released: accumulator",
                    "visits: accumulator",
                    "seen: accumulator",
                    "own: perRank",
                    "records: table",
                    "bodies: table",
                    "noise: randomStreams",
                    "journal: stream",
                    "log: output",
                )
            items("kinds", 1).first { it.name == "bodies" }.columns.map { it.name } shouldBe listOf("id", "x")
        }

        test("cells of every primitive type, in irregular boxes of which a rank has several, one or none") {
            val shape = Shape.of(6, 5)
            val whole = List(6) { row -> Box.of(longArrayOf(row.toLong(), 0), longArrayOf(1, 5)) }

            fun Simulation.boxes() =
                whole.filterIndexed { row, _ ->
                    row % (if (size == 4) 3 else size) == rank
                }

            suspend fun <A : Any> check(type: Class<A>) {
                fun value(cell: LongArray) = cell[0] * 5 + cell[1]

                fun Field.Block<A>.expected(at: Int) = boxed(type, value(within.cell(at.toLong())))

                suspend fun Simulation.program(until: Long) {
                    val cells by field(type, shape, boxes(), Halo.NONE, create = null)
                    for (step in steps(until)) {
                        for (block in cells.blocks) for (at in 0 until 5) Array.set(block.cells, at, block.expected(at))
                    }
                    for (block in cells.blocks) {
                        List(5) { Array.get(block.cells, it) } shouldBe List(5) { block.expected(it) }
                    }
                }
                withClue(type.typeName) {
                    run(type.typeName, 4) { program(until = 1) }
                    run(type.typeName, 2) { program(until = 1) } // There is no step left that would set them.
                }
            }
            for (type in listOf(
                BooleanArray::class,
                ByteArray::class,
                ShortArray::class,
                CharArray::class,
            )) {
                check(type.java)
            }
            for (type in listOf(
                IntArray::class,
                LongArray::class,
                FloatArray::class,
                DoubleArray::class,
            )) {
                check(type.java)
            }
        }

        test("arrays of the program's own, with a halo that is not stored") {
            val shape = Shape.of(12)

            suspend fun Simulation.program(until: Long) {
                val cells by field(Decomposition.rows(shape, size), halo = 1) { within ->
                    LongArray(within.cellCount().toInt()) { -1 }
                }
                for (step in steps(until)) {
                    for (block in cells.blocks) {
                        for (at in 1..block.box.extent(0).toInt()) {
                            block.cells[at] =
                                block.within.start(0) + at
                        }
                    }
                }
                for (block in cells.blocks) {
                    block.cells.toList() shouldBe
                        listOf(-1L) + (block.box.start(0) until block.box.end(0)) + listOf(-1L)
                }
            }
            run("halo", 3) { program(1) }
            run("halo", 4) { program(1) }
        }

        test("an array that the program exchanges, and one outside the heap") {
            val shape = Shape.of(10)

            suspend fun Simulation.program(until: Long) {
                val box = Decomposition.rows(shape, size).boxes(rank).single()
                var now = DoubleArray(box.cellCount().toInt())
                var next = now.copyOf()
                val direct = ByteBuffer.allocateDirect(now.size * Int.SIZE_BYTES).order(LITTLE_ENDIAN)
                field("now", shape, ElementType.DOUBLE) { block(box) { now } }
                field("direct", shape, ElementType.INT) { block(box, direct) }
                for (step in steps(until)) {
                    for (cell in now.indices) {
                        next[cell] = now[cell] + box.start(0) + cell
                        direct.putInt(cell * Int.SIZE_BYTES, next[cell].toInt())
                    }
                    now = next.also { next = now }
                }
                now.toList() shouldBe List(now.size) { until.toDouble() * (box.start(0) + it) }
                List(now.size) { direct.getInt(it * Int.SIZE_BYTES) } shouldBe now.map { it.toInt() }
            }
            run("exchanged", 3) { program(until = 3) }
            run("exchanged", 2) { program(until = 3) }
            run("exchanged", 5) { program(until = 6) }
        }

        test("a property that was renamed takes what its former name holds") {
            run("renamed", 2) {
                var time by replicated(0.0)
                val cells by field<ByteArray>(Decomposition.rows(Shape.of(4), size))
                for (step in steps(until = 3)) time += 0.5
                cells.shape shouldBe Shape.of(4)
            }
            run("renamed", 3) {
                var clock by replicated(0.0) formerly "t" formerly "time"
                val grid by field<ByteArray>(Decomposition.rows(Shape.of(4), size)) formerly "cells"
                for (step in steps(until = 4)) clock += 0.5
                clock shouldBe 2.0
                grid.shape shouldBe Shape.of(4)
            }
        }

        test("an output is created by the first append, and only rank 0 writes") {
            val file = directory.resolve("new.txt")
            run("output", 3) {
                val log by output(file)
                for (step in steps(until = 2)) log.append(ByteBuffer.wrap(byteArrayOf('a'.code.toByte())))
            }
            file.readText() shouldBe "aa"
        }
    })

private const val SEED = 2024L

@JvmRecord
private data class StoredBody(val id: Long)

private class BodyColumns : Columns() {
    var id by column<LongArray>()
    var x by column<DoubleArray>()
}

private fun boxed(type: Class<*>, value: Long): Any =
    when (type) {
        BooleanArray::class.java -> value % 3 == 0L
        ByteArray::class.java -> value.toByte()
        ShortArray::class.java -> value.toShort()
        CharArray::class.java -> value.toInt().toChar()
        IntArray::class.java -> value.toInt()
        LongArray::class.java -> value
        FloatArray::class.java -> value / 8f
        else -> value / 8.0
    }
