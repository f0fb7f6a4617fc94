package dev.cairn.item

import dev.cairn.ObjectRows
import dev.cairn.StateBuilder
import dev.cairn.checkpoints
import dev.cairn.cli.compareWith
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.faces.CountedInJava
import dev.cairn.ranks.ranks
import dev.cairn.reading.StoredCheckpoints
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.stateBuilder
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeSameInstanceAs
import java.nio.file.Path

private enum class Humour {
    CALM,
    WILD {
        override fun toString() = "very wild"
    },
}

private abstract class Being(val id: Int, private val born: Long) {
    var cache: String? = "computed"

    @Transient
    var sum = 7
    val year get() = born
}

private class Person(id: Int, born: Long) : Being(id, born) {
    var height = 0.5
    var isAwake = true
    var mood = Humour.CALM
    var name = "nobody"
    private val steps: Short = (-id).toShort()
    var letter = 'x'
    val seenSteps get() = steps

    fun all() = listOf(id, year, height.toRawBits(), isAwake, mood, name, steps, letter)
}

private fun person(id: Int) =
    Person(id, -7L * id).apply {
        height = if (id == 2) Double.NaN else id * 0.25
        isAwake = id % 2 == 0
        mood = if (id % 3 == 0) Humour.WILD else Humour.CALM
        name = "p$id"
        letter = 'a' + id
    }

@JvmRecord
private data class Raised(val n: Int)

private open class Grit(var x: Double)

private class Other(x: Double) : Grit(x)

private class Listed(var names: List<String>)

private enum class Weight {
    ONE,
    ;

    var weight = 1
}

private class Weighed(var kind: Weight)

private enum class Gait {
    WALK {
        var speed = 1
    },
}

private class Strider(var gait: Gait)

private class Unsaved {
    @Transient
    var cache = 1
}

private open class Hiding {
    private val x = 1
    val seen get() = x
}

private class Shadowing(var x: Int) : Hiding()

private object Single {
    var x = 1
}

