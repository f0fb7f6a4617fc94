package dev.cairn.mpi

import dev.cairn.event.CheckpointException
import dev.cairn.event.CommunicatorException
import dev.cairn.proof.failure.CONCENTRATORS
import dev.cairn.proof.failure.Gathered
import dev.cairn.proof.failure.silentAboutRoom
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.everyRank
import dev.cairn.ranks.gatherText
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.ForwardingStore
import java.nio.file.Path

/**
 * Processes write something through concentrators, and then once more, when something happens. The arguments: what they write, the
 * misfortune, and a directory.
 */
internal suspend fun main(args: Array<String>) {
    val (what, misfortune, place) = args
    val (gathered, directory) = Gathered.valueOf(what) to Path.of(place)
    everyRank(1) {
        gathered.write(this, FileBlockStore(), directory, 1)
        when (misfortune) {
            "full" -> tellAll(failureOf { gathered.write(this, FileBlockStore().silentAboutRoom(), directory, 2) })
            "death" -> gathered.write(this, storeOf(rank), directory, 2)
        }
    }
}

/** The last concentrator dies where it is about to write what it has gathered. */
private fun storeOf(rank: Int): BlockStore =
    if (rank != CONCENTRATORS.last()) {
        FileBlockStore()
    } else {
        object : ForwardingStore(FileBlockStore()) {
            override fun onOperation(operation: BlockStore.Operation) {
                if (operation.kind() == BlockStore.Operation.Kind.WRITE) ProcessHandle.current().signal("KILL")
            }
        }
    }

internal suspend fun failureOf(work: suspend () -> Unit): String =
    try {
        work()
        "no failure"
    } catch (failure: CommunicatorException) {
        "${failure.message}"
    } catch (failure: CheckpointException) {
        "${failure.message}"
    }

internal suspend fun Communicator.tellAll(text: String) =
    gatherText(0, text).forEachIndexed { rank, told -> println("rank $rank: $told") }
