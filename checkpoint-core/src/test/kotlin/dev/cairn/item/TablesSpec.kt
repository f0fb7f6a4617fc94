package dev.cairn.item

import dev.cairn.Columns
import dev.cairn.ReadBytes
import dev.cairn.checkpoints
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.manifestOf
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.ranks
import dev.cairn.ranks.runRanks
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.fixture.withRandom
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.PerRankRule
import dev.cairn.stateBuilder
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.longs.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path
import kotlin.random.Random

/** Rows that move between ranks. Expected values are formulas over ids; expected places come from lists of all rows. */
class TablesSpec :
    FunSpec({
        test("rows of any ranks come to their owners on any others, in the order in which they were stored") {
            withRandom { random ->
                repeat(60) {
                    val stored = random.rows(random.nextInt(1, 17))
                    val readers = random.nextInt(1, 17)
                    withClue("${stored.map { it.size }} rows on $readers ranks") {
                        val files = SimulatedDisk()
                        files.save(stored)
                        files.restore(readers, Bodies::owned).map { it.ids() } shouldBe
                            if (readers == stored.size) stored else ownedBy(stored.flatten(), readers)
                    }
                }
            }
        }

        test("rows that any rank may have are dealt in nearly equal shares, in their order") {
            withRandom { random ->
                repeat(40) {
                    val stored = random.rows(random.nextInt(1, 17))
                    val readers = random.nextInt(1, 17)
                    withClue("${stored.map { it.size }} rows on $readers ranks") {
                        val files = SimulatedDisk()
                        files.save(stored)
                        val restored = files.restore(readers, Columns::positionFree).map { it.ids() }
                        restored.flatten() shouldBe stored.flatten()
                        if (readers == stored.size) {
                            restored shouldBe stored
                        } else {
                            (restored.maxOf { it.size } - restored.minOf { it.size } <= 1) shouldBe true
                        }
                    }
                }
            }
        }

        for ((writers, readers) in listOf(1 to 1, 1 to 7, 7 to 1, 3 to 50, 50 to 3, 13 to 11, 1000 to 7, 7 to 1000)) {
            test("$writers ranks store a table, and $readers take it") {
                val stored = List(writers) { rank -> List(if (rank % 3 == 1) 0 else 5) { rank * 5L + it } }
                val files = SimulatedDisk()
                files.save(stored)
                files.restore(readers, Bodies::owned).map { it.ids() } shouldBe
                    if (readers == writers) stored else ownedBy(stored.flatten(), readers)
            }
        }

        test("a table without any rows comes back without any") {
            val files = SimulatedDisk()
            files.save(List(4) { emptyList() })
            for (readers in listOf(1, 3, 4, 9)) {
                files.restore(readers, Bodies::owned).map { it.ids() } shouldBe List(readers) { emptyList() }
            }
        }

        test("the digest of a table is the same, however its rows have moved and whatever order they have") {
            val files = SimulatedDisk()
            files.save(List(5) { rank -> List(40) { (it * 7919L + rank * 31) } })
            val first = files.digest(1)
            ranks(3) {
                val bodies = Bodies()
                bodies.open(this, files.host(host)) { Bodies.owned(this) }.use {
                    it.restore()
                    bodies.reverse()
                    it.save(2)
                }
            }
            files.digest(2) shouldBe first
        }

        test("many frames and rounds: each frame is read once, and every row arrives") {
            val rowCount = 700_000L
            val files = ReadBytes(SimulatedDisk().host("host0"))
            val stored = List(3) { rank -> List((rowCount / 3).toInt()) { it * 3L + rank } }
            ranks(3) { Particles(stored[rank]).open(this, files).use { it.save(1) } }
            files.byteCount.set(0)
            val restored =
                List(5) { Particles(emptyList()) }.also { all ->
                    ranks(5) { all[rank].open(this, files).use { it.restore() } }
                }
            files.byteCount.get() shouldBeLessThanOrEqual (stored.sumOf { it.size.toLong() } * (8 + 8 + 1) * 105 / 100)
            for ((rank, expected) in ownedBy(stored.flatten(), 5).withIndex()) {
                check(restored[rank].id.toList() == expected) { "rank $rank has other rows" }
                check(restored[rank].isRight())
            }
        }

        test("the rows may be the first ones of longer arrays") {
            val files = SimulatedDisk()
            var count = 3
            var values = intArrayOf(5, 6, 7, -1, -1)

            suspend fun Communicator.open() =
                checkpoints(Path.of("part"), files = files.host(host)) {
                    table("cells") {
                        rows({ count }, { count = it })
                        column("value", { values }, { values = it })
                    }
                }
            ranks(1) { open().use { it.save(1) } }
            count = 0
            values = IntArray(0)
            ranks(1) { open().use { it.restore() } }
            count shouldBe 3
            values.toList() shouldBe listOf(5, 6, 7)
        }

        test("the rows may be records, whose components are the columns") {
            val files = SimulatedDisk()

            suspend fun Communicator.open(get: () -> List<Body>, set: (List<Body>) -> Unit) =
                checkpoints(Path.of("records"), files = files.host(host)) {
                    rows("bodies", get, set) {
                        uniqueIds("id")
                        owner { body, rankCount -> (body.id % rankCount).toInt() }
                    }
                }
            val stored = List(4) { rank -> List(rank * 2) { body(rank * 100L + it) } }
            ranks(4) { open({ stored[rank] }, {}).use { it.save(1) } }
            ranks(3) {
                var bodies = emptyList<Body>()
                open({ bodies }, { bodies = it }).use { it.restore() }
                bodies shouldBe stored.flatten().filter { it.id % 3 == rank.toLong() }
            }
        }

        test("ids that are not unique are found across ranks, and nothing is saved") {
            val files = SimulatedDisk()
            ranks(4) {
                val ids = if (rank % 2 == 1) listOf(8L, 41L + rank, 7L - rank) else listOf(100L + rank)
                val bodies = Bodies(ids)
                bodies.open(this, files.host(host)) { uniqueIds("id") }.use { checkpoints ->
                    val failure = shouldThrow<CheckpointException> { checkpoints.save(1) }
                    failure.cause!!.message shouldBe
                        "the ids in the column 'id' of the table 'bodies' should be unique, but two rows have 8, on " +
                        "ranks 1, 3. Nothing was saved: give each row an id of its own, or do not declare them as " +
                        "unique."
                    checkpoints.restore() shouldBe null
                    if (rank == 3) bodies.id[0] = 9
                    checkpoints.save(2).step shouldBe 2
                }
            }
        }

        test("without a rule the rows come back on as many ranks, and on others are refused") {
            val files = SimulatedDisk()
            val stored = List(4) { rank -> List(rank) { rank * 10L + it } }
            files.save(stored)
            files.restore(4) {}.map { it.ids() } shouldBe stored
            refusal { files.restore(3) {} } shouldBe
                "'bodies' is a table, was saved by 4 ranks and has no rule for 3. Give it an owner, or declare it " +
                "positionFree() if any rank may have any row, or restart on 4 ranks."
        }

        test("an owner that is no rank is refused, and the program keeps its arrays") {
            val files = SimulatedDisk()
            files.save(List(2) { rank -> listOf(rank.toLong()) })
            val bodies = Bodies(listOf(77))
            refusal {
                runRanks(1) {
                    bodies.open(this, files.host(host)) { owner { _, rankCount -> rankCount } }.use { it.restore() }
                }
            } shouldBe
                "the owner of a row of the table 'bodies' should be a rank from 0 to 0, but its owner function " +
                "returns " +
                "1. It is called with 1 rank: let it return one of these."
            bodies.ids() shouldBe listOf(77L)
        }

        test("ranks that declare different rules are refused at once") {
            val files = SimulatedDisk()
            ranks(2) {
                shouldThrow<InvalidDeclaration> {
                    Bodies().open(this, files.host(host)) { if (rank == 1) uniqueIds("id") else positionFree() }
                }.cause!!.message shouldContain "Rank 0 declares the table 'bodies' of id: long, x: double, mass: float"
                shouldThrow<InvalidDeclaration> {
                    checkpoints(Path.of("sums"), files = files.host(host)) {
                        perRank("sum", { 1 }, {}, if (rank == 0) PerRankRule.Drop() else PerRankRule.Merge { it.sum() })
                    }
                }.cause!!.message shouldBe
                    "rank 1 and rank 0 do not declare the same state. Rank 0 declares the perRank 'sum' of cbor " +
                    "(int, Drop); rank 1 declares the perRank 'sum' of cbor (int, Merge). Declare the same items in " +
                    "the same order."
            }
        }

        test("wrong declarations are refused with a sentence") {
            fun declaration(declare: Columns.() -> Unit) =
                shouldThrow<InvalidDeclaration> {
                    stateBuilder().table("bodies", columns = declare)
                }.message
            declaration {} shouldBe "table 'bodies' has no columns: name at least one"
            declaration {
                column("id", { LongArray(0) }, {})
                column("id", { IntArray(0) }, {})
            } shouldBe "table 'bodies' has two columns 'id': give each a name of its own"
            declaration {
                positionFree()
                owner { _, _ -> 0 }
            } shouldBe "table 'bodies' has two rules for another number of ranks: declare one owner, or positionFree()"
            declaration {
                column("x", { DoubleArray(0) }, {})
                uniqueIds("x")
            } shouldBe
                "table 'bodies' has no column 'x' of longs or ints, which its ids should be. Its columns are x: double."
            shouldThrow<InvalidDeclaration> {
                stateBuilder().rows("bodies", { listOf<Named>() }, {}) {}
            }.message shouldBe
                "table 'bodies' has columns of primitive types, texts and enums, but the component 'names' of " +
                "dev.cairn.item.Named is of java.util.List: except it, or let it be transient, and make it anew " +
                "after " +
                "a restart, or save the rows as a graph"
        }

        test("a row is asked for its columns, and says which there are") {
            refusal {
                val files = SimulatedDisk()
                files.save(listOf(listOf(1L), listOf(2L)))
                files.restore(1) { owner { row, _ -> row.getInt("id") } }
            } shouldBe
                "table 'bodies' has no column 'id' of int. Its columns are id: long, x: double, mass: float, kind: " +
                "int, charge: short, flavour: byte, letter: char, fixed: boolean."
        }

        test("columns whose arrays are not as long as the others are refused at the save") {
            ranks(1) {
                val open =
                    checkpoints(Path.of("lengths"), files = SimulatedDisk().host(host)) {
                        table("bodies") {
                            column("id", { LongArray(3) }, {})
                            column("kind", { IntArray(2) }, {})
                        }
                    }
                shouldThrow<InvalidDeclaration> { open.use { it.save(1) } }.cause!!.message shouldBe
                    "table 'bodies' has 3 rows, but the array of its column 'kind' has 2 elements. Make it as long, " +
                    "or say with rows() how many of the elements are rows."
            }
        }
    })

