package dev.cairn.item

import dev.cairn.ObjectRows
import dev.cairn.StateBuilder
import dev.cairn.checkpoints
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.ranks.runRanks
import dev.cairn.sion.store.fixture.withRandom
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeSameInstanceAs
import java.nio.file.Path
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
            generateSequence<Throwable>(
                shouldThrow<Exception> {
                    runRanks(count) {
                        val book = prepare(rank)
                        checkpoints(path, files = SimulatedDisk().host(host)) { all(book) }.use { it.save(1) }
                    }
                },
            ) { it.cause }.last().message.orEmpty()

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
            generateSequence<Throwable>(
                shouldThrow<Exception> {
                    runRanks(2) {
                        checkpoints(path, files = files.host(host)) { declare(OfBook(emptyList())) { FarPeer(7) } }
                            .use { it.restore() }
                    }
                },
            ) { it.cause }.last().message shouldContain
                "elsewhere() of the table 'agents' returned a ${FarPeer::class.java.name} for the row with the id 1 " +
                "on another rank, and should return an object with that id"
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
    })
