package dev.cairn.benchmarks.sections

import dev.cairn.benchmarks.report.Quartiles
import dev.cairn.benchmarks.report.RouteCosts
import dev.cairn.benchmarks.report.RouteResult
import dev.cairn.concentrate.Concentrators
import dev.cairn.grid.Box
import dev.cairn.grid.Decomposition
import dev.cairn.options.CheckpointOptions
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.runRanks
import dev.cairn.sion.ForcePolicy
import dev.cairn.sion.Grouping
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import kotlin.io.path.ExperimentalPathApi
import kotlin.io.path.deleteRecursively

/** A field is saved in this size and in a small one. */
private const val LARGE_BY_SMALL = 16

/** Ranks that restore the field, each some rows of it. */
private const val READERS = 4

/**
 * Checkpoints of one field, saved by several routes on few and on many ranks, in memory and on a throttled store, and restored in
 * rows on a few ranks.
 */
internal fun benchRoutes(bench: Bench) {
    for (rankCount in bench.scale.routedRanks) {
        for (byteCount in bench.scale.concentratedBytes.andSmall()) {
            val columns = ColumnBlocks(byteCount, rankCount, SHORT_RUN)
            benchRoutes(bench, "${titleOf(columns)} in memory", columns, FileBlockStore(), bench.warmUpPairs)
        }
        for (byteCount in bench.scale.throttledBytes.andSmall()) {
            val columns = ColumnBlocks(byteCount, rankCount, SHORT_RUN)
            benchRoutes(bench, "${titleOf(columns)} $AT_RATE", columns, throttled(), Duel.WARM_UP_PAIRS)
        }
    }
}

private fun Long.andSmall() = listOf(this, this / LARGE_BY_SMALL)

private fun titleOf(columns: ColumnBlocks) = "${columns.rankCount} ranks save ${sizeOf(columns)}"

@OptIn(ExperimentalPathApi::class)
private fun benchRoutes(bench: Bench, title: String, columns: ColumnBlocks, files: BlockStore, warmUpCount: Int) {
    val routes = routes(bench)
    val counted = CountedOperations(files)

    fun Communicator.rounds(box: Box) = RouteRounds(this, columns, box, bench.directory, counted, routes)
    val saves =
        runRanks(columns.rankCount) { rounds(columns.box(rank)).saves(warmUpCount, bench.pairCount) }.first()
    val restores =
        runRanks(READERS) {
            val rows = Decomposition.rows(columns.shape, size).boxes(rank).single()
            rounds(rows).restores(warmUpCount, bench.pairCount)
        }.first()
    routes.forEachIndexed { route, (name) ->
        bench.report(RouteResult("$title, $name", saves.costs(route), restores.costs(route)))
        bench.directory.resolve(name).deleteRecursively()
    }
}

private fun List<List<RoutedCall>>.costs(route: Int) =
    RouteCosts(
        ratio = Quartiles.of(map { it[route].seconds / it[0].seconds }),
        seconds = Quartiles.of(map { it[route].seconds }),
        operationCount = last()[route].operationCount,
    )

/** The first one is the measure of the others. */
private fun routes(bench: Bench): List<SaveRoute> {
    val common =
        CheckpointOptions {
            blockSize = Scale.BLOCK_SIZE
            durability = if (bench.isOnDisk) ForcePolicy.ON_CLOSE else ForcePolicy.NEVER
            keepOnlyNewest()
        }
    val direct = CheckpointOptions(common) { grouping = Grouping.none() }
    return listOf(
        SaveRoute("direct", direct),
        SaveRoute("in groups", CheckpointOptions(common) { grouping = Grouping.few() }),
        SaveRoute("through 1 concentrator", CheckpointOptions(direct) { concentrators = Concentrators.total(1) }),
        SaveRoute("through 4 concentrators", CheckpointOptions(direct) { concentrators = Concentrators.total(4) }),
        SaveRoute(
            "through 4 concentrators, others in groups",
            CheckpointOptions(direct) {
                grouping = Grouping.few()
                concentrators = Concentrators.total(4)
            },
        ),
    )
}
