package dev.cairn.benchmarks.sections

import dev.cairn.Checkpoints
import dev.cairn.checkpoints
import dev.cairn.grid.Box
import dev.cairn.options.CheckpointOptions
import dev.cairn.ranks.Communicator
import dev.cairn.sion.store.BlockStore
import dev.cairn.state.ElementType
import java.nio.file.Path

/** A way on which the cells of all ranks come into the files of a checkpoint. */
internal data class SaveRoute(val name: String, val options: CheckpointOptions)

/** One save or restore: how long it took, and how many writes or reads it made. */
internal class RoutedCall(val seconds: Double, val operationCount: Int)

/** One rank of a program that has the [box] of [columns], and a store for each of the [routes], which take turns. */
internal class RouteRounds(
    private val ranks: Communicator,
    private val columns: ColumnBlocks,
    private val box: Box,
    private val directory: Path,
    private val files: CountedOperations,
    private val routes: List<SaveRoute>,
) {
    private val cells = columns.cells(box)

    /** Collective: the saves of each round by all routes, after [warmUpCount] more. Checks the last ones. */
    suspend fun saves(warmUpCount: Int, count: Int): List<List<RoutedCall>> =
        rounds(warmUpCount, count, BlockStore.Operation.Kind.WRITE) { number -> save(number) }

    /** Collective: as [saves], but restores what is there. */
    suspend fun restores(warmUpCount: Int, count: Int): List<List<RoutedCall>> =
        rounds(warmUpCount, count, BlockStore.Operation.Kind.READ) { checkNotNull(restore()) }

    private suspend fun rounds(
        warmUpCount: Int,
        count: Int,
        kind: BlockStore.Operation.Kind,
        call: suspend Checkpoints.(Long) -> Unit,
    ): List<List<RoutedCall>> {
        val stores = routes.map { open(it) }
        val rounds =
            List(warmUpCount + count) { number ->
                round(stores, number) { store -> counted(kind) { store.call(number.toLong()) } }
            }
        stores.forEach { checkRestored(it) }
        stores.forEach { it.close() }
        return rounds.drop(warmUpCount)
    }

    private suspend fun open(route: SaveRoute): Checkpoints =
        ranks.checkpoints(directory.resolve(route.name), route.options, files) {
            field("columns", columns.shape, ElementType.DOUBLE) { block(box, cells) }
        }

    /** The first route rotates, so that a machine whose speed varies favours none of them. */
    private suspend fun round(
        stores: List<Checkpoints>,
        number: Int,
        call: suspend (Checkpoints) -> RoutedCall,
    ): List<RoutedCall> {
        val order = stores.indices.map { (it + number) % stores.size }
        val calls = order.associateWith { call(stores[it]) }
        return stores.indices.map(calls::getValue)
    }

    private suspend fun counted(kind: BlockStore.Operation.Kind, call: suspend () -> Unit): RoutedCall {
        val before = files.count(kind)
        val seconds = timed(ranks, call)
        return RoutedCall(seconds, files.count(kind) - before)
    }

    private suspend fun checkRestored(store: Checkpoints) {
        cells.fill(-1.0)
        checkNotNull(store.restore())
        check(cells.contentEquals(columns.cells(box))) { "rank ${ranks.rank} has restored other cells" }
    }
}
