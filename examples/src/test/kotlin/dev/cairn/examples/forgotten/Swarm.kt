package dev.cairn.examples.forgotten

import dev.cairn.Simulation
import dev.cairn.examples.forgotten.Omission.unless
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.options.SimulationOptions
import dev.cairn.ranks.allGather
import dev.cairn.simulation
import dev.cairn.state.ElementType
import java.nio.file.Path
import java.util.Random
import kotlin.io.path.writeText
import kotlin.math.abs

/** A cry of a bird, which others hear some steps later. */
internal class Cry(val number: Long, val bird: Int, val until: Long)

internal class Cries {
    val pending = ArrayList<Cry>()
}

/** The birds that a bird looks at; looking around takes long, so it is done every twenty steps. */
internal class Flockmates {
    var of = emptyList<List<Int>>()

    fun look(own: DoubleArray, all: DoubleArray) {
        of = own.map { place -> all.indices.sortedBy { abs(all[it] - place) }.take(4) }
    }
}

/** How often the birds of each rank have turned. */
private val turns = LongArray(RANKS)

/** A swarm flies along a line, a third of it on each rank. Takes the number of steps, a folder, and options of Cairn. */
internal suspend fun main(args: Array<String>) {
    val folder = Path.of(args[1])
    val options =
        SimulationOptions {
            directory = folder.resolve("swarm.cairn")
            rankCount = RANKS
        }
    simulation("swarm", args.drop(2).toTypedArray(), options) { swarm(args[0].toLong(), folder) }
}

private suspend fun Simulation.swarm(until: Long, folder: Path) {
    val shape = Shape.of(BIRDS.toLong())
    val box = Decomposition.rows(shape, size).boxes(rank).single()
    val places = DoubleArray(box.cellCount().toInt()) { it * 1.7 % 5 + rank }
    val speeds = DoubleArray(places.size)
    val hunger = DoubleArray(places.size) { 1.0 }
    val mates = Flockmates()
    val heard = sortedMapOf<Int, Double>()
    var cries = Cries()
    var luck = Random(rank.toLong())
    var nextCry = 1L
    var leader = 0
    var way = 0.0
    var isResting = false
    unless("swarm.places") { field("places", shape, ElementType.DOUBLE) { block(box, places) } }
    field("speeds", shape, ElementType.DOUBLE) { block(box, unless("swarm.speeds", speeds, speeds.copyOf())) }
    unless("swarm.hunger") { perRank("hunger", { hunger }, { it.copyInto(hunger) }) }
    unless("swarm.mates") { perRank("mates", { mates.of }, { mates.of = it }) }
    unless("swarm.heard") { perRank("heard", { heard.toMap() }, { heard += it }) }
    unless("swarm.cries") { graph("cries", { cries }, { cries = it }) }
    unless("swarm.luck") { generator("luck", { luck }, { luck = it }) }
    unless("swarm.nextCry") { perRank("nextCry", { nextCry }, { nextCry = it }) }
    unless("swarm.turns") { perRank("turns", { turns[rank] }, { turns[rank] = it }) }
    unless("swarm.leader") { replicated("leader", { leader }, { leader = it }) }
    unless("swarm.way") { accumulator("way", { way }, { way = it }, 0.0, Double::plus) }
    unless("swarm.isResting") { perRank("isResting", { isResting }, { isResting = it }) }
    for (step in steps(until)) {
        val all = ranks.allGather(places).flatMap { it.asList() }.toDoubleArray()
        if (step % 20 == 0L || mates.of.isEmpty()) mates.look(places, all)
        for (bird in places.indices) {
            val loud = heard.getOrPut(bird) { 0.1 * abs(all[leader] - places[bird]) }
            val pull = mates.of[bird].sumOf { all[it] - places[bird] } + loud * (all[leader] - places[bird])
            val speed = 0.9 * speeds[bird] + 0.01 * pull / hunger[bird] + 0.02 * luck.nextGaussian()
            if (speed * speeds[bird] < 0) turns[rank]++
            speeds[bird] = if (isResting) speed / 2 else speed
            places[bird] += speeds[bird]
            hunger[bird] *= 1 + 0.01 * luck.nextDouble()
            way += abs(speeds[bird])
            if (luck.nextInt(10) == 0) cries.pending += Cry(nextCry++, bird, step + 5 + luck.nextInt(20))
        }
        cries.pending.removeIf { cry ->
            (cry.until <= step).also { if (it) hunger[cry.bird] *= 1 - 0.1 / (1 + cry.number % 3) }
        }
        isResting = luck.nextDouble() > if (isResting) 0.3 else 0.7
        leader = (leader + 1 + (abs(all[leader]) * 10).toInt()) % BIRDS
    }
    val states =
        ranks.allGather("${places.asList()} ${hunger.asList()} $heard $nextCry ${turns[rank]} $way $isResting")
    finished { if (rank == 0) folder.resolve("swarm.txt").writeText("$states $leader") }
}

private const val RANKS = 3
private const val BIRDS = 24
