package dev.cairn.benchmarks.sections

import dev.cairn.benchmarks.report.CallResult
import dev.cairn.benchmarks.report.Quartiles
import dev.cairn.benchmarks.report.ReportingCommand
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.everyRank
import dev.cairn.ranks.launchedRank
import dev.cairn.ranks.launchedRankCount
import kotlinx.coroutines.runBlocking
import picocli.CommandLine.Command
import picocli.CommandLine.Option
import picocli.CommandLine.ParentCommand
import java.nio.ByteBuffer
import java.util.function.BinaryOperator

/** The command `bench collectives`. Under a launcher each process runs it as one rank, and only rank 0 prints. */
@Command(
    name = "collectives",
    mixinStandardHelpOptions = true,
    description = [
        "Small collective calls, one after the other: what each takes on rank 0, so that ways to MPI can be compared.",
    ],
    footer = ["", "Example: examples/run bench --mpi mpich 4 collectives"],
)
internal class CollectivesCommand : Runnable {
    @ParentCommand private lateinit var bench: ReportingCommand

    @Option(
        names = ["--calls"],
        defaultValue = "2000",
        paramLabel = "N",
        description = ["Calls of a round (default: 2000)."],
    )
    private var callCount: Int = 0

    override fun run() {
        val rankCount = launchedRankCount() ?: COROUTINES
        if ((launchedRank() ?: 0) == 0) {
            bench.report(bytesOnDisk = 0, WARM_UP_ROUNDS) { _, found -> play(rankCount).forEach(found) }
        } else {
            play(rankCount)
        }
    }

    /** What rank 0 of this process measured, or its only rank. */
    private fun play(rankCount: Int): List<CallResult> =
        runBlocking { everyRank(rankCount) { CALLS.map { (name, call) -> measured(name, call) } } }.first()

    private suspend fun Communicator.measured(
        name: String,
        call: suspend Communicator.(ByteBuffer) -> Unit,
    ): CallResult {
        val payload = ByteBuffer.allocate(Long.SIZE_BYTES)
        val micros = List(WARM_UP_ROUNDS + bench.pairCount) { microsOfCall(payload, call) }
        return CallResult("$name of ${Long.SIZE_BYTES} bytes, $size ranks", Quartiles.of(micros.drop(WARM_UP_ROUNDS)))
    }

    private suspend fun Communicator.microsOfCall(
        payload: ByteBuffer,
        call: suspend Communicator.(ByteBuffer) -> Unit,
    ): Double {
        barrier()
        val begin = System.nanoTime()
        repeat(callCount) { call(payload) }
        // A rank that only sends would otherwise be done before the others are.
        barrier()
        return (System.nanoTime() - begin) / 1e3 / callCount
    }

    private companion object {
        /** The number of ranks without a launcher. */
        const val COROUTINES = 4

        /** A process with one rank makes few calls in a round, and is slow until its code is compiled. */
        const val WARM_UP_ROUNDS = 3

        val sum =
            BinaryOperator<ByteBuffer> { lower, upper ->
                ByteBuffer.allocate(Long.SIZE_BYTES).putLong(
                    0,
                    lower.getLong(0) + upper.getLong(0),
                )
            }

        val CALLS: List<Pair<String, suspend Communicator.(ByteBuffer) -> Unit>> =
            listOf(
                "broadcast" to { broadcast(0, it) },
                "gather" to { gather(0, it) },
                "allGather" to { allGather(it) },
                "allReduce" to { allReduce(it, sum) },
            )
    }
}
