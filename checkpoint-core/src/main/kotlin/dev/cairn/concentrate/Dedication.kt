package dev.cairn.concentrate

import dev.cairn.event.counted
import dev.cairn.event.rankText
import dev.cairn.event.requireDeclared
import dev.cairn.event.withTypedFailures
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.allGatherText
import dev.cairn.ranks.collectively
import dev.cairn.ranks.worker
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.sync.Semaphore
import kotlinx.coroutines.withContext
import java.lang.System.Logger.Level.INFO

/**
 * The dedicated ranks of a program, as one of the ranks that compute knows them: what it saves with [dev.cairn.Checkpoints.saveAsync]
 * goes to one of them, which writes it. Made by [dedicate], and usable until that returns; belongs to the coroutine of its rank.
 */
public class DedicatedRanks internal constructor(internal val line: ClientLine, private val clientCount: Int) {
    /** Refuses checkpoints of [rankCount] ranks, which the dedicated ranks cannot write: each waits for the saves of all of its clients. */
    internal fun requireFit(rankCount: Int) {
        line.requireOpen()
        requireDeclared(rankCount == clientCount) {
            val (clients, ranks) = counted(clientCount, "rank") to counted(rankCount, "rank")
            "dedicated ranks write what all $clients save that compute, but these checkpoints are of $ranks. Open " +
                "them on the communicator that dedicate() hands out, or without dedicated ranks"
        }
    }
}

/**
 * Collective: dedicates the ranks that [rule] chooses. They write what the others save, and return null when those have ended. The others
 * run [body] on a communicator of their own, and pass the [DedicatedRanks] on to [dev.cairn.checkpoints]; when this function returns on
 * them, all that they have sent is written.
 *
 * @param files the file system that all ranks share
 * @param memory the bytes that a dedicated rank holds and has not written yet; by default half of the heap of its process, for all
 *     dedicated ranks of that together
 */
@JvmSynthetic
public suspend fun <T> Communicator.dedicate(
    rule: Concentrators,
    files: BlockStore = FileBlockStore(),
    memory: Long? = null,
    body: suspend Communicator.(DedicatedRanks) -> T,
): T? =
    when (val role = takeRole(rule, files, memory)) {
        is Role.Computing -> role.play { ranks.body(it) }
        is Role.Dedicated -> null.also { role.rank.serve() }
    }

/** What a rank does in a program that dedicates ranks. */
internal sealed interface Role {
    class Dedicated(val rank: DedicatedRank) : Role

    /** It computes, and may send what it saves along [dedicated]. */
    class Computing(val ranks: Communicator, val dedicated: DedicatedRanks) : Role {
        /** Runs [body]; dedicated ranks receive the [resultOf] what that returns. */
        suspend inline fun <T> play(resultOf: (T) -> Int = { 0 }, body: Computing.(DedicatedRanks) -> T): T {
            val outcome = runCatching { body(dedicated) }
            outcome.onFailure { failure -> giveUp(failure) }
            return outcome.getOrThrow().also { dedicated.line.end(resultOf(it)) }
        }

        /** The program has failed. If its run is over, dedicated ranks receive that failure without this rank. */
        suspend fun giveUp(failure: Throwable) {
            try {
                withContext(NonCancellable) { dedicated.line.giveUp() }
            } catch (other: Exception) {
                if (other !== failure) failure.addSuppressed(other)
            }
        }
    }
}

/** Collective: the role of this rank where [rule] dedicates some. */
internal suspend fun Communicator.takeRole(rule: Concentrators, files: BlockStore, memory: Long?): Role {
    val hosts = allGatherText(host)
    val rules = allGatherText(rule.setting)
    val plan =
        withTypedFailures {
            collectively("choose the dedicated ranks") {
                requireSame(rules)
                DedicationPlan.of(hosts, rule)
            }
        }
    val isComputing = rank in plan.computing
    // Named like the communicator that the program had otherwise, since it knows no other one.
    val ranks = split(if (isComputing) 0 else Communicator.NO_GROUP)
    val line = checkNotNull(split(1))
    if (ranks?.rank == ROOT) log(plan)
    val perRank = line.shareInProcess { rankCount -> memory ?: (Runtime.getRuntime().maxMemory() / 2 / rankCount) }
    if (ranks != null) {
        val dedicated = plan.dedicatedOf(rank)
        val way = ClientLine(line, dedicated, hosts[dedicated])
        return Role.Computing(ranks, DedicatedRanks(way, ranks.size))
    }
    val room = Semaphore((perRank / SentPart.MESSAGE_SIZE).coerceIn(1, MOST_DELIVERIES).toInt())
    return Role.Dedicated(DedicatedRank(line, plan.clientsOf(rank), files, line.worker(), room))
}

private fun requireSame(rules: List<String>) {
    val other = rules.indexOfFirst { it != rules[ROOT] }
    requireDeclared(other < 0) {
        "rank $other dedicates ${rules[other]}, but rank $ROOT ${rules[ROOT]}. Let all ranks dedicate the same"
    }
}

private fun Communicator.log(plan: DedicationPlan) {
    val dedicated = (0 until size) - plan.computing
    LOG.log(
        INFO,
        "dedicated to writing: ${rankText(dedicated)} of $size; the program has the others, in their order, as " +
            rankText(List(plan.computing.size) { it }),
    )
}

private val LOG: System.Logger = System.getLogger(DedicatedRanks::class.java.name)

private const val MOST_DELIVERIES = 1L shl 20
