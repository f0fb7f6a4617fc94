package dev.cairn.item

import dev.cairn.StateBuilder
import dev.cairn.checkpoints
import dev.cairn.proof.log.loggedBy
import dev.cairn.ranks.runRanks
import dev.cairn.reading.StoredCheckpoints
import dev.cairn.sion.store.fixture.withRandom
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.stateBuilder
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path

private open class Holding<T> {
    var inherited: List<T>? = null
}

private class Member(val number: Int) : Holding<Member>() {
    val friends = ArrayList<Member>()
    var clubs: Set<Club> = emptySet()
    var ranking: Array<Member?>? = null
}

private class Club {
    var members: Collection<Member> = emptyList()
}

private class Meeting(val time: Long, val guests: List<Member?>)

private class Hashed(val x: Int) {
    override fun hashCode() = x

    override fun equals(other: Any?) = other is Hashed && other.x == x
}

private class Hashing(var all: Set<Hashed>)

private val NOBODY = arrayOfNulls<Member>(0)

private class Texts(var names: List<String>)

/** Lists, sets and arrays of rows in the fields of rows. */
class RowListsSpec :
    FunSpec({
        val path = Path.of("lists")

        fun save(files: SimulatedDisk, declare: StateBuilder.() -> Unit) =
            runRanks(1) { checkpoints(path, files = files.host(host), declare = declare).use { it.save(1) } }

        fun restore(files: SimulatedDisk, declare: StateBuilder.() -> Unit) =
            runRanks(1) { checkpoints(path, files = files.host(host), declare = declare).use { it.restore() } }

        class Society(var members: List<Member> = emptyList(), var clubs: List<Club> = emptyList()) {
            var meetings = emptyList<Meeting>()

            fun StateBuilder.all() {
                rows("meetings", { meetings }, { meetings = it }) {}
                rows("members", { members }, { members = it }) { uniqueIds("number") }
                rows("clubs", { clubs }, { clubs = it }) {}
            }

            private fun placesOf(held: Iterable<Member?>?) = held?.map { members.indexOf(it) }

            fun inNumbers() =
                members.map {
                    listOf(
                        it.number,
                        placesOf(it.friends),
                        placesOf(it.inherited),
                        placesOf(it.ranking?.asList()),
                        it.clubs.map { club -> clubs.indexOf(club) },
                    )
                } + clubs.map { placesOf(it.members) } + meetings.map { listOf(it.time, placesOf(it.guests)) }
        }

        test("lists, sets and arrays hold the same rows in the same order again") {
            withRandom { random ->
                val members = List(60) { Member(1000 - 7 * it) }
                val clubs = List(9) { Club() }

                fun some() = List(random.nextInt(6)) { members.random(random) }
                for (member in members) {
                    member.friends += some()
                    member.inherited = if (random.nextInt(4) == 0) null else some()
                    member.ranking = (some() + null).toTypedArray().takeIf { random.nextBoolean() }
                    member.clubs = List(random.nextInt(5)) { clubs.random(random) }.toCollection(LinkedHashSet())
                }
                clubs.forEach { it.members = some() }
                val saved = Society(members, clubs).apply { meetings = List(5) { Meeting(it.toLong(), some() + null) } }
                val back = Society()
                val files = SimulatedDisk()
                save(files) { saved.run { all() } }
                restore(files) { back.run { all() } }
                back.inNumbers() shouldBe saved.inNumbers()
                back.members.all { it.clubs is LinkedHashSet && it.clubs.all { club -> club in it.clubs } } shouldBe
                    true
                back.members
                    .map { it.friends }
                    .distinctBy(System::identityHashCode)
                    .size shouldBe 60
            }
        }

        test("a checkpoint shows the lists as a table of their own") {
            val files = SimulatedDisk()
            val members = List(3, ::Member)
            members[2].friends += listOf(members[1], members[0])
            save(files) {
                rows("members", { members }, {}) {
                    except("inherited", "clubs", "ranking")
                    uniqueIds("number")
                }
            }
            StoredCheckpoints(path, files.host("host0")).openNewest().use { checkpoint ->
                checkpoint
                    .table("members")
                    .column("friends")
                    .read<IntArray>()
                    .toList() shouldContainExactly
                    listOf(0, 0, 2)
                checkpoint
                    .table("members.friends")
                    .column("row")
                    .read<LongArray>()
                    .toList() shouldContainExactly
                    listOf(1L, 0L)
            }
        }

        test("what would come back otherwise is refused at the save, with its path") {
            val members = ArrayList(List(2, ::Member)).onEach { it.ranking = NOBODY }
            val club = Club()

            fun refusal() =
                deepestMessage {
                    save(SimulatedDisk()) {
                        rows("members", { members }, {}) {}
                        rows("clubs", { listOf(club) }, {}) {}
                    }
                }
            members[1].inherited = java.util.LinkedList()
            refusal() shouldBe
                "'members[1].inherited' is a java.util.LinkedList, which would not come back as such: let it be an " +
                "ArrayList. " +
                "Nothing was saved."
            members[1].inherited = members[0].friends
            refusal() shouldBe
                "'members[0].friends' is the same object as 'members[1].inherited', and each would have its own " +
                "after a " +
                "restart. Let each row have its own. Nothing was saved."
            members[1].inherited = members
            refusal() shouldContain "'members[1].inherited' is the list of the table 'members' itself"
            members[1].inherited = null
            club.members = setOf(members[0])
            refusal() shouldContain "'clubs[0].members' is a java.util.Collections\$SingletonSet, which would not " +
                "come back"
            club.members = members[1].friends
            refusal() shouldContain "'clubs[0].members' is the same object as 'members[1].friends'"
            club.members = listOf(Member(5))
            refusal() shouldContain "'clubs[0].members[0]' leads to a ${Member::class.java.name} that is no row of " +
                "'members'"
            club.members = emptyList()
            members[0].clubs = HashSet(listOf(club))
            refusal() shouldContain "'members[0].clubs' is a java.util.HashSet, which would not come back as such"
            members[0].clubs = java.util.Set.of(club, Club())
            refusal() shouldContain "which would not come back as such: let it be a LinkedHashSet"
            members[0].clubs = java.util.Set.of()
            deepestMessage {
                val one = Hashed(1)
                save(SimulatedDisk()) {
                    rows("hashed", { listOf(one) }, {}) {}
                    rows("hashing", { listOf(Hashing(setOf(one))) }, {}) {}
                }
            } shouldContain "with a ${Hashed::class.java.name}, whose hashCode may read what is not saved: let the " +
                "field be a list"
            deepestMessage { save(SimulatedDisk()) { rows("texts", { listOf<Texts>() }, {}) {} } } shouldContain
                "the field 'names' of ${Texts::class.java.name} is of java.util.List: except it"
        }

        test("lists are not restored without those whose numbers are stored") {
            val files = SimulatedDisk()
            val members = List(2, ::Member).onEach { it.friends += it }

            fun StateBuilder.all() = rows("members", { members }, {}) { except("inherited", "clubs", "ranking") }
            save(files) { all() }
            deepestMessage {
                restore(files) {
                    removed("members.friends")
                    formerly("people", "members")
                    rows("people", { members }, {}) { except("inherited", "clubs", "ranking") }
                }
            } shouldContain "'people.friends' has 0 in the checkpoint"
            var back = emptyList<Member>()
            restore(files) {
                formerly("people", "members")
                formerly("people.friends", "members.friends")
                rows("people", { back }, { back = it }) { except("inherited", "clubs", "ranking") }
            }
            back.map { it.friends.single() } shouldBe back
        }

        test("lists are not restored without the rows that hold them, on any number of ranks") {
            val files = SimulatedDisk()

            fun StateBuilder.members(all: List<Member>) =
                rows("members", { all }, {}) {
                    except("inherited", "friends", "clubs", "ranking")
                    uniqueIds("number")
                    positionFree()
                    elsewhere { Member(it.toInt()) }
                }
            runRanks(2) {
                val members = List(2) { Member(2 * rank + it) }
                val club = Club().also { it.members = members.toList() }
                checkpoints(path, files = files.host(host)) {
                    members(members)
                    rows("clubs", { listOf(club) }, {}) { positionFree() }
                }.use { it.save(1) }
            }
            for (count in 1..2) {
                deepestMessage {
                    runRanks(count) {
                        checkpoints(path, files = files.host(host)) {
                            members(emptyList())
                            removed("clubs")
                            formerly("groups.members", "clubs.members")
                            rows("groups", { listOf<Club>() }, {}) { positionFree() }
                        }.use { it.restore() }
                    }
                } shouldContain
                    "holds 'clubs.members' for 'groups.members', but not how many of these each row of 'groups' has " +
                    "in 'members'"
            }
        }

        test("a list that changes while it is saved is refused") {
            val members = List(3, ::Member)
            members[1].friends += listOf(members[0], members[2])
            val state = stateBuilder()
            state.rows("members", { members }, {}) { except("inherited", "clubs", "ranking") }

            fun refusal(change: (Member) -> Unit) =
                deepestMessage {
                    state.state.items.captured { item ->
                        if (item.name == "members.friends") members.forEach(change)
                        item.capture(0)
                    }
                }
            refusal { it.friends.reverse() } shouldContain "'members[1].friends' changed while it was saved"
            refusal { it.friends += it } shouldContain "'members[0].friends' changed while it was saved"
        }

        test("a new list is null or empty in rows of older checkpoints, as the program says") {
            val files = SimulatedDisk()
            save(files) {
                rows("members", { listOf(Member(1)) }, {}) { except("friends", "inherited", "clubs", "ranking") }
            }
            for (value in listOf(0, -1)) {
                var back = emptyList<Member>()
                val logged =
                    loggedBy {
                        restore(files) {
                            rows("members", { back }, { back = it }) {
                                except("inherited", "clubs", "ranking")
                                added("friends", value)
                            }
                        }
                    }
                Member::friends.get(back.single()) as List<Member>? shouldBe if (value == 0) emptyList() else null
                logged.filter { "members.friends" in it } shouldBe emptyList()
            }
            deepestMessage {
                restore(files) {
                    rows("members", { listOf<Member>() }, {}) {
                        except("inherited", "clubs", "ranking")
                        added("friends", 1)
                    }
                }
            } shouldContain "only -1 is possible, which stands for null, or 0, for an empty list"
        }

        test("a function that returns its rows in another order whenever it is asked is refused") {
            val members = List(30, ::Member)
            members.forEach { it.friends += members[it.number / 2] }
            withRandom { random ->
                deepestMessage {
                    save(SimulatedDisk()) {
                        rows("members", { members.shuffled(random) }, {}) {
                            except("inherited", "clubs", "ranking")
                            uniqueIds("number")
                        }
                    }
                } shouldContain "the function of the table 'members' returned other rows, or others in their places"
            }
        }

        test("a set that cannot change comes back if it has at most one row") {
            val files = SimulatedDisk()
            val club = Club()
            val members = List(3, ::Member)
            members[0].clubs = java.util.Set.of(club)
            members[1].clubs = java.util.Set.of()
            members[2].clubs = setOf(club)
            save(files) {
                rows("members", { members }, {}) { except("inherited", "friends", "ranking") }
                rows("clubs", { listOf(club) }, {}) {}
            }
            var back = emptyList<Member>()
            var clubs = listOf(club)
            restore(files) {
                rows("members", { back }, { back = it }) { except("inherited", "friends", "ranking") }
                rows("clubs", { clubs }, { clubs = it }) {}
            }
            back.map { it.clubs } shouldBe listOf(clubs.toSet(), emptySet(), clubs.toSet())
        }
    })
