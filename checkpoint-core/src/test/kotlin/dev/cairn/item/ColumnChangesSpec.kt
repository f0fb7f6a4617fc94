package dev.cairn.item

import dev.cairn.Columns
import dev.cairn.checkpoints
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ranks
import dev.cairn.refusal
import dev.cairn.restore.match
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.stateBuilder
import dev.cairn.store.ManifestColumn
import dev.cairn.store.ManifestItem
import dev.cairn.store.manifest
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.nio.file.Path

/** Tables whose columns are not those of the program that saved. */
class ColumnChangesSpec :
    FunSpec({
        val columns = listOf(ManifestColumn("id", "int"), ManifestColumn("m", "float"))
        val bodies = ManifestItem("bodies", "table", "row", emptyList(), 0, 0, "", columns = columns)

        fun notes(declare: Columns.() -> Unit) =
            stateBuilder().run {
                table("bodies", columns = declare)
                match(state.declared, manifest(save = 7).copy(items = listOf(bodies)), rankCount = 4).notes
            }

        fun refusal(declare: Columns.() -> Unit) = shouldThrow<CheckpointException.Mismatch> { notes(declare) }.message

        fun Columns.id() = column("id", { IntArray(0) }, {})

        fun Columns.m() = column("m", { FloatArray(0) }, {})

        fun Columns.mass() = column("mass", { FloatArray(0) }, {})

        test("columns in another order need no word") {
            notes {
                m()
                id()
            } shouldBe emptyList()
        }

        test("an added column needs a value for the rows that come back") {
            refusal {
                id()
                m()
                column("charge", { ByteArray(0) }, {})
            } shouldBe
                "the program declares the column 'charge' of 'bodies', which save 7 does not hold. Declare " +
                "added(\"charge\", value) in the table for the value of rows from there, or declare its former name."
            notes {
                id()
                m()
                column("charge", { DoubleArray(0) }, {})
                added("charge", 1)
            } shouldBe listOf("the column 'charge' of 'bodies' is new since save 7: rows from there get 1.")
        }

        test("a removed column must be named") {
            refusal { id() } shouldBe
                "save 7 holds the column 'm' of 'bodies', which the program does not declare. Declare it, name it as " +
                "a former name of the column that replaces it, or declare removed(\"m\") in the table if it is no " +
                "longer needed."
            notes {
                id()
                removed("m")
            } shouldBe listOf("the column 'm' of 'bodies' in save 7 is not restored: the program has removed it.")
        }

        test("a renamed column takes what its former name holds, and may be widened") {
            notes {
                id()
                column("mass", { DoubleArray(0) }, {})
                formerly("mass", "weight", "m")
            } shouldBe
                listOf(
                    "the column 'mass' of 'bodies' takes the data that save 7 holds as 'm'.",
                    "the column 'mass' of 'bodies' is widened from float to double.",
                )
        }

        test("two stored columns of one declared one are refused for that, and not for the type of one") {
            fun refusalOf(stored: String, declared: String) =
                "save 7 holds the columns $stored of 'bodies', which are all names of '$declared', of today or " +
                    "former ones, so the data of one would be lost. Name one of them only, and declare a column for " +
                    "the other, or declare it as removed."
            refusal {
                mass()
                formerly("mass", "id", "m")
            } shouldBe refusalOf("'id' and 'm'", "mass")
            refusal {
                m()
                formerly("m", "id")
            } shouldBe refusalOf("'id' and 'm'", "m")
        }

        test("a column of another type is refused") {
            refusal {
                m()
                column("id", { ShortArray(0) }, {})
            } shouldBe
                "save 7 holds the column 'id' of 'bodies' as int, but the program declares 'id' as short. Declare it " +
                "as it was stored, or give the new one another name."
        }

        test("changes that cannot be are refused when they are declared") {
            fun declaration(changes: Columns.() -> Unit) =
                shouldThrow<InvalidDeclaration> {
                    stateBuilder().table("bodies") {
                        id()
                        mass()
                        changes()
                    }
                }.message
            declaration { added("charge", 1) } shouldBe
                "table 'bodies' declares a change of its column 'charge', but has only [id, mass]"
            declaration { removed("mass") } shouldBe
                "table 'bodies' has two rules for the column 'mass': each name stands for one column"
            declaration {
                formerly("mass", "m")
                formerly("id", "m")
            } shouldBe "table 'bodies' has two rules for the column 'm': each name stands for one column"
            declaration { added("mass", "heavy") } shouldBe
                "table 'bodies' gives rows without the column 'mass' the value 'heavy' there, but it is of float"
        }

        for ((writers, readers) in listOf(4 to 4, 4 to 3, 3 to 7, 1 to 5)) {
            test("rows of $writers ranks come to $readers with other columns, and back") {
                val disk = SimulatedDisk()
                val ids = List(writers) { rank -> IntArray(rank * 3 + 1) { rank * 100 + it } }
                ranks(writers) { OldBodies(ids[rank]).open(this, disk).use { it.save(1) } }
                ranks(readers) {
                    val bodies = NewBodies()
                    bodies.open(this, disk).use {
                        it.restore()
                        it.save(2)
                    }
                    for (row in bodies.id.indices) {
                        val id = bodies.id[row]
                        withClue("body $id") {
                            bodies.mass[row] shouldBe (id.toInt() / 3f).toDouble()
                            bodies.charge[row] shouldBe -1
                            if (readers != writers) id % readers shouldBe rank
                        }
                    }
                    bodies.id.size
                }.sum() shouldBe ids.sumOf { it.size }
                ranks(writers) {
                    val bodies = OldBodies(IntArray(0))
                    shouldThrow<Exception> { bodies.open(this, disk).use { it.restore() } }
                }
                val back =
                    ranks(writers) {
                        val bodies = MendedBodies()
                        bodies.open(this, disk).use { it.restore() }
                        bodies.m.toList() shouldBe bodies.id.map { (it.toInt() / 3f).toDouble() }
                        bodies.spin.toList() shouldBe bodies.id.map { 0.5f }
                        bodies.id.toList()
                    }
                back.flatten().sorted() shouldBe ids.flatMap { it.toList() }.map { it.toLong() }.sorted()
            }
        }

        test("records have other components") {
            val disk = SimulatedDisk()
            ranks(2) { OldBodies(intArrayOf(rank)).open(this, disk).use { it.save(1) } }
            val bodies =
                ranks(3) {
                    var bodies = emptyList<ChargedBody>()
                    checkpoints(STORE, files = disk.host(host)) {
                        rows("bodies", { bodies }, { bodies = it }) {
                            removed("spin")
                            formerly("mass", "m")
                            added("isCharged", true)
                            owner { body, _ -> if (body.isCharged) body.id.toInt() else 2 }
                        }
                    }.use { it.restore() }
                    bodies
                }
            bodies shouldBe
                listOf(
                    listOf(ChargedBody(true, 0.0, 0)),
                    listOf(ChargedBody(true, (1 / 3f).toDouble(), 1)),
                    emptyList(),
                )
        }
    })

