package dev.cairn

import dev.cairn.concentrate.DedicatedRanks
import dev.cairn.concentrate.Role
import dev.cairn.concentrate.takeRole
import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.event.ExitCode
import dev.cairn.event.withTypedFailures
import dev.cairn.options.SimulationOptions
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.broadcastText
import dev.cairn.ranks.collectively
import dev.cairn.run.Requests
import dev.cairn.run.RunRequest
import dev.cairn.sion.store.BlockStore

/** The step that reports refused settings of one rank to all. */
internal const val READ_SETTINGS = "read the settings"

/**
 * Collective: runs [program] on the ranks that compute. Dedicated ranks write for them, pass on [signals] to their processes, and return
 * the same exit code.
 */
internal suspend fun Communicator.onComputingRanks(
    requested: Result<SimulationOptions?>,
    files: BlockStore,
    signals: Requests,
    program: suspend Communicator.(DedicatedRanks?) -> ExitCode,
): ExitCode {
    val passedOn = passedOn(signals)
    return when (val role = roleIn(requested, files)) {
        null -> program(null)
        is Role.Computing -> role.play(ExitCode::number) { ranks.program(it) }
        is Role.Dedicated -> exitCodeOf(role.rank.serve(passedOn))
    }
}

/** The [signals] that a dedicated rank passes on; null if all ranks are in one process, where any of them takes signals. */
internal fun Communicator.passedOn(signals: Requests): (suspend () -> Int)? =
    if (shareInProcess { it } == size) null else signals::takeNumber

private suspend fun Requests.takeNumber(): Int = take().ordinal

/** The request that a dedicated process has received since the last call. */
internal suspend fun DedicatedRanks.takeRequest(): RunRequest = RunRequest.entries[line.pollRequest()]

/** Collective: the role of this rank in a simulation; null if all ranks compute. */
internal suspend fun Communicator.roleIn(requested: Result<SimulationOptions?>, files: BlockStore): Role? {
    val rule = requested.getOrNull()?.dedicated
    val own = rule?.setting.orEmpty()
    val ofRoot = broadcastText(ROOT) { own }
    if (ofRoot.isEmpty() && own.isEmpty()) return null
    val options =
        withTypedFailures {
            collectively(READ_SETTINGS) {
                val options = requested.getOrThrow()
                if (own != ofRoot) throw InvalidDeclaration(Details(differing(own, ofRoot)))
                checkNotNull(options)
            }
        }
    return takeRole(checkNotNull(options.dedicated), files, options.checkpoints.snapshotMemory)
}

private fun Communicator.differing(own: String, ofRoot: String): String {
    val (here, there) = listOf(own, ofRoot).map { it.ifEmpty { "none" } }
    return "dedicated is $here on rank $rank, but $there on rank $ROOT. Give all ranks the same settings: the same " +
        "file, and the same environment."
}

/** The code of a program that failed is that of the failure, which all ranks get where they meet at its end. */
internal fun exitCodeOf(result: Int?): ExitCode = ExitCode.entries.find { it.number == result } ?: ExitCode.FINISHED
