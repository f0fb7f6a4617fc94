package dev.cairn.item

import dev.cairn.StateBuilder
import dev.cairn.checkpoints
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.ranks.ranks
import dev.cairn.ranks.runRanks
import dev.cairn.sion.store.fixture.withRandom
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeSameInstanceAs
import java.nio.file.Path

private class Sailor(val id: Int) {
    var diary: Diary? = null
}

private class Diary {
    val pages: MutableList<Sighting> = ArrayList()
    var owner: Sailor? = null
}

@JvmRecord
private data class Sighting(val whale: Whale, val by: Sailor, val day: Long)

private open class Whale(val length: Double) {
    var calf: Whale? = null
}

private class Orca(length: Double, val teeth: Int) : Whale(length)

private class Crew(var sailors: List<Sailor> = emptyList()) {
    fun StateBuilder.all() {
        rows<Whale>("whales") { kinds(Whale::class.java, Orca::class.java) }
        rows("sailors", { sailors }, { sailors = it }) {}
        rows<Sighting>("sightings") {}
        rows<Diary>("diaries") {}
    }

    val diaries get() = sailors.mapNotNull { it.diary }
    val pages get() = diaries.flatMap { it.pages }

    /** All that sailors have, with whales by the order in which they come first. */
    fun inWords(): List<Any> {
        val whales = pages.flatMap { generateSequence(it.whale) { whale -> whale.calf }.take(20) }.distinct()
        return whales.map { listOf(it.length, (it as? Orca)?.teeth, whales.indexOf(it.calf)) } +
            sailors.map { listOf(it.id, it.diary?.let(diaries::indexOf), it.diary?.owner?.id) } +
            diaries.map { its -> its.pages.map { listOf(whales.indexOf(it.whale), it.by.id, it.day) } }
    }
}