/** The rows of each rank by their ids, which are all different; some ranks have none, and one has most. */
private fun Random.rows(rankCount: Int): List<List<Long>> {
    val sizes = List(rankCount) { if (nextInt(4) == 0) 0 else nextInt(30) }.toMutableList()
    sizes[nextInt(rankCount)] += nextInt(200)
    val ids = generateSequence { nextLong() }.distinct().iterator()
    return sizes.map { size -> List(size) { ids.next() } }
}

/** The rows that each rank owns, in the order of the list. */
private fun ownedBy(rows: List<Long>, rankCount: Int): List<List<Long>> =
    List(rankCount) { rank -> rows.filter { Math.floorMod(it, rankCount) == rank } }

private fun SimulatedDisk.save(rows: List<List<Long>>) =
    runRanks(RankPlan(rows.size)) { Bodies(rows[rank]).open(this, host(host)) {}.use { it.save(1) } }

private fun SimulatedDisk.restore(rankCount: Int, rules: Columns.() -> Unit): List<Bodies> {
    val bodies = List(rankCount) { Bodies() }
    runRanks(RankPlan(rankCount)) { bodies[rank].open(this, host(host), rules).use { it.restore() } }
    bodies.forEach { it.requireFormulas() }
    return bodies
}

private fun SimulatedDisk.digest(save: Int): String =
    manifestOf(host("host0"), Path.of("bodies"), save).items.single().digest

