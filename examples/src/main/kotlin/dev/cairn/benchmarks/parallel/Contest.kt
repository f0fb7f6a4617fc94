package dev.cairn.benchmarks.parallel

import dev.cairn.benchmarks.report.Result
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.broadcastText
import java.nio.file.Path

/** The times of all contestants in one round, in their order. */
internal typealias Round = List<PhaseTimes>

/**
 * The place of a contest. Rank 0 broadcasts it to the others.
 *
 * @property directory an empty directory, the same for all ranks
 * @property partest SIONlib's program, if it takes part
 */
internal class Arena(val directory: Path, val partest: Path?) {
    companion object {
        /** The argument of all ranks but rank 0. */
        val ELSEWHERE = Arena(Path.of(""), partest = null)
    }
}

/** Collective: runs [job] by all contestants in turn, first in rounds to warm up, and then in the given number of timed rounds. */
internal suspend fun Communicator.results(job: Job, arena: Arena, roundCount: Int): List<Result> {
    val shared = shared(arena)
    if (job.processCount > 1) warmUp(job.withBuffers(1), shared.directory)
    val contestants = contestants(job, shared.partest)
    val share = Share(rank, job, shareInProcess { Payloads(job) })
    val rounds =
        List(WARM_UP_ROUNDS + roundCount) { round(contestants, share, shared.directory, number = it) }
    return standings(job, contestants.map { it.name }, rounds.drop(WARM_UP_ROUNDS))
}

/**
 * Collective: runs the job until this process has compiled its code. A process with one rank makes one call where one with many
 * ranks makes thousands, and opening takes a tenth of the time after some hundred calls.
 */
private suspend fun Communicator.warmUp(job: Job, directory: Path) {
    val contestants = contestants(job, partest = null)
    val share = Share(rank, job, shareInProcess { Payloads(job) })
    repeat(SMALL_WARM_UP_ROUNDS) { round(contestants, share, directory, number = it) }
}

private suspend fun Communicator.shared(arena: Arena): Arena {
    val directory = broadcastText(0) { "${arena.directory}" }
    val partest = broadcastText(0) { arena.partest?.toString().orEmpty() }
    return Arena(Path.of(directory), partest.ifEmpty { null }?.let(Path::of))
}

/** Collective: the first contestant rotates, so that a machine whose speed varies favours none of them. */
private suspend fun Communicator.round(
    contestants: List<Contestant>,
    share: Share,
    directory: Path,
    number: Int,
): Round {
    val order = contestants.indices.map { (it + number) % contestants.size }
    val times = order.associateWith { contestants[it].run(this, share, directory) }
    return contestants.indices.map(times::getValue)
}

/** The contestants, Cairn first. */
private fun contestants(job: Job, partest: Path?): List<Contestant> {
    val ours =
        job.types.map { type ->
            when (type) {
                Type.MULTIFILE -> InMultifile(job)
                Type.FILES -> InOwnFiles(staysOpen = job.rankCount / job.processCount <= MOST_OPEN_FILES)
            }
        }
    return ours + if (partest == null) emptyList() else job.types.map { Partest(partest, it, job) }
}

/** Each rank may be a process, which is slow at first, and a multifile runs more code than a bare channel. */
internal const val WARM_UP_ROUNDS = 12

/** Rounds with one buffer for each rank, before the rounds to warm up. */
private const val SMALL_WARM_UP_ROUNDS = 400

/** The most open files of a process; the limit of some systems is not much higher. */
private const val MOST_OPEN_FILES = 4096
