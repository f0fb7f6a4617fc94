package dev.cairn.mpi

import dev.cairn.ranks.collectively
import dev.cairn.ranks.everyRank
import kotlin.system.exitProcess

/** A program that ends as its argument says: with an exit code, by a return from `main` or with a failure that all ranks know of. */
internal suspend fun main(args: Array<String>) {
    everyRank(1) {
        barrier()
        if (args.single() == "failure") collectively("read the mesh") { check(rank != 1) { "there is no mesh" } }
    }
    args.single().toIntOrNull()?.let { exitProcess(it) }
}
