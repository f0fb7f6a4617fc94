package dev.cairn.examples

import dev.cairn.checkpoints
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.allReduce
import dev.cairn.ranks.bytesOf
import dev.cairn.ranks.everyRank
import dev.cairn.ranks.longsOf
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import java.nio.file.Path

/** How far all vertices of a graph are from the first. Its arguments: where checkpoints are, and how many ranks there are. */
internal suspend fun main(args: Array<String>) {
    val found = everyRank(args[1].toInt()) { distances(Graph(size = 200_000), Path.of(args[0])) }.flatten()
    val farthest = found.maxBy { it.distance }
    println(
        "${found.size} vertices have been reached here; the farthest, ${farthest.id}, over ${farthest.distance} edges.",
    )
}

/** A graph whose edges are given by a formula, so that no rank has to hold it. */
internal class Graph(private val size: Long) {
    fun neighbours(vertex: Long): List<Long> = listOf(vertex * 3 + 1, vertex * 5 + 2, vertex + 7).map { it % size }
}

/** A row of a table: over how many edges a vertex is reached. */
@JvmRecord
internal data class Reached(val id: Long, val distance: Long)

// region distances

/** Collective: searches level by level, and returns the vertices that are this rank's. Each level is a step with a checkpoint. */
internal suspend fun Communicator.distances(
    graph: Graph,
    directory: Path,
    files: BlockStore = FileBlockStore(),
    isOver: (level: Long) -> Boolean = { false },
): List<Reached> {
    var reached = listOf(Reached(0, 0)).filter { ownerOf(it.id, size) == rank }
    checkpoints(directory, files = files) {
        rows("reached", { reached }, { reached = it }) { owner { row, rankCount -> ownerOf(row.id, rankCount) } }
    }.use { checkpoints ->
        var level = checkpoints.restore()?.step ?: 0
        while (!isOver(level)) {
            val border = reached.filter { it.distance == level }
            if (allReduce(border.size.toLong(), Long::plus) == 0L) break
            level++
            val known = reached.mapTo(HashSet()) { it.id }
            reached = reached + neighbours(graph, border).filter(known::add).map { Reached(it, level) }
            checkpoints.save(level)
        }
    }
    return reached
}

/** Collective: the vertices of this rank to which an edge leads from any rank's [border]; some come more than once. */
private suspend fun Communicator.neighbours(graph: Graph, border: List<Reached>): List<Long> {
    val byOwner = border.flatMap { graph.neighbours(it.id) }.groupBy { ownerOf(it, size) }
    return allToAll(List(size) { bytesOf(*byOwner[it].orEmpty().toLongArray()) }).flatMap { longsOf(it).asList() }
}

/** Neighbours are dealt to different ranks, so that all have something to do. */
private fun ownerOf(vertex: Long, rankCount: Int): Int = (vertex % rankCount).toInt()
// endregion