/** Objects in a list of the program, as the rows of a table. Expected values are those of objects made by the test itself. */
class ObjectRowsSpec :
    FunSpec({
        /** Saves what [saved] declares, and restores what [restored] declares. */
        suspend fun restart(saved: StateBuilder.() -> Unit, restored: StateBuilder.() -> Unit, ranks: Int = 1) {
            val files = SimulatedDisk()
            ranks(1) { checkpoints(Path.of("rows"), files = files.host(host), declare = saved).use { it.save(1) } }
            ranks(
                ranks,
            ) { checkpoints(Path.of("rows"), files = files.host(host), declare = restored).use { it.restore() } }
        }

        suspend fun saveRefusal(declare: StateBuilder.() -> Unit): String? =
            lastMessage {
                ranks(1) {
                    checkpoints(
                        Path.of("rows"),
                        files = SimulatedDisk().host(host),
                        declare = declare,
                    ).use { it.save(1) }
                }
            }

        fun declaration(declare: StateBuilder.() -> Unit) =
            shouldThrow<InvalidDeclaration> { stateBuilder().declare() }.message

        fun ObjectRows<Person>.rules() {
            uniqueIds("id")
            text("name", 8)
            except("cache")
        }

        test("private, inherited and final fields come back, in the order of the rows, without a constructor") {
            val people = listOf(5, 2, 0, 7, 3).map(::person)
            var back = emptyList<Person>()
            restart(
                { rows("people", { people }, {}) { rules() } },
                { rows("people", { back }, { back = it }) { rules() } },
            )
            back.map { it.all() } shouldBe people.map { it.all() }
            back.map { it.cache to it.sum } shouldBe List(5) { null to 0 }
        }

        test("a function may make the rows, and has what is excepted or transient") {
            val people = listOf(person(4), person(1))
            var back = listOf(person(9))
            val before = back
            restart(
                { rows("people", { people }, {}) { rules() } },
                {
                    rows("people", { back }, { back = it }) {
                        rules()
                        make { Person(it.getInt("id"), 0).apply { cache = "of ${it.getText("name")}" } }
                    }
                },
            )
            back.map { it.all() } shouldBe people.map { it.all() }
            back.map { it.cache to it.sum } shouldBe listOf("of p4" to 7, "of p1" to 7)
            before.single().all() shouldBe person(9).all()
        }

        test("rows go to their owners on other ranks, which are asked with the values") {
            val people = List(6, ::person)
            restart(
                {
                    rows("people", { people }, {}) {
                        rules()
                        owner { person, count -> person.id % count }
                    }
                },
                {
                    var back = emptyList<Person>()
                    rows("people", { back }, { back = it }) {
                        rules()
                        owner { person, count -> person.id % count }
                    }
                    val rank = state.ranks.rank
                    afterRestore { back.map { it.all() } shouldBe people.filter { it.id % 2 == rank }.map { it.all() } }
                },
                ranks = 2,
            )
        }

        test("what would not come back is refused at every save, with its row") {
            val list = mutableListOf<Grit?>(Grit(1.0))
            ranks(1) {
                checkpoints(Path.of("rows"), files = SimulatedDisk().host(host)) {
                    @Suppress("UNCHECKED_CAST") // As from a program in Java.
                    rows("plain", { list as List<Grit> }, {}) {}
                }.use { open ->
                    suspend fun refusal() = lastMessage { open.save(1) }
                    open.save(1)
                    val start =
                        "the rows of the table 'plain' should be objects of ${Grit::class.java.name}, but " +
                            "row 1 of its list"
                    list += Other(2.0)
                    refusal() shouldBe
                        "$start is a ${Other::class.java.name}, which is another class than the table has. Declare " +
                        "its classes, each by kind(), or keep such rows in a list of their own, and declare that, " +
                        "too. Nothing was saved."
                    list[1] = null
                    refusal() shouldBe "$start is null. Leave out rows that do not exist. Nothing was saved."
                    list[1] = list[0]
                    refusal() shouldBe "$start is the same object as row 0. Keep it once. Nothing was saved."
                    list[1] = Grit(3.0)
                    open.save(2)
                }
            }
        }

        test("equal records may be there twice, and lists may be immutable") {
            var back = emptyList<Raised>()
            val one = Raised(1)
            restart(
                { rows("r", { java.util.List.of(one, one, Raised(2)) }, {}) {} },
                { rows("r", { back }, { back = it }) {} },
            )
            back shouldContainExactly listOf(Raised(1), Raised(1), Raised(2))
        }

        test("a record whose constructor changes its components is refused at the save") {
            val counted = CountedInJava.first()
            saveRefusal { rows("r", { listOf(counted) }, {}) {} } shouldContain
                "row 0 of its list would come back with another 'n', since its constructor changes that"
        }

        test("a null in an enum or a text that is too long, end the save with a sentence") {
            val person = person(1)
            Person::class.java
                .getDeclaredField("mood")
                .apply { isAccessible = true }
                .set(person, null)
            saveRefusal { rows("people", { listOf(person) }, {}) { rules() } } shouldContain
                "the column 'mood' of the table 'people' holds constants of Humour, but that of row 0 is null"
            person.mood = Humour.WILD
            person.name = "much too long"
            saveRefusal { rows("people", { listOf(person) }, {}) { rules() } } shouldContain
                "the column 'name' of the table 'people' holds texts of at most 8 bytes, but that of row 0 has 13 bytes"
        }

        test("two rows with one id are refused on one rank, too") {
            saveRefusal { rows("people", { listOf(person(3), person(1), person(3)) }, {}) { rules() } } shouldContain
                "the ids in the column 'id' of the table 'people' should be unique, but two rows have 3, on rank 0"
        }

        test("a setter that does not take the rows is refused, and one that takes copies is not") {
            val stale = listOf(Grit(1.0))
            var back = stale

            suspend fun refusal(set: (List<Grit>) -> Unit) =
                lastMessage {
                    restart({ rows("plain", { listOf(Grit(2.0)) }, {}) {} }, { rows("plain", { back }, set) {} })
                }
            refusal {} shouldContain
                "the program does not have the rows of the table 'plain' that were saved: row 0 has " +
                "another 'x'."
            refusal { back = it + it } shouldContain "the function returns 2 rows, not 1."
            restart({ rows("plain", { listOf(Grit(2.0)) }, {}) {} }, {
                rows("plain", { back }, {
                    back =
                        it.map { row -> Grit(row.x) }
                }) {}
            })
            back.single().x shouldBe 2.0
        }

        test("make() that returns no new object of the class is refused") {
            val one = Grit(1.0)

            suspend fun refusal(make: () -> Grit) =
                lastMessage {
                    restart(
                        { rows("p", { List(2) { Grit(2.0) } }, {}) {} },
                        { rows("p", { listOf<Grit>() }, {}) { make { make() } } },
                    )
                }
            refusal { one } shouldContain "make() of the table 'p' returned ${Grit::class.java.name} for row 1, " +
                "and should return a new"
            refusal { Other(1.0) } shouldContain "make() of the table 'p' returned ${Other::class.java.name} for row 0"
        }

        test("what cannot be a row or a column is refused when it is declared") {
            declaration { rows("l", { listOf<Listed>() }, {}) {} } shouldBe
                "table 'l' has columns of primitive types, texts and enums, but the field 'names' of " +
                "${Listed::class.java.name} is " +
                "of java.util.List: except it, or let it be transient, and make it anew after a restart, or save " +
                "the rows as a graph"
            declaration { rows("l", { listOf<Listed>() }, {}) { except("name") } } shouldBe
                "table 'l' excepts the field 'name', but ${Listed::class.java.name} has only [names] that are saved"
            declaration { rows("h", { listOf<Shadowing>() }, {}) {} } shouldContain "with two fields 'x': rename " +
                "one of them"
            declaration { rows("b", { listOf<Being>() }, {}) {} } shouldContain "but that is abstract: name the classes"
            declaration { rows("w", { listOf<Weighed>() }, {}) {} } shouldContain
                "whose field 'weight' may change and would not come back: let it be final, or except 'kind'"
            declaration { rows("w", { listOf<Strider>() }, {}) {} } shouldContain "whose field 'speed' may change"
            declaration { rows("n", { listOf<Unsaved>() }, {}) {} } shouldContain "which has no field that is saved"
            declaration { rows("s", { listOf<Single>() }, {}) {} } shouldContain "but that is an object or an enum"
            declaration { rows("m", { listOf<Humour>() }, {}) {} } shouldContain "but that is an object or an enum"
            declaration { rows("t", { listOf<Thread>() }, {}) {} } shouldContain "but that is a class of a library"
            declaration { rows("r", { listOf<Raised>() }, {}) { except("n") } } shouldContain "a record is made of " +
                "all of them"
            declaration { rows("r", { listOf<Raised>() }, {}) { make { Raised(1) } } } shouldContain "leave out make()"
        }

        test("cairn diff sees another order of rows that stay on their rank") {
            val list = mutableListOf(Grit(1.0), Grit(2.0))
            for ((note, rules) in listOf<Pair<String, ObjectRows<Grit>.() -> Unit>>(
                "the same rows in another order" to {},
                "the same rows in any order" to { positionFree() },
            )) {
                val files = SimulatedDisk()
                ranks(1) {
                    checkpoints(Path.of("rows"), files = files.host(host)) { rows("p", { list }, {}) { rules() } }.use {
                        it.save(1)
                        list.reverse()
                        it.save(2)
                    }
                }
                val stored = StoredCheckpoints(Path.of("rows"), files.host("host0"))
                stored.open(1).use { a ->
                    stored.open(2).use { b ->
                        val found = a.item("p").compareWith(b.item("p"))
                        found.note shouldBe note
                        found.isSame shouldBe (note == "the same rows in any order")
                    }
                }
            }
        }

        test("rows that a rule lets stand in any order may be held so") {
            val held = HashMap<Double, Grit>()
            val rows = listOf(64.0, 5.0, 0.0).map { Grit(it) }
            restart(
                { rows("p", { rows }, {}) { positionFree() } },
                {
                    rows("p", { held.values.sortedBy { it.x } }, { all -> all.forEach { held[it.x] = it } }) {
                        positionFree()
                    }
                },
            )
            held.keys shouldBe setOf(0.0, 5.0, 64.0)
        }

        test("a check of a restart gives the program its own objects back") {
            val mine = mutableListOf(Grit(1.0), Grit(2.0))
            val first = mine[0]
            val item =
                stateBuilder()
                    .apply {
                        rows("p", { mine }, {
                            mine.clear()
                            mine += it
                        }) {}
                    }.state.items
                    .single()
            val held = item.heldObject()
            mine[0] = Grit(5.0)
            held?.putBack()
            mine[0] shouldBeSameInstanceAs first

            var other: List<Grit> = mine
            val another =
                stateBuilder()
                    .apply { rows("p", { other }, { other = it }) {} }
                    .state.items
                    .single()
            val own = another.heldObject()
            other = listOf(Grit(7.0))
            own?.putBack()
            other shouldBeSameInstanceAs mine
        }
    })

private inline fun lastMessage(run: () -> Unit): String? =
    generateSequence<Throwable>(shouldThrow<Exception> { run() }) { it.cause }.last().message