private fun refusal(run: () -> Unit): String? =
    generateSequence<Throwable>(shouldThrow<Exception> { run() }) { it.cause }.last().message

/** A column of every type; all values but the id are formulas over it. */
private class Bodies(ids: List<Long> = emptyList()) {
    var id = ids.toLongArray()
    var x = DoubleArray(id.size) { xOf(id[it]) }
    var mass = FloatArray(id.size) { id[it] * 0.25f }
    var kind = IntArray(id.size) { (id[it] * 31).toInt() }
    var charge = ShortArray(id.size) { (id[it] * 7).toShort() }
    var flavour = ByteArray(id.size) { (id[it] * 5).toByte() }
    var letter = CharArray(id.size) { id[it].toInt().toChar() }
    var fixed = BooleanArray(id.size) { id[it] % 3 == 0L }

    fun ids() = id.toList()

    suspend fun open(ranks: Communicator, files: BlockStore, rules: Columns.() -> Unit) =
        ranks.checkpoints(Path.of("bodies"), files = files) {
            table("bodies") {
                column("id", { id }, { id = it })
                column("x", { x }, { x = it })
                column("mass", { mass }, { mass = it })
                column("kind", { kind }, { kind = it })
                column("charge", { charge }, { charge = it })
                column("flavour", { flavour }, { flavour = it })
                column("letter", { letter }, { letter = it })
                column("fixed", { fixed }, { fixed = it })
                rules()
            }
        }

