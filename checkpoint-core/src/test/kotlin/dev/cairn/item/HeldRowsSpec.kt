package dev.cairn.item

import dev.cairn.StateBuilder
import dev.cairn.checkpoints
import dev.cairn.options.CheckpointOptions
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeSameInstanceAs
import java.nio.file.Path
import java.util.Collections

private class Crate(var weight: Int)

private class Load(var crate: Crate)

private class Scale(var crate: Crate, var queue: MutableList<Crate>)

private class Crane(val number: Int, crates: List<Crate>) {
    val queue = ArrayList(crates)
    val pair: MutableList<Crate> = java.util.Arrays.asList(*crates.take(2).toTypedArray())

    fun take(other: Crane) {
        queue.clear()
        queue += other.queue
        Collections.copy(pair, other.pair)
    }

    fun requireOwn(crates: List<Crate>) {
        queue.zip(crates) { queued, crate -> queued shouldBeSameInstanceAs crate }
        pair.zip(crates) { one, crate -> one shouldBeSameInstanceAs crate }
    }
}

@JvmRecord
private data class Gang(val carried: ArrayList<Crate>)

private class Dock {
    val kept = List(3) { Crate(it) }
    var crates: List<Crate> = ArrayList(kept)
    val cranes = arrayListOf(Crane(1, kept), Crane(2, kept))
}

private class Seaman(val id: Int) {
    var journal: Journal? = null
}

private class Journal(var text: Int)

private class Heap(val number: Int) {
    var friends = emptyList<Heap>()
}

/** As a program writes it in Java: a list to which nothing can be added. */
private class ProgramView(private val all: List<Crate>) : java.util.AbstractList<Crate>() {
    override val size get() = all.size

    override fun get(index: Int) = all[index]
}

/** A program that goes on with its rows after a check of a restart. */
private class Stock {
    val kept = List(3) { Crate(it) }
    var crates: MutableList<Crate> = ArrayList(kept)
    val own: List<Crate> = crates
    var view: List<Crate> = Collections.unmodifiableList(crates)
    var program: List<Crate> = ProgramView(crates)
    var array = kept.toTypedArray()
    var byWeight = mapOf<Int, Crate>()

    fun refill(rows: List<Crate>) {
        crates.clear()
        crates.addAll(rows)
    }

    fun fill(rows: List<Crate>) = rows.forEachIndexed { at, crate -> array[at] = crate }

    fun replace(rows: List<Crate>) {
        crates = rows as MutableList<Crate>
    }
}

