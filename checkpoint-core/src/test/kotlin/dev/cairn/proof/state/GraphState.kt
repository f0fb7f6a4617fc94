package dev.cairn.proof.state

import dev.cairn.StateBuilder
import dev.cairn.state.PerRankRule
import java.math.BigDecimal
import java.time.LocalDate
import java.util.EnumMap
import java.util.PriorityQueue
import java.util.Random
import java.util.TreeMap

/** A village of each rank, with objects of every kind that a graph stores. */
internal class GraphState(private val rank: Int) {
    private var villages = listOf(Village.of(rank))

    fun declare(state: StateBuilder) {
        val merged = PerRankRule.Merge<List<Village>> { it.flatten() }
        state.graph("villages", { villages }, { villages = it }, merged) {
            allow("dev.cairn.proof.state")
            outside("market", Market)
        }
    }

    /** Whether it has what a restart by [readers] ranks brings back of [savers]. */
    fun isThatOf(savers: Int, readers: Int): Boolean {
        val expected = if (savers == readers) listOf(rank) else savers.sharesOf(readers)
        return villages.map { it.described() } == expected.map { Village.of(it).described() } &&
            villages.all { it.isLinked() }
    }

    private fun Int.sharesOf(readers: Int): List<Int> =
        (this * rank / readers until this * (rank + 1) / readers).toList()
}

private enum class Temper { CALM, WILD }

@JvmRecord
private data class Visit(val day: Long, val guest: Villager?)

private class Villager(val name: String, val age: Int) : Comparable<Villager> {
    val friends = LinkedHashSet<Villager>()
    val visits = ArrayList<Visit>()
    var weight = 0.5 + age
    var isAwake = true

    override fun compareTo(other: Villager) = age.compareTo(other.age)

    override fun hashCode() = name.hashCode()

    override fun equals(other: Any?) = other is Villager && other.name == name
}

/** It stays outside. */
private object Market {
    var price = 1
}

private class Village(val number: Int) {
    val people = ArrayList<Villager>()
    val byName = TreeMap<String, Villager>()
    val ages = HashMap<Int, MutableList<Villager>>()
    val moods = EnumMap<Temper, String>(Temper::class.java)
    val queue = PriorityQueue<Villager>()
    val last = ArrayDeque<Any?>()
    val heights = Array(2) { row -> DoubleArray(3) { row + it / 4.0 } }
    val flags = booleanArrayOf(true, false)
    val founded: LocalDate = LocalDate.of(1999, 12, 31)
    val tax = BigDecimal("12.50")
    val chance = Random(7L)
    val market = Market
    val days: List<Any> = java.util.List.of(1, 2L, 'c', "d", Temper.WILD)

    fun described() =
        listOf(
            number,
            people.map { it.name to it.weight },
            byName.keys,
            ages.keys,
            moods,
            queue.map { it.age },
            last.size,
        ) +
            listOf(heights.map { it.toList() }, flags.toList(), founded, tax, days) +
            people.map { one -> listOf(one.friends.map { it.name }, one.visits.map { it.day to it.guest?.name }) }

    /** Whether all places that lead to a villager lead to the same object. */
    fun isLinked() =
        market === Market &&
            people.all { one ->
                byName[one.name] === one && one.friends.all { friend -> byName[friend.name] === friend }
            } &&
            queue.all { byName[it.name] === it } &&
            ages.values.flatten().all { byName[it.name] === it }

    companion object {
        fun of(number: Int) =
            Village(number).apply {
                people += List(3) { Villager("villager $number/$it", 20 + it) }
                for (one in people) {
                    byName[one.name] = one
                    ages.getOrPut(one.age / 2) { ArrayList() } += one
                    one.friends += people
                    one.visits += Visit(one.age.toLong(), people.last())
                    one.visits += Visit(-1, null)
                    queue += one
                }
                moods[Temper.CALM] = "in the evening"
                last.addAll(listOf(null, people))
            }
    }
}