/** Rows that are in no list of the program, but are led to by others. */
class UnlistedRowsSpec :
    FunSpec({
        val path = Path.of("unlisted")

        fun save(files: SimulatedDisk, rankCount: Int = 1, declare: StateBuilder.() -> Unit) =
            runRanks(rankCount) { checkpoints(path, files = files.host(host), declare = declare).use { it.save(1) } }

        fun restore(files: SimulatedDisk, rankCount: Int = 1, declare: StateBuilder.() -> Unit) =
            runRanks(rankCount) { checkpoints(path, files = files.host(host), declare = declare).use { it.restore() } }

        test("all to which rows lead comes back, each as one object, whatever the order of the tables") {
            withRandom { random ->
                val whales = List(30) { if (random.nextBoolean()) Whale(it * 0.5) else Orca(it * 0.25, it) }
                whales.forEach { it.calf = whales.random(random).takeIf { random.nextInt(3) > 0 } }
                val saved = Crew(List(50) { Sailor(it) })
                val diary = Diary()
                saved.sailors.forEach { sailor ->
                    sailor.diary = if (random.nextInt(4) > 0) Diary() else diary
                    sailor.diary!!.owner = saved.sailors.random(random)
                }
                saved.sailors.forEach {
                    it.diary!!.pages += Sighting(whales.random(random), saved.sailors.random(random), random.nextLong())
                }
                val shared =
                    saved.diaries
                        .last()
                        .pages
                        .last()
                saved.diaries.first().pages += shared
                val files = SimulatedDisk()
                save(files) { saved.run { all() } }
                val back = Crew()
                restore(files) { back.run { all() } }
                back.inWords() shouldBe saved.inWords()
                back.diaries
                    .first()
                    .pages
                    .last() shouldBeSameInstanceAs
                    back.diaries
                        .last()
                        .pages
                        .last()
            }
        }

        test("each rank has those to which its own rows lead, and on another number of ranks they are refused") {
            val files = SimulatedDisk()
            runRanks(2) {
                val crew = Crew(List(1 + rank) { Sailor(it) })
                crew.sailors.forEach { it.diary = Diary().apply { pages += Sighting(Whale(rank + 0.5), it, 7) } }
                checkpoints(path, files = files.host(host)) { crew.run { all() } }.use { it.save(1) }
            }
            runRanks(2) {
                val crew = Crew()
                checkpoints(path, files = files.host(host)) { crew.run { all() } }.use { it.restore() }
                crew.pages.map { it.whale.length } shouldBe List(1 + rank) { rank + 0.5 }
            }
            deepestMessage { restore(files, rankCount = 3) { Crew().run { all() } } } shouldContain
                "'whales' is a table whose rows are in no list"
        }

        test("an object of another class than the table has is refused at each save, with its path") {
            val sailor = Sailor(1).apply { diary = Diary() }
            ranks(1) {
                val crew = Crew(listOf(sailor))
                checkpoints(path, files = SimulatedDisk().host(host)) { crew.run { all() } }.use { open ->
                    open.save(1)
                    sailor.diary!!.pages += Sighting(Whale(1.0), sailor, 1)
                    open.save(2)
                    sailor.diary!!.pages += Sighting(object : Whale(2.0) {}, sailor, 1)
                    deepestMessage { open.save(3) } shouldContain
                        "the rows of the table 'whales' should be objects of ${Whale::class.java.name}, but " +
                        "'sightings[1].whale' is a ${UnlistedRowsSpec::class.java.name}"
                    sailor.diary!!.pages.removeLast()
                    open.save(4)
                }
            }
        }

        test("what no row leads to is refused at the declaration, and so are rules for another number of ranks") {
            fun refusal(declare: StateBuilder.() -> Unit) =
                shouldThrow<InvalidDeclaration> {
                    runRanks(1) { checkpoints(path, files = SimulatedDisk().host(host), declare = declare) }
                }.message

            refusal { rows<Whale>("whales") {} } shouldBe
                "no rows lead to those of 'whales', which have no list, so that none would be saved: declare the " +
                "function that returns their list, or leave out the table"
            refusal { rows<Whale>("whales") { positionFree() } } shouldContain
                "table 'whales' has no list, and its rows stay with those that lead to them: leave out its rule"
            refusal {
                rows<Sailor>("sailors") {
                    uniqueIds("id")
                    elsewhere { Sailor(it.toInt()) }
                }
            } shouldContain "table 'sailors' has no list"
            refusal {
                rows("ferries", { listOf<Ferry>() }, {}) { positionFree() }
                rows<Buoy>("buoys") {}
            } shouldContain "declare a list, uniqueIds and elsewhere for 'buoys', or leave out the rule of 'ferries'"
        }

        test("a save during which rows lead to others is refused") {
            val sailors = List(2) { Sailor(it).apply { diary = Diary() } }
            val message =
                deepestMessage {
                    save(SimulatedDisk()) {
                        Crew(sailors).run { all() }
                        rows("boats", { listOf(Sailboat(1.0)).also { sailors[1].diary = sailors[0].diary } }, {}) {}
                    }
                }
            message shouldBe
                "other rows of 'diaries' were met, or in another order, when they were looked for again. Let no " +
                "thread and no function of the state change what rows lead to within a save. Nothing was saved."
        }

        test("a setter that leaves out rows is refused, also for those to which they led") {
            val files = SimulatedDisk()
            save(files) { Crew(List(2) { Sailor(it).apply { diary = Diary() } }).run { all() } }
            var sailors = emptyList<Sailor>()
            deepestMessage {
                restore(files) {
                    rows<Diary>("diaries") {}
                    rows<Sighting>("sightings") {}
                    rows<Whale>("whales") { kinds(Whale::class.java, Orca::class.java) }
                    rows("sailors", { sailors }, { sailors = it.onEach { sailor -> sailor.diary = null } }) {}
                }
            } shouldContain
                "the program does not have the rows of the table 'diaries' that were saved: no row leads to row 0 any"
        }

        /** Saves ferries that lead to buoys, and returns what others restore. */
        fun restored(
            save: StateBuilder.(Harbours) -> Unit = { it.run { all() } },
            restore: StateBuilder.(Harbours) -> Unit,
        ): List<List<Int?>> {
            val files = SimulatedDisk()
            val buoys = List(5, ::Buoy)
            val ferries = List(3) { Ferry(buoys[4 - it], buoys[it]) }
            buoys[0].next = buoys[3]
            save(files) { save(Harbours(ferries, buoys)) }
            val back = Harbours(emptyList(), emptyList())
            restore(files) { restore(back) }
            return back.ferries.map { listOf(it.from?.id, it.to?.id, it.to?.next?.id) }
        }
        val all = listOf(listOf(4, 0, 3), listOf(3, 1, null), listOf(2, 2, null))

        test("rows may be met in another order than when they were saved") {
            restored { back ->
                rows<Buoy>("buoys") {}
                rows("others", { listOf(Ferry(Buoy(9), null)) }, {}) {}
                rows("ferries", { back.ferries }, { back.ferries = it }) {}
            }.shouldBe(all)
            restored({
                rows("ferries", { it.ferries }, {}) {}
                rows("buoys", { it.buoys }, {}) {}
            }) { it.run { all() } } shouldBe all
            var given = emptyList<Ferry>()
            restored { back ->
                rows<Buoy>("buoys") {}
                rows("others", { listOf(Ferry(Buoy(9), null)) }, {}) {}
                rows("ferries", { back.ferries }, { given = it }) {}
                afterRestore { back.ferries = given }
            } shouldBe all
        }

        test("rows to which nothing leads any more are refused, unless the program takes them in a list") {
            fun StateBuilder.ferries(back: Harbours) =
                rows("ferries", { back.ferries }, { back.ferries = it }) {
                    except("from")
                    removed("from")
                }
            deepestMessage {
                restored { back ->
                    ferries(back)
                    rows<Buoy>("buoys") {}
                }
            } shouldContain
                "the program does not have the rows of the table 'buoys' that were saved: no row leads to row 0 any"
            deepestMessage {
                restored({
                    rows("ferries", { it.ferries.take(1) }, {}) {}
                    rows("buoys", { it.buoys }, {}) {}
                }) { it.run { all() } }
            } shouldContain "no row leads to row 1 any more, so that the next save would leave it out"
            restored { back ->
                var buoys = emptyList<Buoy>()
                ferries(back)
                rows("buoys", { buoys }, { buoys = it }) {}
            } shouldBe all.map { listOf(null) + it.drop(1) }
        }

        test("a row that is a constant, too, is refused, since a restart would make two of it") {
            for (declare in listOf<StateBuilder.() -> Unit>(
                { rows<Beacon>("beacons") {} },
                { rows("beacons", { listOf(Beacon(2), Beacon.NONE) }, {}) {} },
            )) {
                deepestMessage {
                    save(SimulatedDisk()) {
                        declare()
                        rows("towers", { listOf(Tower(Beacon.NONE)) }, {}) {}
                    }
                } shouldContain "is also what the static field ${Beacon::class.java.name}.NONE holds, and a restart"
            }
        }

        test("a list that would not come back is refused with its path, before its elements are looked at") {
            val huge = java.util.Collections.nCopies(2_000_000_000, Buoy(1))
            deepestMessage {
                save(SimulatedDisk()) {
                    rows<Buoy>("buoys") {}
                    rows("lines", { listOf(Line(huge)) }, {}) {}
                }
            } shouldContain "'lines[0].buoys' is a java.util.Collections\$CopiesList, which would not come back as such"
        }
    })

private class Sailboat(var length: Double)

private class Buoy(val id: Int) {
    var next: Buoy? = null
}

private class Ferry(var from: Buoy?, var to: Buoy?)

private class Line(val buoys: List<Buoy>)

private class Beacon(val height: Int) {
    companion object {
        @JvmField
        val NONE = Beacon(0)
    }
}

private class Tower(val beacon: Beacon)

private class Harbours(var ferries: List<Ferry>, val buoys: List<Buoy>) {
    fun StateBuilder.all() {
        rows("ferries", { ferries }, { ferries = it }) {}
        rows<Buoy>("buoys") {}
    }
}
