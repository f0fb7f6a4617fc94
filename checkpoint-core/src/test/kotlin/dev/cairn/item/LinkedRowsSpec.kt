package dev.cairn.item

import dev.cairn.SoloCheckpoints
import dev.cairn.StateBuilder
import dev.cairn.checkpoints
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.ranks.ranks
import dev.cairn.ranks.runRanks
import dev.cairn.sion.store.fixture.withRandom
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.stateBuilder
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.kotest.matchers.types.shouldBeSameInstanceAs
import java.nio.file.Path

private abstract class Dweller {
    var home: House? = null
}

private class Settler(val id: Long) : Dweller() {
    var friend: Settler? = null
    val boss: Settler = this

    constructor(id: Long, friend: Settler?) : this(id) {
        this.friend = friend
    }
}

private class Renumbered(val key: Long) {
    var friend: Renumbered? = null
}

private class House(var rent: Double) {
    var owner: Settler? = null
}

private class Visit(val time: Long, val guest: Settler, val place: House?)

private class Plot(var rent: Double) {
    @Transient
    var heat = 5.0
}

private class Story(val hero: Plot) {
    var chapter = 1
}

private class Outer {
    inner class Inner(var x: Double) {
        fun outer() = this@Outer
    }
}

private class Ringed(var id: Int) {
    var next: Ringed? = null
}

private class RingPlace(val ring: Ringed)

private class RingBox(val rings: List<Ringed>)

private class Shelf(val rings: ArrayList<Ringed>) {
    var height = 1
}

@JvmRecord
private data class Chain(val next: Chain?)

