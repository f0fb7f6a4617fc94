package dev.cairn.item

import dev.cairn.ObjectRows
import dev.cairn.StateBuilder
import dev.cairn.checkpoints
import dev.cairn.ranks.runRanks
import dev.cairn.reading.StoredCheckpoints
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
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

        fun ObjectRows<Citizen>.kinds() {
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
            save(files) { rows("citizens", { citizens }, {}) { kinds() } }
            restore(files) { rows("citizens", { back }, { back = it }) { kinds() } }
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
                rows("citizens", people, { back = it }) { kinds() }
            }
            save(files) { all({ events }, { citizens }) }
            restore(files) { all({ found }, { back }) }
            found shouldBe listOf(Payday(3, 0.5), Birth(3, back[4]), Payday(3, 0.5), Birth(4, back[0]))
        }

        test("kinds have their names in the checkpoint, and may be listed in another order") {
            val files = SimulatedDisk()
            save(files) { rows("citizens", { citizens }, {}) { kinds() } }
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
                "rows of the checkpoint have worker in the column 'class' of 'citizens', which the program no " +
                "longer has"
        }

        test("a class that is no kind is refused at the save, and kinds that differ in a field at the declaration") {
            deepestMessage {
                save(
                    SimulatedDisk(),
                ) { rows("c", { listOf<Citizen>(Stray(1)) }, {}) { kinds() } }
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
            } shouldContain "table 'any' has kinds of rows with fields 'size' of their own"
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
                        kinds()
                        kind<Worker>("again")
                    }
                }
            } shouldContain "declare at most 127, and each class once"
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

private inline fun deepestMessage(run: () -> Unit): String? =
    generateSequence<Throwable>(shouldThrow<Exception> { run() }) { it.cause }.last().message
