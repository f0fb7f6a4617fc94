package dev.cairn

import dev.cairn.event.CheckpointException
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.house.JDK_DEPENDENT
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ranks
import dev.cairn.restore.match
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.ElementType
import dev.cairn.state.ValueSchema
import dev.cairn.store.Manifest
import dev.cairn.store.ManifestColumn
import dev.cairn.store.ManifestItem
import dev.cairn.store.manifest
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.nio.file.Path

/** A program that is not the one that saved. */
@Tags(JDK_DEPENDENT)
class SchemaChangesSpec :
    FunSpec({
        fun matching(vararg stored: ManifestItem, rankCount: Int = 4, declare: StateBuilder.() -> Unit) =
            stateBuilder().apply(declare).run {
                match(state.declared, manifestOf(stored.toList()), rankCount)
            }

        fun notes(vararg stored: ManifestItem, declare: StateBuilder.() -> Unit) =
            matching(*stored, declare = declare).notes

        fun refusal(vararg stored: ManifestItem, declare: StateBuilder.() -> Unit) =
            shouldThrow<CheckpointException.Mismatch> { matching(*stored, declare = declare) }.message

        val u = stored("u", "field", "int", listOf(4, 3))
        val time = stored("time", "replicated", "cbor")
        val bodies =
            stored(
                "bodies",
                "table",
                "row",
            ).copy(columns = listOf(ManifestColumn("id", "int"), ManifestColumn("x", "float")))

        fun StateBuilder.u(type: ElementType = ElementType.INT) = field("u", Shape.of(4, 3), type) {}

        fun StateBuilder.time() = replicated("time", { 1.0 }, {})

        test("unchanged items need no declaration") {
            notes(u, time) {
                u()
                time()
            } shouldBe emptyList()
        }

        test("an added item keeps its first value") {
            notes(u) {
                u()
                time()
            } shouldBe listOf("'time' is new since save 7: it keeps its first value.")
        }

        test("a removed item must be named") {
            refusal(u, time) { u() } shouldBe
                "save 7 holds the replicated 'time', which the program does not declare. Declare it, name it as a " +
                "former name of the item that replaces it, or declare removed(\"time\") if it is no longer needed."
            notes(u, time) {
                u()
                removed("time")
            } shouldBe listOf("'time' of save 7 is not restored: the program has removed it.")
        }

        test("a renamed item takes what its former name holds, but not if its new name holds something, too") {
            notes(time) { replicated("clock", { 1.0 }, {}, formerly = listOf("time")) } shouldBe
                listOf("'clock' takes the data that save 7 holds as 'time'.")
            refusal(time, stored("clock", "replicated", "cbor")) {
                replicated("clock", { 1.0 }, {}, formerly = listOf("time"))
            } shouldBe
                "save 7 holds 'time' and 'clock', which are all names of 'clock', of today or former ones, so the " +
                "data of one would be lost. Name one of them only, and declare an item for the other, or declare it " +
                "as removed."
            notes(time, stored("clock", "replicated", "cbor")) {
                replicated("clock", { 1.0 }, {}, formerly = listOf("time"))
                removed("time")
            } shouldBe listOf("'time' of save 7 is not restored: the program has removed it.")
        }

        test("two stored items of one declared one are refused for that, and not for the type of one") {
            refusal(time, u) { field("v", Shape.of(4, 3), ElementType.INT, formerly = listOf("time", "u")) {} } shouldBe
                "save 7 holds 'time' and 'u', which are all names of 'v', of today or former ones, so the data of " +
                "one would be lost. Name one of them only, and declare an item for the other, or declare it as removed."
        }

        test("a renamed item of another type is told of by the name that the checkpoint has") {
            val number = ValueSchema("double")
            refusal(time.copy(schema = number)) {
                replicated("clock", { "noon" }, {}, formerly = listOf("time"))
            } shouldBe
                "save 7 holds 'time' as double, but the program declares 'clock' as text. Declare it as it was " +
                "stored, or give the new one another name."
        }

        test("cells are widened, where the wider type has all of their values") {
            notes(u) { u(ElementType.LONG) } shouldBe listOf("'u' is widened from int to long.")
            val all = ElementType.values().toList()
            val widened =
                all.associateWith { from ->
                    all.filter { to ->
                        runCatching { matching(u.copy(elementType = "$from")) { u(to) } }.isSuccess
                    }
                }
            widened shouldBe
                mapOf(
                    ElementType.BOOLEAN to listOf(ElementType.BOOLEAN),
                    ElementType.BYTE to listOf(ElementType.BYTE, ElementType.SHORT, ElementType.INT, ElementType.LONG),
                    ElementType.SHORT to listOf(ElementType.SHORT, ElementType.INT, ElementType.LONG),
                    ElementType.CHAR to listOf(ElementType.CHAR, ElementType.INT, ElementType.LONG),
                    ElementType.INT to listOf(ElementType.INT, ElementType.LONG),
                    ElementType.LONG to listOf(ElementType.LONG),
                    ElementType.FLOAT to listOf(ElementType.FLOAT, ElementType.DOUBLE),
                    ElementType.DOUBLE to listOf(ElementType.DOUBLE),
                )
        }

        test("columns are widened, and may stand in another order") {
            notes(bodies) {
                table("bodies") {
                    column("x", { DoubleArray(0) }, {})
                    column("id", { LongArray(0) }, {})
                }
            } shouldBe
                listOf(
                    "the column 'id' of 'bodies' is widened from int to long.",
                    "the column 'x' of 'bodies' is widened from float to double.",
                )
        }

        test("other types are refused") {
            refusal(u) { u(ElementType.SHORT) } shouldBe
                "save 7 holds 'u' as a field of int with the shape 4x3, but the program declares 'u' as a field of " +
                "short with the shape 4x3. Declare it as it was stored, or give the new one another name."
        }

        test("a reshaped field is refused") {
            refusal(u) { field("u", Shape.of(4, 4), ElementType.INT) {} } shouldBe
                "save 7 holds the field 'u' with the shape 4x3, but the program declares 'u' with 4x4. The cells " +
                "of one shape cannot be restored into another: restore the field with the stored shape, and copy it " +
                "into a new field of another name."
        }

        test("widened cells and columns come back with their values, on other ranks and into halos") {
            val disk = SimulatedDisk()
            val shape = Shape.of(9, 7)

            suspend fun Communicator.open(declare: StateBuilder.() -> Unit) =
                checkpoints(Path.of("wide"), files = disk.host(host), declare = declare)

            fun cell(index: Long) = (index * 7919 - 100_000).toInt()
            ranks(4) {
                val boxes = Decomposition.rows(shape, size).boxes(rank)
                val cells =
                    IntArray(boxes.sumOf { it.cellCount() }.toInt()) { cell(shape.index(*boxes[0].cell(it.toLong()))) }
                val ids = IntArray(rank * 3) { rank * 10 + it - 15 }
                open {
                    field("u", shape, ElementType.INT) { boxes.forEach { block(it, cells) } }
                    table("bodies") {
                        column("id", { ids }, {})
                        column("x", { FloatArray(ids.size) { ids[it] / 3f } }, {})
                    }
                }.use { it.save(1) }
            }
            ranks(3) {
                val box = Decomposition.grid(shape, 1, size).boxes(rank).single()
                val cells = LongArray(box.cellCount().toInt())
                var ids = LongArray(0)
                var x = DoubleArray(0)
                open {
                    field("u", shape, ElementType.LONG) { block(box, cells) }
                    table("bodies") {
                        column("x", { x }, { x = it })
                        column("id", { ids }, { ids = it })
                        owner { row, rankCount -> Math.floorMod(row.getLong("id"), rankCount) }
                    }
                }.use { it.restore() }
                cells.toList() shouldBe List(cells.size) { cell(shape.index(*box.cell(it.toLong()))).toLong() }
                val all = (0 until 4).flatMap { writer -> List(writer * 3) { writer * 10L + it - 15 } }
                ids.toList() shouldBe all.filter { Math.floorMod(it, 3) == rank }
                x.toList() shouldBe ids.map { (it.toInt() / 3f).toDouble() }
            }
        }
    })

private fun stored(name: String, kind: String, elementType: String, shape: List<Long> = emptyList()) =
    ManifestItem(name, kind, elementType, shape, 0, 0, "")

private fun manifestOf(items: List<ManifestItem>): Manifest = manifest(save = 7).copy(items = items)