/** What leads from the rows of a table to those of another one. */
class LinkedRowsSpec :
    FunSpec({
        val path = Path.of("linked")

        fun save(files: SimulatedDisk, declare: StateBuilder.() -> Unit) =
            runRanks(1) { checkpoints(path, files = files.host(host), declare = declare).use { it.save(1) } }

        fun restore(files: SimulatedDisk, declare: StateBuilder.() -> Unit) =
            runRanks(1) { checkpoints(path, files = files.host(host), declare = declare).use { it.restore() } }

        class Village(var settlers: List<Settler> = emptyList(), var houses: List<House> = emptyList()) {
            var visits = emptyList<Visit>()
            val heard = mutableListOf<String>()

            fun StateBuilder.all(withIds: Boolean) {
                rows("visits", { visits }, { visits = it }) {}
                rows(
                    "settlers",
                    { settlers },
                    { settlers = it.also { heard += "settlers" } },
                ) { if (withIds) uniqueIds("id") }
                rows("houses", { houses }, {
                    houses =
                        it.also { heard += "houses ${it.map { house -> house.owner?.friend }.size}" }
                }) {}
                afterRestore { heard += "after" }
            }

            /** Who leads to whom, by their places in the lists. */
            fun inNumbers() =
                settlers.map {
                    listOf(
                        it.id,
                        settlers.indexOf(it.friend),
                        settlers.indexOf(it.boss),
                        houses.indexOf(it.home),
                    )
                } +
                    houses.map { listOf(it.rent, settlers.indexOf(it.owner)) } +
                    visits.map { listOf(it.time, settlers.indexOf(it.guest), houses.indexOf(it.place)) }
        }

        test("rows lead to the same rows again, within a table and across tables, by ids and by their places") {
            withRandom { random ->
                for (withIds in listOf(true, false)) {
                    val settlers = List(200) { Settler(random.nextLong()) }
                    val houses = List(50) { House(it * 0.5) }
                    val saved = Village(settlers, houses)
                    settlers.forEach {
                        it.friend = settlers.randomOrNull(random).takeIf { random.nextInt(4) > 0 }
                        it.home = houses.random(random)
                    }
                    houses.forEach { it.owner = settlers.random(random) }
                    saved.visits =
                        List(
                            100,
                        ) {
                            Visit(
                                it.toLong(),
                                settlers.random(random),
                                houses.random(random).takeIf { random.nextBoolean() },
                            )
                        }
                    val back = Village(List(3) { Settler(it.toLong()) })
                    val files = SimulatedDisk()
                    save(files) { saved.run { all(withIds) } }
                    restore(files) { back.run { all(withIds) } }
                    back.inNumbers() shouldBe saved.inNumbers()
                    back.heard shouldBe listOf("settlers", "houses 50", "after")
                    (back.settlers + settlers).toSet().size shouldBe 400
                }
            }
        }

        test("an object that is no row of the table is refused at each save, with its path") {
            val other = Settler(7)
            val one = Settler(1)
            var settlers = listOf(Settler(0), one)
            ranks(1) {
                checkpoints(path, files = SimulatedDisk().host(host)) {
                    rows("settlers", { settlers }, {}) { except("home") }
                }.use { open ->
                    open.save(1)
                    one.friend = other
                    deepestMessage { open.save(2) } shouldBe
                        "'settlers[1].friend' leads to a ${Settler::class.java.name} that is no row of 'settlers'. " +
                        "Put that into " +
                        "its list, let the field be null, or except it. Nothing was saved."
                    settlers = settlers + other
                    open.save(3)
                }
            }
        }

        test("an object that is a row of two tables is refused, since a restart would make two of it") {
            val shared = House(1.0)
            deepestMessage {
                save(SimulatedDisk()) {
                    rows("one", { listOf(House(2.0), shared) }, {}) { except("owner") }
                    rows("two", { listOf(shared) }, {}) { except("owner") }
                }
            } shouldBe
                "'two[0]' is the same object as 'one[1]', and a restart would make two of it. Declare one list, " +
                "and make " +
                "the other one in afterRestore, or of numbers. Nothing was saved."
        }

        test("an object to which fields lead, too, is refused, since a restart would make two of it") {
            val plots = List(2) { Plot(it.toDouble()) }
            val directory = tempdir().toPath()

            suspend fun save(name: String, vararg except: String) =
                SoloCheckpoints
                    .open(directory.resolve(name)) {
                        fields("story", Story(plots[1]), *except)
                        rows("plots", Plot::class.java, { plots }, {})
                    }.use { it.save(1) }
            deepestMessage { save("both") } shouldBe
                "'plots[1]' is the same object as 'story.hero', and a restart would make two of it. Leave that path " +
                "out of fields, and set it in afterRestore. Nothing was saved."
            save("one", "hero")
        }

        test("a function that changes a list of rows within a save is refused, since places would stand for others") {
            val settlers = MutableList(3) { Settler(it.toLong()) }
            val house = House(1.0).apply { owner = settlers[2] }
            deepestMessage {
                save(SimulatedDisk()) {
                    rows("settlers", { settlers }, {}) { except("home", "friend", "boss") }
                    rows("houses", { listOf(house).also { settlers.removeIf { it.id == 0L } } }, {}) {}
                }
            } shouldBe
                "the function of the table 'settlers' returned other rows, or others in their places, or with other " +
                "ids, when it was asked again. Let it return the same rows within a save, and let no function of the " +
                "state change them. Nothing was saved."
        }

        test("a function that numbers rows anew within a save is refused, since references would stand for others") {
            val rings = List(4) { Ringed(it + 1) }
            rings.zipWithNext { one, other -> one.next = other }
            for (withOthers in listOf(true, false)) {
                deepestMessage {
                    save(SimulatedDisk()) {
                        rows("rings", { rings }, {}) { uniqueIds("id") }
                        if (withOthers) rows("places", { listOf(RingPlace(rings[1])) }, {}) {}
                        rows("plots", { listOf(Plot(1.0)).also { rings.forEach { it.id++ } } }, {}) {}
                    }
                } shouldContain
                    "the function of the table 'rings' returned other rows, or others in their places, or with"
            }
        }

        test("a list that fields have, too, is refused, also if it is empty") {
            val directory = tempdir().toPath()
            val kept = ArrayList<Ringed>()
            val deepest =
                deepestMessage {
                    SoloCheckpoints
                        .open(directory) {
                            fields("shelf", Shelf(kept))
                            rows("boxes", RingBox::class.java, { listOf(RingBox(kept)) }, {})
                            rows("rings", Ringed::class.java)
                        }.use { it.save(1) }
                }
            deepest shouldBe
                "'boxes[0].rings' is the same object as 'shelf.rings', and each would be another after a restart. " +
                "Leave that path out of fields, and set it in afterRestore. Nothing was saved."
        }

        test("rows may be put together in afterRestore, and a setter may empty the list that it gets") {
            val files = SimulatedDisk()
            val settlers = List(3) { Settler(it.toLong()) }
            val houses = List(2) { at -> House(at * 0.5).apply { owner = settlers[1 + at] } }
            settlers[2].home = houses[0]
            save(files) { Village(settlers, houses).run { all(withIds = false) } }
            var back: Village? = null
            var given = emptyList<Settler>()
            val homes = ArrayList<House>()
            restore(files) {
                rows("visits", { back!!.visits }, {}) {}
                rows("settlers", { back!!.settlers }, { given = it }) {}
                rows("houses", { back!!.houses }, { all ->
                    while (all.isNotEmpty()) homes += (all as MutableList).removeFirst()
                }) {}
                afterRestore { back = Village(given, homes) }
            }
            back!!.inNumbers() shouldBe Village(settlers, houses).inNumbers()
        }

        test("a restart of linked rows on another number of ranks is refused, with a way out") {
            val files = SimulatedDisk()
            save(files) { rows("settlers", { listOf(Settler(1)) }, {}) { except("home") } }
            generateSequence<Throwable>(
                shouldThrow<Exception> {
                    ranks(2) {
                        checkpoints(path, files = files.host(host)) {
                            rows("settlers", { listOf<Settler>() }, {}) { except("home") }
                        }.use { it.restore() }
                    }
                },
            ) { it.cause }.last().message shouldContain "Give it an owner, and declare for each table to which its " +
                "rows lead a list, uniqueIds, and elsewhere"
        }

        test("a setter of copies is refused at the restart, in words of a restart") {
            val files = SimulatedDisk()
            val houses = listOf(House(1.0))
            val settlers = listOf(Settler(1).apply { home = houses[0] })
            var back = emptyList<Settler>()
            var homes = emptyList<House>()
            save(files) {
                rows("settlers", { settlers }, {}) { except("friend", "boss") }
                rows("houses", { houses }, {}) { except("owner") }
            }
            val message =
                deepestMessage {
                    restore(files) {
                        rows("settlers", { back }, { back = it }) { except("friend", "boss") }
                        rows("houses", { homes }, { homes = it.map { house -> House(house.rent) } }) { except("owner") }
                    }
                }
            message shouldContain
                "the program does not have the rows of the table 'settlers' that were saved: 'settlers[0].home' " +
                "leads to a ${House::class.java.name} that is no row of 'houses'. Put that into its list, let the " +
                "field be null, or except it. Let each setter put the rows that it gets"
            message shouldNotContain "Nothing was saved"
        }

        test("a setter that changes rows of another table is refused, whether these lead to others or not") {
            val files = SimulatedDisk()
            val house = House(5.0)
            val settler = Settler(1).apply { home = house }
            save(files) {
                rows("houses", { listOf(house) }, {}) { except("owner") }
                rows("settlers", { listOf(settler) }, {}) { except("friend", "boss") }
            }
            var houses = emptyList<House>()
            var settlers = emptyList<Settler>()
            deepestMessage {
                restore(files) {
                    rows("houses", { houses }, { houses = it }) { except("owner") }
                    rows("settlers", { settlers }, { all ->
                        settlers = all.onEach { it.home!!.rent++ }
                    }) { except("friend", "boss") }
                }
            } shouldContain
                "the program does not have the rows of the table 'houses' that were saved: row 0 has another 'rent'"
        }

        test("no setter is called before the rows of all tables are there, also of a table without references") {
            val files = SimulatedDisk()
            val house = House(5.0)
            save(files) {
                rows("houses", { listOf(house) }, {}) { except("owner") }
                rows("settlers", { List(2) { Settler(it.toLong()) } }, {}) { except("home", "boss") }
            }
            var houses = emptyList<House>()
            var settlers = listOf(Settler(7))
            val heard = mutableListOf<String>()
            restore(files) {
                rows("houses", { houses }, {
                    houses = it
                    heard += "houses"
                }) { except("owner") }
                rows("settlers", { settlers }, { settlers = it }) {
                    except("home", "boss")
                    make { Settler(it.getLong("id")).also { heard += "settler" } }
                }
            }
            heard shouldBe listOf("settler", "settler", "houses")
        }

        test(
            "setters are called in the order of the declarations, of arrays and of objects, beside references or not",
        ) {
            for (areLinked in listOf(false, true)) {
                val files = SimulatedDisk()
                var plots = List(3) { Plot(it.toDouble()).apply { heat = 10.0 + it } }
                var settlers = emptyList<Settler>()

                fun StateBuilder.all() {
                    if (areLinked) rows("settlers", { settlers }, { settlers = it }) { except("home", "boss") }
                    rows("plots", { plots }, { plots = it }) {}
                    table("heat") {
                        column("heat", { DoubleArray(plots.size) { plots[it].heat } }, { heat ->
                            heat.forEachIndexed { at, one -> plots[at].heat = one }
                        })
                    }
                }
                save(files) { all() }
                plots = List(3) { Plot(0.0) }
                restore(files) { all() }
                plots.map { it.rent to it.heat } shouldBe List(3) { it.toDouble() to 10.0 + it }
            }
        }

        test("a column whose rows were replaced behind its setter is refused, and not lost") {
            val files = SimulatedDisk()
            var plots = List(3) { Plot(it.toDouble()).apply { heat = 10.0 + it } }

            fun StateBuilder.all() {
                table("heat") {
                    column("heat", { DoubleArray(plots.size) { plots[it].heat } }, { heat ->
                        heat.forEachIndexed { at, one -> plots[at].heat = one }
                    })
                }
                rows("plots", { plots }, { plots = it }) { make { Plot(0.0) } }
            }
            save(files) { all() }
            plots = List(3) { Plot(0.0) }
            deepestMessage { restore(files) { all() } } shouldContain
                "the program does not have the rows of the table 'heat' that were saved: its column 'heat' has other " +
                "values"
        }

        test("a setter that changes rows of another table is refused, also if no rows lead to others") {
            val files = SimulatedDisk()
            var plots = listOf(Plot(5.0))
            var visitors = listOf(Settler(1))

            fun StateBuilder.all() {
                rows("plots", { plots }, { plots = it }) {}
                rows("visitors", { visitors }, { visitors = it.onEach { plots.first().rent++ } }) {
                    except("home", "friend", "boss")
                }
            }
            save(files) { all() }
            deepestMessage { restore(files) { all() } } shouldContain
                "the program does not have the rows of the table 'plots' that were saved: row 0 has another 'rent'"
        }

        test(
            "rows of a new table that lead to rows from before a restore are refused, unless afterRestore makes them",
        ) {
            val files = SimulatedDisk()
            var settlers = listOf(Settler(1))
            var visits = listOf(Visit(3, settlers[0], null))

            fun StateBuilder.all(makesNew: Boolean) {
                rows("visits", { visits }, { visits = it }) { except("place") }
                rows("settlers", { settlers }, { settlers = it }) { except("home", "boss") }
                if (makesNew) afterRestore { visits = listOf(Visit(3, settlers[0], null)) }
            }
            save(files) { rows("settlers", { settlers }, {}) { except("home", "boss") } }
            deepestMessage { restore(files) { all(makesNew = false) } } shouldBe
                "'visits' is new since the save that was restored, and its rows could not be saved now: if they " +
                "lead to rows from before the restore, make them in afterRestore. ('visits[0].guest' leads to a " +
                "${Settler::class.java.name} that is no row of " +
                "'settlers'. Put that into its list, let the field be null, or except it.)"
            restore(files) { all(makesNew = true) }
            visits.single().guest shouldBeSameInstanceAs settlers.single()
        }

        test("references to ids come back if their column has a new name") {
            val files = SimulatedDisk()
            val settlers = listOf(Settler(4), Settler(2))
            settlers[0].friend = settlers[1]
            save(files) {
                rows("settlers", { settlers }, {}) {
                    except("home", "boss")
                    uniqueIds("id")
                }
            }
            var back = emptyList<Renumbered>()
            restore(files) {
                rows("settlers", { back }, { back = it }) {
                    uniqueIds("key")
                    formerly("key", "id")
                }
            }
            back[0].friend shouldBeSameInstanceAs back[1]
        }

        test("rows of a table without references come back beside a new table that has some") {
            val files = SimulatedDisk()
            save(files) { rows("houses", { listOf(House(5.0)) }, {}) { except("owner") } }
            var houses = emptyList<House>()
            restore(files) {
                rows("houses", { houses }, { houses = it }) { except("owner") }
                rows("settlers", { listOf<Settler>() }, {}) {}
            }
            houses.single().rent shouldBe 5.0
        }

        test("an id that stands for null is refused if a reference leads there") {
            val last = Settler(Long.MIN_VALUE)
            deepestMessage {
                save(SimulatedDisk()) {
                    rows("settlers", { listOf(Settler(1, last), last) }, {}) {
                        except("home")
                        uniqueIds("id")
                    }
                }
            } shouldContain "'settlers[0].friend' leads to a row with the id -9223372036854775808, which stands " +
                "for null"
        }

        test("rows that are numbered anew between two saves are led to by their new ids") {
            val files = SimulatedDisk()
            val rows = List(3) { Ringed(it) }
            rows.forEach { it.next = rows[(it.id + 1) % 3] }
            runRanks(1) {
                checkpoints(path, files = files.host(host)) {
                    rows("rows", { rows }, {}) { uniqueIds("id") }
                }.use {
                    it.save(1)
                    rows.forEach { row -> row.id++ }
                    it.save(2)
                    rows.forEach { row -> row.id = 2 * row.id }
                    it.save(3)
                }
            }
            var back = emptyList<Ringed>()
            restore(files) { rows("rows", { back }, { back = it }) { uniqueIds("id") } }
            back.map { it.id to it.next?.id } shouldBe listOf(2 to 4, 4 to 6, 6 to 2)
        }

        test("references to what is no row, or may be one of two tables, are refused before the first step") {
            fun refusal(declare: StateBuilder.() -> Unit) = deepestMessage { save(SimulatedDisk(), declare) }
            refusal { rows("settlers", { listOf<Settler>() }, {}) {} } shouldBe
                "the field 'home' of ${Settler::class.java.name} leads from rows of 'settlers' to objects of " +
                "${House::class.java.name}, " +
                "which are rows of no table: declare a table of them, except the field, or let it be transient"
            refusal { rows("inner", { listOf<Outer.Inner>() }, {}) {} } shouldContain
                "leads from rows of 'inner' to objects of ${Outer::class.java.name}, which are rows of no table"
            refusal {
                rows("one", { listOf<House>() }, {}) { except("owner") }
                rows("two", { listOf<House>() }, {}) { except("owner") }
                rows("settlers", { listOf<Settler>() }, {}) {}
            } shouldContain "may lead from rows of 'settlers' to those of 'one' and 'two': let its type be that of " +
                "one of them"
            refusal { rows("chain", { listOf<Chain>() }, {}) {} } shouldContain
                "records of 'chain' lead to rows of 'chain', directly or by other records, and none of them could be " +
                "made first"
            refusal {
                rows("settlers", { listOf<Settler>() }, {}) {
                    except("friend", "boss")
                }
                rows("houses", { listOf<House>() }, {}) {
                    except("owner")
                    positionFree()
                }
            } shouldContain "leads to places in the list of 'houses', whose rows may stand in any order by its rule"
            shouldThrow<InvalidDeclaration> {
                stateBuilder().rows("settlers", { listOf<Settler>() }, {}) {
                    except("home", "boss")
                    added("friend", 0L)
                }
            }.message shouldContain "only -9223372036854775808 is possible, which stands for null"
            shouldThrow<InvalidDeclaration> {
                stateBuilder().rows("settlers", { listOf<Settler>() }, {}) { uniqueIds("friend") }
            }.message shouldContain
                "has ids in 'friend', which leads to rows: take a field that has a number of each row"
        }

        test("references are not read as those to another table, by other numbers, or as values") {
            val files = SimulatedDisk()
            val settlers = listOf(Settler(5), Settler(6))
            settlers[0].friend = settlers[1]
            save(files) {
                rows("settlers", { settlers }, {}) {
                    except("home")
                    uniqueIds("id")
                }
            }

            fun refusal(declare: StateBuilder.() -> Unit) = deepestMessage { restore(files, declare) }
            refusal { rows("settlers", { settlers }, {}) { except("home") } } shouldBe
                "the column 'friend' of the table 'settlers' should hold # of settlers, but the checkpoint has " +
                "there id of settlers. " +
                "Declare the rows as they were saved, or give the field another name."
            refusal {
                formerly("people", "settlers")
                rows("people", { listOf<Numbered>() }, {}) {}
            } shouldContain "should hold values, but the checkpoint has there id of settlers"
            var back = emptyList<Settler>()
            restore(files) {
                formerly("people", "settlers")
                rows("people", { back }, { back = it }) {
                    except("home")
                    uniqueIds("id")
                }
            }
            back[0].friend shouldBeSameInstanceAs back[1]
        }

        test("references to a table that is gone are not read as those to another one") {
            val files = SimulatedDisk()
            val house = House(1.0)
            save(files) {
                rows("settlers", { listOf(Settler(5).apply { home = house }) }, {}) { except("friend", "boss") }
                rows("houses", { listOf(house) }, {}) { except("owner") }
            }
            deepestMessage {
                restore(files) {
                    removed("houses")
                    rows("settlers", { listOf<Settler>() }, {}) { except("friend", "boss") }
                    rows("homes", { listOf<House>() }, {}) { except("owner") }
                }
            } shouldContain "the column 'home' of the table 'settlers' should hold # of homes, but the checkpoint " +
                "has there # of houses"
        }
    })

private class Numbered {
    var id = 0L
    var friend = 0L
    var boss = 0L
}