private val STORE = Path.of("bodies")

@JvmRecord
private data class ChargedBody(val isCharged: Boolean, val mass: Double, val id: Long)

private class OldBodies(var id: IntArray) {
    var m = FloatArray(id.size) { id[it] / 3f }
    var spin = ShortArray(id.size) { it.toShort() }

    suspend fun open(ranks: Communicator, disk: SimulatedDisk) =
        ranks.checkpoints(STORE, files = disk.host(ranks.host)) {
            table("bodies") {
                column("id", { id }, { id = it })
                column("m", { m }, { m = it })
                column("spin", { spin }, { spin = it })
                positionFree()
            }
        }
}

/** Mass has a name of its own, spin is gone, and there is a charge. */
private class NewBodies {
    var id = LongArray(0)
    var mass = DoubleArray(0)
    var charge = IntArray(0)

    suspend fun open(ranks: Communicator, disk: SimulatedDisk) =
        ranks.checkpoints(STORE, files = disk.host(ranks.host)) {
            table("bodies") {
                column("charge", { charge }, { charge = it })
                column("mass", { mass }, { mass = it })
                column("id", { id }, { id = it })
                added("charge", -1)
                formerly("mass", "m")
                removed("spin")
                // The owner sees the columns of today, also the one that was not stored.
                owner { row, rankCount -> Math.floorMod(row.getLong("id") + row.getInt("charge") + 1, rankCount) }
            }
        }
}

/** As the old ones, with the types of the new ones. */
private class MendedBodies {
    var id = LongArray(0)
    var m = DoubleArray(0)
    var spin = FloatArray(0)

    suspend fun open(ranks: Communicator, disk: SimulatedDisk) =
        ranks.checkpoints(STORE, files = disk.host(ranks.host)) {
            table("bodies") {
                column("id", { id }, { id = it })
                column("m", { m }, { m = it })
                column("spin", { spin }, { spin = it })
                formerly("m", "mass")
                removed("charge")
                added("spin", 0.5f)
                positionFree()
            }
        }
}
