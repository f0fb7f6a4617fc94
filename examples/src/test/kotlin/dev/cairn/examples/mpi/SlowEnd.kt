package dev.cairn.examples.mpi

import dev.cairn.simulation
import kotlinx.coroutines.delay
import java.nio.file.Path
import kotlin.io.path.writeText
import kotlin.time.Duration.Companion.seconds

/** Longer than mpirun leaves to the others when one process leaves with a failure. */
private val SLOWNESS = 3.seconds

/** A program whose last rank takes its time after the loop, and then writes a file, which is the first argument. */
internal suspend fun main(args: Array<String>) =
    simulation("slow-end", args.drop(1).toTypedArray()) {
        var sum by replicated(0L)
        for (step in steps(until = Long.MAX_VALUE)) sum += step
        if (rank == size - 1) {
            delay(SLOWNESS)
            Path.of(args[0]).writeText("through")
        }
    }
