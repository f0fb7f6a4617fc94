package dev.cairn.examples.mpi

import dev.cairn.examples.nbody
import dev.cairn.simulation

/** The particles of the examples. Its first argument is the last step; the others are Cairn's. */
internal suspend fun main(args: Array<String>) =
    simulation("particles", args.drop(1).toTypedArray()) { nbody(until = args[0].toLong()) }
