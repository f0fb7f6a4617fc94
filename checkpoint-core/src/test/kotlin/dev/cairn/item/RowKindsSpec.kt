package dev.cairn.item

import dev.cairn.ObjectRows
import dev.cairn.StateBuilder
import dev.cairn.checkpoints
import dev.cairn.ranks.runRanks
import dev.cairn.reading.StoredCheckpoints
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeSameInstanceAs
import java.nio.file.Path

private enum class Trade { BAKER, SMITH }

private abstract class Citizen(val id: Int) {
    var friend: Citizen? = null
    val known = ArrayList<Citizen>()
    abstract val summary: List<Any?>
}

private class Worker(id: Int) : Citizen(id) {
    var trade = Trade.SMITH
    var wage = -5
    var rival: Worker? = null
    override val summary get() = listOf("worker", id, friend?.id, known.map { it.id }, trade, wage, rival?.id)
}

private class Pupil(id: Int) : Citizen(id) {
    var school = "none"
    var teacher: Worker? = null
    override val summary get() = listOf("pupil", id, friend?.id, known.map { it.id }, school, teacher?.id)
}

private class Stray(id: Int) : Citizen(id) {
    override val summary get() = emptyList<Any?>()
}

private sealed interface Occasion

private class Birth(val bornAt: Long, val parent: Citizen) : Occasion {
    override fun equals(other: Any?) = other is Birth && other.bornAt == bornAt && other.parent === parent

    override fun hashCode() = bornAt.toInt()
}

@JvmRecord
private data class Payday(val paidAt: Long, val amount: Double) : Occasion

private abstract class Society<T : Citizen>(id: Int) : Citizen(id) {
    val all = ArrayList<T>()
    var head: T? = null
    override val summary get() = listOf(id, all.map { it.id }, head?.id)
}

private class Workshop(id: Int) : Society<Worker>(id)

private class School(id: Int) : Society<Pupil>(id)

private enum class Temper { CALM, ANGRY }

private enum class TemperOfToday { HAPPY, CALM, ANGRY }

private open class Piece {
    var number = 0
}

private class Wheel : Piece() {
    var mood = Temper.ANGRY
    var radius = 2.0
}

private class WheelOfToday : Piece() {
    var mood = TemperOfToday.HAPPY
    var radius = 0.0
    var spokes = ArrayList<Piece>()
}

private class Titled : Piece() {
    var `class` = 1
}

private class AngryWheel : Piece() {
    var mood = AngryTemper.ANGRY
    var radius = 0.0
}

private enum class AngryTemper { ANGRY, HAPPY }

private abstract class Heavy(val weight: Double)

private class HeavyPlate(weight: Double) : Heavy(weight) {
    var side = 1
}

private class HeavyStone(weight: Double) : Heavy(weight)

private class Plate {
    var side = 1
}

private class Stone(val weight: Double)

@Suppress("EnumEntryName") // As the kinds are called.
private enum class PieceKind {
    plate,
}

private class SolidStone(val mass: Double)

private class First(var size: Int)

private class Second(var size: Long)

