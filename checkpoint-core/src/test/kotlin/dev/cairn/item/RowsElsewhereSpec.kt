package dev.cairn.item

import dev.cairn.Checkpoints
import dev.cairn.ObjectRows
import dev.cairn.StateBuilder
import dev.cairn.checkpoints
import dev.cairn.cli.compareWith
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.ranks.runRanks
import dev.cairn.reading.StoredCheckpoints
import dev.cairn.sion.store.fixture.withRandom
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeSameInstanceAs
import java.nio.file.Path
import java.util.concurrent.ConcurrentLinkedQueue
import kotlin.random.Random

private open class Peer(val id: Int) {
    var wealth = 0.0
    var partner: Peer? = null
    var friends: List<Peer>? = null

    open fun all(): List<Any?> = listOf(id, wealth, partner?.id, friends?.map { it.id })
}

private class Dealer(id: Int) : Peer(id) {
    var stock = 0

    override fun all() = super.all() + stock
}

private class Parcel(val time: Int, val to: Peer)

/** Stands for an agent on another rank. */
private class FarPeer(id: Int) : Peer(id)

private class OfBook(var agents: List<Peer>, var messages: List<Parcel> = emptyList()) {
    fun agent(id: Int) = agents.find { it.id == id }
}

private class Circle(val id: Int) {
    var members: Set<Circle> = LinkedHashSet()
}

private class Broker(val id: Int) {
    var dealer: Dealer? = null
}

private interface Ship

private class Freighter(val id: Int) : Ship {
    var tug: Ship? = null
}

private class Ferryboat(val id: Int) : Ship

private class ForeignShip(val id: Int) : Ship

