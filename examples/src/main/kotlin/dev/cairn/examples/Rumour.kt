package dev.cairn.examples

import dev.cairn.Simulation
import dev.cairn.grid.RandomStreams
import dev.cairn.ranks.bytesOf
import dev.cairn.ranks.doublesOf
import dev.cairn.simulation
import java.nio.ByteBuffer

/** A rumour goes through a town: who hears it tells it to friends, who hear it some time later. */
internal suspend fun main(args: Array<String>) = simulation("rumour", args) { rumour(until = 100) }

// region rumour

/** One of the town. On other ranks than its own, an object with the same id stands for it. */
internal class Person(val id: Int) {
    val friends = ArrayList<Person>()
    var heardAt = NEVER

    fun home(rankCount: Int): Int = id * rankCount / PERSON_COUNT

    /** What it tells when it hears the rumour for the first time. */
    fun hear(time: Double, chance: RandomStreams): List<Telling> {
        if (heardAt != NEVER) return emptyList()
        heardAt = time
        return friends.mapIndexed { n, friend ->
            val later = time + 1 + 5 * chance.uniform(id.toLong(), 0, n.toLong())
            Telling(later, id * FRIEND_COUNT + n, friend)
        }
    }
}

/** An event: at this time [to] is told the rumour. */
internal class Telling(val time: Double, val id: Int, val to: Person)

/** Returns the people of this rank, as they are at the end. */
internal suspend fun Simulation.rumour(until: Long): List<Person> {
    val chance by randomStreams(seed = 11)
    val people by rows(town(chance).filter { it.home(size) == rank }) {
        uniqueIds("id")
        owner(Person::home)
        elsewhere { Person(it.toInt()) }
    }
    var tellings by rows(people.take(1).filter { it.id == 0 }.map { Telling(time = 0.0, id = -1, it) }) {
        owner { telling, count -> telling.to.home(count) }
    }
    for (step in steps(until)) {
        val (due, later) = tellings.partition { it.time < step + 1 }
        // A telling is due a step later at the earliest, so that the ranks exchange them once a step.
        val told = due.sortedWith(compareBy({ it.time }, { it.id })).flatMap { it.to.hear(it.time, chance) }
        val byRank = told.groupBy { it.to.home(size) }
        tellings = later + ranks.allToAll(List(size) { packed(byRank[it].orEmpty()) }).flatMap { unpacked(it, people) }
    }
    return people
}
// endregion

internal const val PERSON_COUNT = 600
internal const val NEVER = -1.0
private const val FRIEND_COUNT = 4

/** All people. Most friends live near, and some anywhere; two may be friends of each other. */
private fun town(chance: RandomStreams): List<Person> {
    val people = List(PERSON_COUNT, ::Person)
    for (person in people) {
        repeat(FRIEND_COUNT) { n ->
            val far = chance.uniform(person.id.toLong(), 1, n.toLong())
            val distance = if (n == 0) (far * PERSON_COUNT).toInt() else (far * 20).toInt()
            person.friends += people[(person.id + distance) % PERSON_COUNT]
        }
    }
    return people
}

private fun packed(tellings: List<Telling>): ByteBuffer =
    bytesOf(*tellings.flatMap { listOf(it.time, it.id.toDouble(), it.to.id.toDouble()) }.toDoubleArray())

private fun unpacked(bytes: ByteBuffer, people: List<Person>): List<Telling> =
    doublesOf(bytes).asList().chunked(3) { (time, id, to) ->
        Telling(time, id.toInt(), people.first { it.id == to.toInt() })
    }