/** Rows of several classes in one table. */
class RowKindsSpec :
    FunSpec({
        val path = Path.of("kinds")

        fun save(files: SimulatedDisk, declare: StateBuilder.() -> Unit) =
            runRanks(1) { checkpoints(path, files = files.host(host), declare = declare).use { it.save(1) } }

        fun restore(files: SimulatedDisk, declare: StateBuilder.() -> Unit) =
            runRanks(1) { checkpoints(path, files = files.host(host), declare = declare).use { it.restore() } }

        fun ObjectRows<Citizen>.allKinds() {
            kind<Worker>("worker")
            kind<Pupil>("pupil")
            uniqueIds("id")
            text("school", 10)
        }

        val citizens =
            List(9) { if (it % 3 == 1) Pupil(it) else Worker(it) }.onEach { one ->
                if (one is Worker) one.trade = if (one.id % 2 == 0) Trade.SMITH else Trade.BAKER
                if (one is Pupil) one.school = "school ${one.id}"
            }
        val workers = citizens.filterIsInstance<Worker>()
        citizens.forEachIndexed { at, one ->
            one.friend = citizens[(at * 4 + 1) % 9].takeIf { at != 3 }
            one.known += citizens.drop(6)
            if (one is Worker) one.rival = workers[at % workers.size] else (one as Pupil).teacher = workers[1]
        }

        test("each row comes back as an object of its class, with the fields of that class") {
            val files = SimulatedDisk()
            var back = emptyList<Citizen>()
            save(files) { rows("citizens", { citizens }, {}) { allKinds() } }
            restore(files) { rows("citizens", { back }, { back = it }) { allKinds() } }
            back.map { it.summary } shouldBe citizens.map { it.summary }
        }

        test("records and other objects of one table lead to rows of another table, in their order") {
            val files = SimulatedDisk()
            val events = listOf(Payday(3, 0.5), Birth(3, citizens[4]), Payday(3, 0.5), Birth(4, citizens[0]))
            var back = emptyList<Citizen>()
            var found = emptyList<Occasion>()

            fun StateBuilder.all(get: () -> List<Occasion>, people: () -> List<Citizen>) {
                rows("events", get, { found = it }) {
                    kind<Payday>("payday")
                    kind<Birth>("birth")
                }
                rows("citizens", people, { back = it }) { allKinds() }
            }
            save(files) { all({ events }, { citizens }) }
            restore(files) { all({ found }, { back }) }
            found shouldBe listOf(Payday(3, 0.5), Birth(3, back[4]), Payday(3, 0.5), Birth(4, back[0]))
        }

        test("kinds have their names in the checkpoint, and may be listed in another order") {
            val files = SimulatedDisk()
            save(files) { rows("citizens", { citizens }, {}) { allKinds() } }
            StoredCheckpoints(path, files.host("host0")).openNewest().use { checkpoint ->
                val kinds = checkpoint.table("citizens").column("class").read<ByteArray>()
                kinds.map { it.toInt() } shouldContainExactly List(9) { if (it % 3 == 1) 1 else 0 }
            }
            var back = emptyList<Citizen>()

            fun StateBuilder.all(worker: String) =
                rows("citizens", { back }, { back = it }) {
                    kind<Pupil>("pupil")
                    kind<Worker>(worker)
                    uniqueIds("id")
                    text("school", 10)
                }
            restore(files) { all("worker") }
            back.map { it.summary } shouldBe citizens.map { it.summary }
            deepestMessage { restore(files) { all("labourer") } } shouldContain
                "rows of 'citizens' are of the kind 'worker' in the checkpoint, which the program does not have: " +
                "declare the class that they have today by kind(\"worker\", …)"
        }

        test("kinds that bind a generic field otherwise are refused, and one of another class in a list, too") {
            fun StateBuilder.all(rows: List<Citizen>, isSchool: Boolean) =
                rows("citizens", { rows }, {}) {
                    allKinds()
                    kind<Workshop>("workshop")
                    if (isSchool) kind<School>("school")
                }
            deepestMessage { save(SimulatedDisk()) { all(citizens, isSchool = true) } } shouldBe
                "table 'citizens' has kinds of rows for which the field 'all' of ${Society::class.java.name} holds " +
                "${Worker::class.java.name} or ${Pupil::class.java.name}: let each of them have a field of its own, " +
                "by another name, or save the rows as a graph"
            val workshop = Workshop(20)
            save(SimulatedDisk()) { all(citizens + workshop, isSchool = false) }
            @Suppress("UNCHECKED_CAST") // As a program may do.
            (workshop.all as MutableList<Citizen>) += citizens[1]
            deepestMessage { save(SimulatedDisk()) { all(citizens + workshop, isSchool = false) } } shouldContain
                "'citizens[9].all[0]' leads to a ${Pupil::class.java.name}, where the field should lead to a " +
                Worker::class.java.name
        }

        test("what one kind alone has may be added, and its constants may change") {
            val files = SimulatedDisk()
            save(files) {
                rows("pieces", { listOf(Wheel(), Piece(), Wheel()) }, {}) {
                    kind<Wheel>("wheel")
                    kind<Piece>("piece")
                    except("radius")
                }
            }
            var back = emptyList<Piece>()
            restore(files) {
                rows("pieces", { back }, { back = it }) {
                    kind<WheelOfToday>("wheel")
                    kind<Piece>("piece")
                    added("radius", 10.0)
                    added("spokes", 0)
                }
            }
            back.map { (it as? WheelOfToday)?.run { Triple(mood, radius, spokes) } } shouldBe
                listOf(true, false, true).map { isWheel ->
                    if (isWheel) Triple(TemperOfToday.ANGRY, 10.0, emptyList<Piece>()) else null
                }
        }

        test("a table may not lose its kinds") {
            val files = SimulatedDisk()
            save(files) { rows("pieces", { listOf<Wheel>() }, {}) { kind<Wheel>("wheel") } }
            deepestMessage {
                restore(files) { rows("pieces", { listOf<Wheel>() }, {}) { removed("class") } }
            } shouldBe
                "the rows of 'pieces' have kinds in the checkpoint, wheel, and none in the program: declare each of " +
                "them by kind()"
        }

        test("a table that had none gets kinds, if it says of which one its rows were") {
            val files = SimulatedDisk()
            save(files) { rows("pieces", { List(3) { Stone(it + 0.5) } }, {}) {} }
            var back = emptyList<Any>()

            fun StateBuilder.all(kind: Any?) =
                rows("pieces", { back }, { back = it }) {
                    kind<Stone>("stone")
                    kind<Plate>("plate")
                    added("side", 4)
                    kind?.let { added("class", it) }
                }
            restore(files) { all("stone") }
            back.map { (it as Stone).weight } shouldBe listOf(0.5, 1.5, 2.5)
            deepestMessage { restore(files) { all(kind = null) } } shouldBe
                "the rows of 'pieces' have no kinds in the checkpoint, and some in the program: say of which kind " +
                "the rows from there are, such as added(\"class\", \"stone\")"
            for (plate in listOf("plate", PieceKind.plate)) {
                deepestMessage { restore(files) { all(plate) } } shouldContain
                    "of the kind 'plate' have a field 'weight' in the checkpoint, and none in the program"
            }
            deepestMessage { restore(files) { all("brick") } } shouldContain
                "gives rows without the column 'class' the value 'brick' there, but it is of"
        }

        test("a constant that rows of one kind had is gone, and rows of another kind come back") {
            val files = SimulatedDisk()
            save(files) {
                rows("pieces", { listOf(Wheel(), Piece()) }, {}) {
                    kind<Wheel>("wheel")
                    kind<Piece>("piece")
                }
            }
            var back = emptyList<Piece>()
            restore(files) {
                rows("pieces", { back }, { back = it }) {
                    kind<AngryWheel>("wheel")
                    kind<Piece>("piece")
                }
            }
            (back[0] as AngryWheel).mood shouldBe AngryTemper.ANGRY
        }

        test("a field that some kinds keep is neither taken from another one nor given to it") {
            fun StateBuilder.all(isShared: Boolean) =
                rows("pieces", { listOf<Any>() }, {}) {
                    kind("plate", if (isShared) HeavyPlate::class.java else Plate::class.java)
                    kind("stone", if (isShared) HeavyStone::class.java else Stone::class.java)
                }
            for (wasShared in listOf(true, false)) {
                val files = SimulatedDisk()
                save(files) { all(wasShared) }
                val difference =
                    if (wasShared) {
                        "a field 'weight' in the checkpoint, and none"
                    } else {
                        "no field 'weight' in the checkpoint, and a field 'weight'"
                    }
                deepestMessage { restore(files) { all(!wasShared) } } shouldBe
                    "the rows of 'pieces' of the kind 'plate' have $difference in the program: let each kind have " +
                    "the fields that it had, or give the field another name, with added(), and declare removed(\"weight\")"
            }
        }

        test("a new kind has fields of its own, and another name of a field is one of all kinds") {
            val files = SimulatedDisk()
            save(files) {
                rows("pieces", { listOf(HeavyStone(3.0)) }, {}) {
                    kind<HeavyStone>("stone")
                }
            }
            var back = emptyList<Any>()
            restore(files) {
                rows("pieces", { back }, { back = it }) {
                    kind<Wheel>("wheel")
                    kind<SolidStone>("stone")
                    formerly("mass", "weight")
                    added("mood", Temper.CALM)
                    added("radius", 1.0)
                    added("number", 1)
                }
            }
            (back.single() as SolidStone).mass shouldBe 3.0
        }

        test("records among the kinds are not made by a function, and no field is called as the column of kinds") {
            deepestMessage {
                save(SimulatedDisk()) {
                    rows("events", { listOf<Occasion>() }, {}) {
                        kind<Payday>("payday")
                        kind<Birth>("birth")
                        make { Payday(1, 2.0) }
                    }
                }
            } shouldBe
                "table 'events' makes its rows by a function, but ${Payday::class.java.name} is a record, which its " +
                "constructor makes: leave out make()"
            deepestMessage {
                save(SimulatedDisk()) {
                    rows("pieces", { listOf<Piece>() }, {}) {
                        kind<Titled>("titled")
                        kind<Piece>("piece")
                    }
                }
            } shouldBe
                "table 'pieces' has kinds of rows, whose names stand in the column 'class', but " +
                "${Titled::class.java.name} has a field of that name: rename it"
        }

        test("a class that is no kind is refused at the save, and kinds that differ in a field at the declaration") {
            deepestMessage {
                save(
                    SimulatedDisk(),
                ) { rows("c", { listOf<Citizen>(Stray(1)) }, {}) { allKinds() } }
            } shouldContain
                "row 0 of its list is a ${Stray::class.java.name}, which is another class than the table has. " +
                "Declare its classes"
            deepestMessage {
                save(SimulatedDisk()) {
                    rows("any", { listOf<Any>() }, {}) {
                        kind<First>("first")
                        kind<Second>("second")
                    }
                }
            } shouldContain "table 'any' has kinds of rows with fields 'size' of different types"
            deepestMessage {
                save(SimulatedDisk()) {
                    rows("any", { listOf<Any>() }, {}) {
                        kind<First>("first")
                        kind<Second>("first")
                    }
                }
            } shouldContain "two kinds of rows are called 'first'"
            deepestMessage {
                save(SimulatedDisk()) {
                    rows("citizens", { citizens }, {}) {
                        allKinds()
                        kind<Worker>("again")
                    }
                }
            } shouldContain "declare at most 127, and each class once"
            deepestMessage {
                save(
                    SimulatedDisk(),
                ) { rows("pairs", { listOf<Any>() }, {}) { kinds(WithComma::class.java, Any::class.java) } }
            } shouldContain "whose fields are listed by name, but that of 'left,right' has a comma: rename it"
        }

        test("kinds may bind the type of a field that leads to one row in different ways") {
            val files = SimulatedDisk()
            val homes = listOf(Nest<Int>(7))
            val owls = listOf(OwlPair(homes[0]), HawkPair(null))
            save(files) {
                rows("pairs", { owls }, {}) { kinds(OwlPair::class.java, HawkPair::class.java) }
                rows("nests", { homes }, {}) {}
            }
            var back = emptyList<Any>()
            var nests = emptyList<Nest<Int>>()
            restore(files) {
                rows("pairs", { back }, { back = it }) { kinds(OwlPair::class.java, HawkPair::class.java) }
                rows("nests", { nests }, { nests = it }) {}
            }
            (back[0] as OwlPair).home shouldBeSameInstanceAs nests.single()
            (back[1] as HawkPair).home shouldBe null
            deepestMessage {
                save(SimulatedDisk()) {
                    rows("events", { listOf<Occasion>() }, {}) {
                        kind<Payday>("payday")
                        kind<Birth>("birth")
                    }
                }
            } shouldContain "leads from rows of 'events' to objects of ${Citizen::class.java.name}, which are rows " +
                "of no table"
        }
    })

private class WithComma {
    @Suppress("ktlint:standard:property-naming")
    var `left,right` = 1
}

private class Nest<T : Any>(val height: Int)

private class OwlPair(var home: Nest<Int>?)

private class HawkPair(var home: Nest<Long>?)