/** Rows that lead to rows on other ranks. */
class RowsElsewhereSpec :
    FunSpec({
        val path = Path.of("elsewhere")

        fun home(agent: Peer, count: Int) = Math.floorMod(agent.id / 3, count)

        fun ObjectRows<Peer>.agents() {
            uniqueIds("id")
            kind<Peer>("agent")
            kind<Dealer>("trader")
            elsewhere { FarPeer(it.toInt()) }
        }

        fun StateBuilder.all(book: OfBook, rule: ObjectRows<Peer>.() -> Unit = { owner(::home) }) {
            rows("messages", { book.messages }, { book.messages = it }) {
                owner { message, count -> home(message.to, count) }
            }
            rows("agents", { book.agents }, { book.agents = it }) {
                agents()
                rule()
            }
        }

        fun Random.agents(count: Int): List<Peer> {
            val ids = (-1000..1000).shuffled(this).take(count)
            val all = ids.map { if (nextBoolean()) Peer(it) else Dealer(it).apply { stock = nextInt() } }
            for (agent in all) {
                agent.wealth = nextDouble()
                agent.partner = if (nextBoolean()) all[nextInt(count)] else null
                agent.friends = if (nextInt(4) == 0) null else List(nextInt(5)) { all[nextInt(count)] }
            }
            return all
        }

        /** What [rank] of [count] holds of [agents], with others in the places of those that live elsewhere. */
        fun partOf(agents: List<Peer>, rank: Int, count: Int): OfBook {
            val own = agents.filter { home(it, count) == rank }

            fun here(one: Peer) = if (home(one, count) == rank) one else FarPeer(one.id)
            for (agent in own) {
                agent.partner = agent.partner?.let(::here)
                agent.friends = agent.friends?.map(::here)
            }
            return OfBook(own, own.map { Parcel(it.id / 7, it) })
        }

        fun OfBook.requireLinked(rank: Int, count: Int) {
            val standIns = HashMap<Int, Peer>()
            val led = agents.flatMap { listOfNotNull(it.partner) + it.friends.orEmpty() } + messages.map { it.to }
            for (one in led) {
                val own = if (home(one, count) == rank) agent(one.id)!! else standIns.getOrPut(one.id) { one }
                one shouldBeSameInstanceAs own
                (one is FarPeer) shouldBe (home(one, count) != rank)
            }
        }

        test("rows, and what they hold, go from 4 ranks to 3 to 1 and to 5, and lead to the same rows") {
            withRandom { random ->
                val files = SimulatedDisk()
                val agents = random.agents(40)
                val before = agents.map { it.all() }
                var messages = emptyList<List<Int>>()

                fun run(count: Int, isFirst: Boolean = false) =
                    runRanks(count) {
                        val book = if (isFirst) partOf(agents, rank, count) else OfBook(emptyList())
                        checkpoints(path, files = files.host(host)) { all(book) }.use { checkpoints ->
                            if (!isFirst) {
                                checkpoints.restore()
                                book.requireLinked(rank, count)
                                book.agents.forEach { home(it, count) shouldBe rank }
                                book.messages.forEach { home(it.to, count) shouldBe rank }
                            }
                            checkpoints.save(count.toLong())
                        }
                        book
                    }.also { books ->
                        books.flatMap { it.agents }.sortedBy { it.id }.map { it.all() } shouldBe
                            before.sortedBy { it[0] as Int }
                        val told = books.flatMap { it.messages }.map { listOf(it.time, it.to.id) }.sortedBy { "$it" }
                        if (isFirst) messages = told else told shouldBe messages
                    }
                run(4, isFirst = true)
                for (count in listOf(3, 1, 5, 5, 2)) run(count)
            }
        }

        test("rows that any rank may have keep what they hold") {
            withRandom { random ->
                val files = SimulatedDisk()
                val agents = random.agents(20)
                val before = agents.map { it.all() }.sortedBy { it[0] as Int }

                fun run(count: Int, isFirst: Boolean = false) =
                    runRanks(count) {
                        val book = if (isFirst) partOf(agents, rank, count) else OfBook(emptyList())
                        checkpoints(path, files = files.host(host)) { all(book) { positionFree() } }.use {
                            if (!isFirst) it.restore()
                            it.save(count.toLong())
                        }
                        book
                    }.flatMap { it.agents }.sortedBy { it.id }.map { it.all() } shouldBe before
                run(3, isFirst = true)
                for (count in listOf(2, 7, 1)) run(count)
            }
        }

        fun refusalOfSave(count: Int, prepare: (rank: Int) -> OfBook): String =
            deepestMessage {
                runRanks(count) {
                    val book = prepare(rank)
                    checkpoints(path, files = SimulatedDisk().host(host)) { all(book) }.use { it.save(1) }
                }
            }.orEmpty()

        test("an id that no row has on any rank is refused at the save, with its rank") {
            fun lost(count: Int, hold: Peer.() -> Unit) =
                refusalOfSave(count) { rank ->
                    OfBook(listOf(Peer(10 + rank)).onEach { if (rank == count - 1) it.hold() })
                }
            lost(3) { partner = FarPeer(99) } shouldContain
                "'agents.partner' leads on rank 2 to an object with the id 99, which no row of 'agents' has on any rank"
            lost(3) { friends = listOf(FarPeer(10), FarPeer(98)) } shouldContain
                "'agents.friends' leads on rank 2 to an object with the id 98, which no row of 'agents' has on any rank"
            lost(1) { partner = FarPeer(99) } shouldContain
                "'agents.partner' leads on rank 0 to an object with the id 99"
        }

        test("another object with the id of a row of its rank is refused at the save") {
            refusalOfSave(2) { rank -> OfBook(listOf(Peer(rank).apply { partner = FarPeer(rank) })) } shouldContain
                "'agents[0].partner' leads to an object with the id 0 that is not the row of 'agents' with that id"
        }

        test("what stands for a row has the id of that row") {
            val files = SimulatedDisk()

            fun StateBuilder.declare(book: OfBook, make: (Long) -> Peer) =
                rows("agents", { book.agents }, { book.agents = it }) {
                    uniqueIds("id")
                    kind<Peer>("agent")
                    elsewhere { make(it) }
                }
            runRanks(2) {
                val book = OfBook(listOf(Peer(rank).apply { partner = FarPeer(1 - rank) }))
                checkpoints(path, files = files.host(host)) { declare(book) { FarPeer(7) } }.use { it.save(1) }
            }
            deepestMessage {
                runRanks(2) {
                    checkpoints(path, files = files.host(host)) { declare(OfBook(emptyList())) { FarPeer(7) } }
                        .use { it.restore() }
                }
            } shouldContain
                "elsewhere() of the table 'agents' returned a ${FarPeer::class.java.name} for the row with the id 1 " +
                "on another rank, and should return an object with that id"
        }

        test("what stands for a row has its id in the field of a class of the table") {
            deepestMessage {
                runRanks(2) {
                    val ship = Freighter(rank).apply { tug = ForeignShip(1 - rank) }
                    checkpoints(path, files = SimulatedDisk().host(host)) {
                        rows("ships", { listOf<Ship>(ship) }, {}) {
                            kind<Freighter>("freighter")
                            kind<Ferryboat>("ferry")
                            uniqueIds("id")
                            elsewhere { ForeignShip(it.toInt()) }
                        }
                    }.use { it.save(1) }
                }
            } shouldContain "ForeignShip that is no row of 'ships', and has no field 'id' of one of its classes"
        }

        test("a rule for other ranks needs what stands for rows there, and that needs ids") {
            fun refusal(declare: StateBuilder.() -> Unit) =
                shouldThrow<InvalidDeclaration> {
                    runRanks(1) { checkpoints(path, files = SimulatedDisk().host(host), declare = declare) }
                }.message.orEmpty()
            refusal {
                rows<Peer>("agents", { listOf() }, {}) {
                    uniqueIds("id")
                    owner(::home)
                }
            } shouldContain
                "the field 'partner' of ${Peer::class.java.name} leads to rows of 'agents', which may be on other " +
                "ranks after a restart on another number of ranks: declare uniqueIds and elsewhere for 'agents'"
            refusal { rows<Peer>("agents", { listOf() }, {}) { elsewhere { FarPeer(it.toInt()) } } } shouldContain
                "table 'agents' has rows elsewhere, and no ids by which to make what stands for them: declare uniqueIds"
        }

        test("what stands for a row, and a graph holds, too, is refused at the save with both paths") {
            fun refusal(hold: Peer.(far: Peer) -> Unit) =
                deepestMessage {
                    runRanks(2) {
                        val far = FarPeer(1 - rank)
                        val book = OfBook(listOf(Peer(rank).apply { hold(far) }))
                        checkpoints(path, files = SimulatedDisk().host(host)) {
                            all(book)
                            graph("book", { Parcel(1, far) }, {}) {}
                        }.use { it.save(1) }
                    }
                }
            refusal { partner = it } shouldContain "'book.to' is also 'agents'"
            refusal { friends = arrayListOf(it) } shouldContain "'book.to' is also 'agents'"
            refusal { friends = listOf(it) } shouldContain "'book.to' is also 'agents'"
        }

        test("a set has one object for each row on another rank") {
            val message =
                deepestMessage {
                    runRanks(2) {
                        val circle = Circle(rank).apply { members = linkedSetOf(Circle(1 - rank), Circle(1 - rank)) }
                        checkpoints(path, files = SimulatedDisk().host(host)) {
                            rows("circles", { listOf(circle) }, {}) {
                                uniqueIds("id")
                                elsewhere { Circle(it.toInt()) }
                            }
                        }.use { it.save(1) }
                    }
                }
            message shouldContain "'circles[0].members' has two objects with the id "
            message shouldContain ", and after a restart would have one"
        }

        test("a field that leads to some rows of a table alone is refused") {
            deepestMessage {
                runRanks(1) {
                    checkpoints(path, files = SimulatedDisk().host(host)) {
                        rows<Broker>("brokers", { listOf() }, {}) {}
                        rows("agents", { listOf<Peer>() }, {}) {
                            agents()
                            owner(::home)
                        }
                    }
                }
            } shouldContain
                "the field 'dealer' of ${Broker::class.java.name} leads to a ${Dealer::class.java.name}, but a " +
                "row of 'agents' on another rank may be any ${Peer::class.java.name}"
        }

        test("an owner function sees one object for each row elsewhere, with its id") {
            val files = SimulatedDisk()
            val made = ConcurrentLinkedQueue<Long>()

            fun run(count: Int, book: (rank: Int) -> OfBook, use: suspend (Checkpoints) -> Unit) =
                runRanks(count) {
                    val own = book(rank)
                    checkpoints(path, files = files.host(host)) {
                        rows("messages", { own.messages }, { own.messages = it }) {
                            owner { message, count -> home(message.to, count) }
                        }
                        rows("agents", { own.agents }, { own.agents = it }) {
                            agents()
                            elsewhere { id -> FarPeer(id.toInt()).also { made += id } }
                            owner(::home)
                        }
                    }.use { use(it) }
                }
            run(2, { rank ->
                Peer(3 * rank).let { to ->
                    OfBook(listOf(to), List(5) { Parcel(it, to) })
                }
            }) { it.save(1) }
            run(1, { OfBook(emptyList()) }) { it.restore() }
            made.sorted() shouldBe listOf(0, 3)
        }

        test("a diff and a restart see who holds whom, in which order, also of rows in any order") {
            val files = SimulatedDisk()

            fun StateBuilder.any(book: OfBook, set: (List<Peer>) -> Unit = { book.agents = it }) =
                rows("agents", { book.agents }, set) {
                    agents()
                    positionFree()
                }

            fun save(change: (List<Peer>) -> Unit) =
                runRanks(2) {
                    val all = List(3) { Peer(3 * rank + it) }
                    all.forEach { it.friends = listOf(all[1], all[0]) }
                    all[2].friends = listOf(all[0], all[1])
                    change(all)
                    checkpoints(path, files = files.host(host)) { any(OfBook(all)) }.use { it.save(1) }
                }
            save {}
            save { all ->
                all[1].friends = all[2].friends!!.toList().also { all[2].friends = all[1].friends!!.toList() }
            }
            val store = StoredCheckpoints(path, files.host("host0"))
            val (first, second) = store.saves().map { it.number }
            store.open(first).use { one ->
                val other = store.open(second)
                val found = one.table("agents").compareWith(other.table("agents"))
                found.isSame shouldBe false
                found.first shouldBe "id 1: friends"
                one.table("agents.friends").compareWith(other.table("agents.friends")).isSame shouldBe true
            }
            deepestMessage {
                runRanks(1) {
                    val book = OfBook(emptyList())
                    checkpoints(path, files = files.host(host)) {
                        any(book) { all ->
                            all[0].friends = all[5].friends.also { all[5].friends = all[0].friends }
                            book.agents = all
                        }
                    }.use { it.restore() }
                }
            } shouldContain "the program does not have the rows of the table 'agents' that were saved"
            runRanks(1) {
                val book = OfBook(emptyList())
                checkpoints(path, files = files.host(host)) {
                    any(book) { all -> book.agents = all.sortedBy { -it.id } }
                }.use { it.restore() }
                book.agents.map { agent -> agent.friends!!.map { it.id } }.take(2) shouldBe
                    listOf(listOf(4, 3), listOf(3, 4))
            }
        }
    })
