package dev.cairn

import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.grid.Box
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Halo
import dev.cairn.grid.Shape
import dev.cairn.item.ReplicatedItem
import dev.cairn.item.SharedItem
import dev.cairn.item.Slot
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.Codecs
import dev.cairn.state.ElementType
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.ByteBuffer
import java.nio.file.Path

/** What is declared wrongly is refused at once, in a sentence. */
class DeclarationsSpec :
    FunSpec({
        val shape = Shape.of(4, 3)
        val box = Box.of(longArrayOf(1, 0), longArrayOf(2, 3))

        fun refusal(declare: StateBuilder.() -> Unit) =
            shouldThrow<InvalidDeclaration> { stateBuilder().declare() }.message

        fun blockRefusal(blocks: Field.Builder.() -> Unit) =
            refusal { field("u", shape, ElementType.INT, blocks = blocks) }

        test("a name that is there already") {
            refusal {
                replicated("u", { 1 }, {})
                field("u", shape, ElementType.INT) {}
            } shouldBe "the name 'u' is declared twice: give each item and parameter a name of its own"
            refusal {
                replicated("v", { 1 }, {})
                replicated("u", { 1 }, {}, formerly = listOf("v"))
            } shouldBe "the name 'v' is declared twice: give each item and parameter a name of its own"
        }

        test("a declaration does not ask all earlier ones for their names") {
            val state = stateBuilder().state
            val count = 1_000
            var asked = 0
            repeat(count) { number ->
                val item = ReplicatedItem(state.name("n$number", emptyList()), Slot("n$number", Codecs.INT, { 1 }, {}))
                state.add(
                    object : SharedItem by item {
                        override val id get() = item.id.also { asked++ }
                        override val name get() = id.today
                        override val formerNames get() = id.former
                        override val keyCount get() = 1.also { asked++ }
                    },
                )
            }
            asked shouldBeLessThan 20 * count
        }

        test("a block that does not fit its field") {
            blockRefusal { block(box, LongArray(6)) } shouldBe
                "field 'u' has cells of type int, but a block's array is of long"
            blockRefusal { block(box, IntArray(5)) } shouldBe
                "field 'u': the array should hold the 6 cells of $box, but has 5"
            blockRefusal { block(Box.of(longArrayOf(3, 0), longArrayOf(2, 3)), IntArray(6)) } shouldBe
                "field 'u' has the shape 4x3, but a block of it is ${Box.of(longArrayOf(3, 0), longArrayOf(2, 3))}"
            val smaller = Box.of(longArrayOf(1, 0), longArrayOf(1, 3))
            blockRefusal { block(box, IntArray(3), within = smaller) } shouldBe
                "field 'u': the array holds $smaller, which is not all of the block $box"
            blockRefusal { block(box, ByteBuffer.allocate(24)) } shouldBe
                "field 'u': cells in bytes are little-endian, but the buffer is not: call order(LITTLE_ENDIAN) first"
        }

        test("an array that is exchanged for one of another type or size, at the save") {
            ranks(1) {
                var array: Any = IntArray(12)
                checkpoints(Path.of("exchanged"), files = SimulatedDisk().host(host)) {
                    field("u", shape, ElementType.INT) { block(shape.box()) { array } }
                }.use { checkpoints ->
                    checkpoints.save(1)
                    array = LongArray(12)
                    shouldThrow<InvalidDeclaration> { checkpoints.save(2) }.cause!!.message shouldBe
                        "field 'u': what its function returns for ${shape.box()} should be of type int[] and " +
                        "length 12, but is of type long[] and length 12: let both stay as they were declared"
                }
            }
        }

        test("blocks that overlap, on whatever ranks") {
            ranks(2) {
                shouldThrow<CheckpointException> {
                    checkpoints(Path.of("overlap"), files = SimulatedDisk().host(host)) {
                        val rows = if (rank == 0) 3L else 2L
                        val own = Box.of(longArrayOf(2L * rank, 0), longArrayOf(rows, 3))
                        field("u", shape, ElementType.INT) { block(own, IntArray(rows.toInt() * 3)) }
                    }
                }.cause!!.message shouldContain
                    " of rank 0 and the box ${Box.of(longArrayOf(2, 0), longArrayOf(2, 3))} of rank 1 overlap in "
            }
        }

        test("fields of what is no primitive array") {
            ranks(1) {
                shouldThrow<InvalidDeclaration> {
                    fieldOf(this, String::class.java, shape, emptyList(), Halo.NONE, null)
                }.message shouldBe
                    "a field has cells of a primitive type, in arrays such as double[], not in java.lang.String"
            }
        }

        test("state that never gets a name, which no checkpoint would contain") {
            fun sealing(declare: StateBuilder.() -> Unit) = refusal { also(declare).state.seal() }

            fun unnamed(function: String) =
                "$function(…) was called without a name, so no checkpoint would contain what it declares: write " +
                    "'val x by $function(…)' or $function(…).named(\"x\"), or leave it out"
            sealing { replicated(1.0) } shouldBe unnamed("replicated")
            sealing { randomStreams(1) } shouldBe unnamed("randomStreams")
            sealing { accumulator(0L, Long::plus) formerly "sum" } shouldBe unnamed("accumulator")
            val rows =
                object : Columns() {
                    val id = column<LongArray>()
                }
            refusal { table(rows) { positionFree() } named "rows" } shouldBe unnamed("column")
            val named =
                stateBuilder().apply {
                    (replicated(1.0) formerly "clock" named "time").value shouldBe 1.0
                    randomStreams(1).named("noise").value.seed() shouldBe 1
                }
            named.state.seal()
            named.state.items.map { it.name to it.formerNames } shouldBe
                listOf("time" to listOf("clock"), "noise" to emptyList())
        }

        test("state that gets two names") {
            refusal {
                val one = replicated(1.0)
                one named "a"
                one named "b"
            } shouldBe
                "'b' would be a second name of the same state: call the function again that declares it"
        }

        test("state that is declared when the first step has begun, with either face") {
            val directory = tempdir().toPath()
            val late =
                "is declared after the first step has begun: declare all state before, so that it can be " +
                    "restored"
            val failure =
                shouldThrow<Exception> {
                    runSimulation("late", arrayOf("--dir", "${directory.resolve("late")}")) {
                        for (step in steps(until = 2)) {
                            val more by field<IntArray>(Decomposition.rows(shape, size))
                            more.shape shouldBe shape
                        }
                    }
                }
            generateSequence<Throwable>(failure) { it.cause }.last().message shouldBe
                "field(…) is called after the first step has begun: declare all state before, so that it can be restored"
            ranks(1) {
                lateinit var kept: StateBuilder
                checkpoints(Path.of("late"), files = SimulatedDisk().host(host)) { kept = this }.use {
                    shouldThrow<IllegalStateException> { kept.replicated("time", { 1 }, {}) }.message shouldBe
                        "'time' $late"
                }
            }
        }
    })