/** The rows of objects that a program holds after a check of a restart: its own ones, where they were. */
class HeldRowsSpec :
    FunSpec({
        /** Saves twice with check-restart, and once more after that. */
        suspend fun check(between: () -> Unit = {}, after: () -> Unit = {}, declare: StateBuilder.() -> Unit) =
            ranks(1) {
                val options = CheckpointOptions { checkRestart = true }
                checkpoints(Path.of("held"), options, SimulatedDisk().host("host0"), declare = declare).use {
                    it.save(1)
                    between()
                    it.save(2)
                    after()
                    it.save(3)
                }
            }

        class Way(val name: String, val get: Stock.() -> List<Crate>, val set: Stock.(List<Crate>) -> Unit)

        val ways =
            listOf(
                Way("its list, another one", { crates }, { replace(it) }),
                Way("its list, filled again", { crates }, { refill(it) }),
                Way("its list, another one, and the old one emptied", { crates }, {
                    crates.clear()
                    replace(it)
                }),
                Way("a copy", { java.util.List.copyOf(crates) }, { replace(it) }),
                Way("a view", { Collections.unmodifiableList(crates) }, { replace(it) }),
                Way("a view of a list, filled again", { Collections.unmodifiableList(crates) }, { refill(it) }),
                Way("one view of a list, filled again", { view }, { refill(it) }),
                Way("a view that is replaced", { view }, {
                    replace(it)
                    view = Collections.unmodifiableList(it)
                }),
                Way("one view of a class of the program", { program }, {
                    replace(it)
                    program = ProgramView(it)
                }),
                Way("a part of its list", { crates.subList(0, crates.size) }, { refill(it) }),
            )
        for (way in ways) {
            test("the program has its own rows again, and can add one: ${way.name}") {
                val stock = Stock()
                check(
                    between = { stock.crates[0].weight = 7 },
                    after = {
                        stock.crates.size shouldBe 3
                        stock.crates.forEachIndexed { at, crate -> crate shouldBeSameInstanceAs stock.kept[at] }
                        stock.crates += Crate(9)
                    },
                ) { rows("crates", { way.get(stock) }, { way.set(stock, it) }) {} }
                stock.crates.map { it.weight } shouldBe listOf(7, 1, 2, 9)
            }
        }

        test("a list that other parts of the program hold is its list again") {
            val stock = Stock()
            check { rows("crates", { stock.crates }, { stock.replace(it) }) {} }
            stock.crates shouldBeSameInstanceAs stock.own
        }

        test("rows that afterRestore puts together are the program's own ones again") {
            val stock = Stock()
            var given = emptyList<Crate>()
            check(between = { stock.crates[0].weight = 7 }) {
                rows("crates", { stock.crates }, { given = it }) {}
                afterRestore { stock.crates = ArrayList(given) }
            }
            stock.crates.map { it.weight } shouldBe listOf(7, 1, 2)
            stock.crates.forEachIndexed { at, crate -> crate shouldBeSameInstanceAs stock.kept[at] }
        }

        test("an array that the setter fills has its own rows again") {
            val stock = Stock()
            check(between = { stock.array[1].weight = 8 }) {
                rows("crates", { stock.array.asList() }, { stock.fill(it) }) {}
            }
            stock.array.forEachIndexed { at, crate -> crate shouldBeSameInstanceAs stock.kept[at] }
        }

        test("rows that a rule lets stand in any order may be held in any, and linked ones stay linked") {
            val stock = Stock()
            for (rows in listOf(64, 5, 0)) stock.byWeight += rows to Crate(rows)
            var loads: List<Load> = List(3) { Load(stock.byWeight.getValue(5)) }
            check(between = { loads[0].crate = stock.byWeight.getValue(64) }) {
                rows("crates", { stock.byWeight.values.toList() }, { all ->
                    stock.byWeight = all.sortedBy { it.weight }.associateBy { it.weight }
                }) {
                    positionFree()
                    uniqueIds("weight")
                }
                rows("loads", { loads }, { loads = it }) {}
            }
            withClue("its own crates") { loads.map { it.crate } shouldBe listOf(64, 5, 5).map(stock.byWeight::get) }
        }

        test("a setter may copy into the row that the program holds, with what leads to others") {
            val stock = Stock()
            val scale = Scale(stock.crates[0], mutableListOf(stock.crates[1]))
            check(
                between = { scale.queue += stock.crates[2] },
                after = {
                    scale.crate shouldBeSameInstanceAs stock.kept[0]
                    scale.queue.map(stock.kept::indexOf) shouldBe listOf(1, 2)
                },
            ) {
                rows("crates", { stock.crates }, { stock.replace(it) }) {}
                rows("scales", { listOf(scale) }, { (found) ->
                    scale.crate = found.crate
                    scale.queue.clear()
                    scale.queue += found.queue
                }) {}
            }
        }

        class Copying(val name: String, val between: Dock.() -> Unit, val set: Dock.(List<Crane>) -> Unit)

        val copies =
            listOf(
                Copying("as many as before", {}) { found -> cranes.zip(found, Crane::take) },
                Copying("more than before", { cranes += Crane(3, kept) }) { found ->
                    val own = cranes.associateBy { it.number }
                    cranes.clear()
                    cranes += found.map { own[it.number]?.apply { take(it) } ?: it }
                },
            )
        for (way in copies) {
            test("a setter may copy into the rows of the program: ${way.name}") {
                val dock = Dock()
                check(
                    between = { way.between(dock) },
                    after = { dock.cranes.forEach { it.requireOwn(dock.kept) } },
                ) {
                    rows("crates", { dock.crates }, { dock.crates = it }) {}
                    rows("cranes", { dock.cranes }, { way.set(dock, it) }) {}
                }
            }
        }

        test("a setter may copy into the lists of records") {
            val stock = Stock()
            val gang = Gang(arrayListOf(stock.crates[0]))
            check(
                between = { gang.carried += stock.crates[2] },
                after = { gang.carried.map(stock.kept::indexOf) shouldBe listOf(0, 2) },
            ) {
                rows("crates", { stock.crates }, { stock.replace(it) }) {}
                rows("gangs", { listOf(gang) }, { (found) ->
                    gang.carried.clear()
                    gang.carried += found.carried
                }) {}
            }
        }

        test("a hook may take what the setters got") {
            val stock = Stock()
            val scale = Scale(stock.crates[0], mutableListOf(stock.crates[1]))
            var given = emptyList<Crate>()
            var pending: Scale? = null
            check(
                between = { scale.queue += stock.crates[2] },
                after = {
                    stock.crates.zip(stock.kept) { crate, kept -> crate shouldBeSameInstanceAs kept }
                    scale.crate shouldBeSameInstanceAs stock.kept[0]
                },
            ) {
                rows("crates", { stock.crates }, { given = it }) {}
                rows("scales", { listOf(scale) }, { pending = it[0] }) {}
                afterRestore {
                    stock.crates = ArrayList(given)
                    pending?.let { scale.crate = it.crate }
                    pending?.let { scale.queue = it.queue }
                }
            }
        }

        test("a hook may take rows that lead to rows in no list") {
            val kept = listOf(Seaman(1), Seaman(2))
            var crew = kept
            var given = emptyList<Seaman>()
            check(
                between = { crew[1].journal = Journal(5) },
                after = { crew.zip(kept) { sailor, own -> sailor shouldBeSameInstanceAs own } },
            ) {
                rows("sailors", { crew }, { given = it }) {}
                rows<Journal>("journals") {}
                afterRestore { crew = ArrayList(given) }
            }
        }

        test("rows that a rule lets stand in any order, and hold rows in lists, may be sorted by a setter") {
            var all = listOf(3, 1, 2).map(::Heap)
            all.forEach { it.friends = all.filter { other -> other != it } }
            check(between = { all = all.reversed() }) {
                rows("heaps", { all }, { rows -> all = rows.sortedBy { it.number } }) {
                    uniqueIds("number")
                    positionFree()
                    elsewhere { Heap(it.toInt()) }
                }
            }
            all.flatMap { it.friends }.forEach { friend -> friend shouldBeSameInstanceAs all[all.indexOf(friend)] }
        }
    })