    fun requireFormulas() {
        val expected = Bodies(ids())
        x.toList() shouldBe expected.x.toList()
        mass.toList() shouldBe expected.mass.toList()
        kind.toList() shouldBe expected.kind.toList()
        charge.toList() shouldBe expected.charge.toList()
        flavour.toList() shouldBe expected.flavour.toList()
        letter.toList() shouldBe expected.letter.toList()
        fixed.toList() shouldBe expected.fixed.toList()
    }

    fun reverse() {
        id.reverse()
        x.reverse()
        mass.reverse()
        kind.reverse()
        charge.reverse()
        flavour.reverse()
        letter.reverse()
        fixed.reverse()
    }

    companion object {
        fun owned(rules: Columns) = rules.owner { row, rankCount -> Math.floorMod(row.getLong("id"), rankCount) }
    }
}

private fun xOf(id: Long) = id * 0.5 + 1.0 / (Math.floorMod(id, 97) + 1)

/** Few columns, for many rows. */
private class Particles(ids: List<Long>) {
    var id = ids.toLongArray()
    private var x = DoubleArray(id.size) { xOf(id[it]) }
    private var flag = ByteArray(id.size) { (id[it] % 113).toByte() }

    suspend fun open(ranks: Communicator, files: BlockStore) =
        ranks.checkpoints(Path.of("particles"), files = files) {
            table("particles") {
                column("id", { id }, { id = it })
                column("x", { x }, { x = it })
                column("flag", { flag }, { flag = it })
                owner { row, rankCount -> Math.floorMod(row.getLong("id"), rankCount) }
            }
        }

    fun isRight() = id.indices.all { x[it] == xOf(id[it]) && flag[it] == (id[it] % 113).toByte() }
}

@JvmRecord
private data class Body(val id: Long, val x: Double, val isFixed: Boolean)

private fun body(id: Long) = Body(id, xOf(id), id % 2 == 0L)

@JvmRecord
private data class Named(val names: List<String>)
