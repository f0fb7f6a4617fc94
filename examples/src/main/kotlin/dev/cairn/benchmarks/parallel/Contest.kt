package dev.cairn.benchmarks.parallel

import dev.cairn.benchmarks.report.Result
import dev.cairn.comm.Communicator
import dev.cairn.comm.broadcastText
import java.nio.file.Path

/** The times of all contestants in one round, in their order. */
internal typealias Round = List<PhaseTimes>

/**
 * Where ranks contend. Rank 0 says it to the others.
 *
 * @property directory empty, and the same for all
 * @property partest SIONlib's program, if it takes part
 */
internal class Arena(
    val directory: Path,
    val partest: Path?,
) {
    companion object {
        /** What ranks pass on that do not know it. */
        val ELSEWHERE = Arena(Path.of(""), partest = null)
    }
}

/** Collective: all ways of doing [job] in turn, for so many rounds after those to warm up. */
internal suspend fun Communicator.results(
    job: Job,
    arena: Arena,
    roundCount: Int,
): List<Result> {
    val shared = shared(arena)
    if (job.processCount > 1) warmUp(job.withBuffers(1), shared.directory)
    val contestants = contestants(job, shared.partest)
    val share = Share(rank, job, shareInProcess { Payloads(job) })
    val rounds =
        List(WARM_UP_ROUNDS + roundCount) { round(contestants, share, shared.directory, number = it) }
    return standings(job, contestants.map { it.name }, rounds.drop(WARM_UP_ROUNDS))
}

/**
 * Collective: lets this process compile what it is about to do. A process makes one call where one of many ranks makes
 * thousands, and opening takes a tenth of the time when it has been done some hundred times.
 */
private suspend fun Communicator.warmUp(
    job: Job,
    directory: Path,
) {
    val contestants = contestants(job, partest = null)
    val share = Share(rank, job, shareInProcess { Payloads(job) })
    repeat(SMALL_WARM_UP_ROUNDS) { round(contestants, share, directory, number = it) }
}

private suspend fun Communicator.shared(arena: Arena): Arena {
    val directory = broadcastText(0) { "${arena.directory}" }
    val partest = broadcastText(0) { arena.partest?.toString().orEmpty() }
    return Arena(Path.of(directory), partest.ifEmpty { null }?.let(Path::of))
}

/** Collective: who goes first goes round, so that a machine whose speed wanders favours nobody. */
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

/** Ours first. */
private fun contestants(
    job: Job,
    partest: Path?,
): List<Contestant> {
    val ours =
        job.types.map { type ->
            when (type) {
                Type.MULTIFILE -> InMultifile(job)
                Type.FILES -> InOwnFiles(staysOpen = job.rankCount / job.processCount <= MOST_OPEN_FILES)
            }
        }
    return ours + if (partest == null) emptyList() else job.types.map { Partest(partest, it, job) }
}

/** Each rank may be a process, which is slow at first; and a multifile takes more code than a bare channel. */
internal const val WARM_UP_ROUNDS = 12

/** With a buffer for each rank, before those. */
private const val SMALL_WARM_UP_ROUNDS = 400

/** Some systems let a process open not many more at a time. */
private const val MOST_OPEN_FILES = 4096
