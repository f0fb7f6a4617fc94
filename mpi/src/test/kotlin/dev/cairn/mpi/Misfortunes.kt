package dev.cairn.mpi

import dev.cairn.ranks.Communicator
import dev.cairn.ranks.collectively
import dev.cairn.ranks.everyRank
import java.nio.ByteBuffer
import kotlin.time.Duration.Companion.seconds

/** A program on which something happens; its argument says what. */
internal suspend fun main(args: Array<String>) {
    everyRank(1) {
        barrier()
        when (args.single()) {
            "alone" -> failAlone()
            "together" -> collectively("read the mesh") { check(rank != 1) { "there is no mesh" } }
            "slowly" -> collectively("read the mesh") { if (rank == size - 1) throw LongStory() }
            "stopped" -> stop()
            "halfway" -> stopHalfway()
            "absent" -> stopBeforeGather()
        }
    }
}

private suspend fun Communicator.failAlone() {
    check(rank != 1) { "there is no mesh" }
    barrier()
}

/** The last rank stands still, as it would on a machine that hangs. */
private suspend fun Communicator.stop() {
    if (rank == size - 1) standStill()
    during("halo exchange", 2.seconds).barrier()
}

/** The last rank stands still when MPI has begun to send a large message. */
private suspend fun Communicator.stopHalfway() {
    if (rank == size - 1) {
        send(target = 0, tag = 1, ByteBuffer.allocate(64 shl 20))
        standStill()
    }
    if (rank == 0) during("halo exchange", 2.seconds).receive(source = size - 1, tag = 1)
    barrier()
}

/** Rank 0 waits for the last rank, and the others for rank 0. */
private suspend fun Communicator.stopBeforeGather() {
    if (rank == size - 1) standStill()
    val world = during("save 7", 2.seconds)
    world.gather(0, ByteBuffer.allocate(1))
    world.scatter(0, if (rank == 0) List(size) { ByteBuffer.allocate(1) } else null)
}

private fun standStill() {
    ProcessBuilder("kill", "-STOP", "${ProcessHandle.current().pid()}").start().waitFor()
}

/** Java takes long to print it, as it does on a busy machine; without the pause no rank would exit before. */
private class LongStory : IllegalStateException("there is no mesh") {
    override fun toString(): String {
        if (Thread.currentThread().name == "main") Thread.sleep(3_000)
        return super.toString()
    }
}
