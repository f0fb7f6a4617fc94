package dev.cairn.benchmarks.parallel

import dev.cairn.benchmarks.report.AtLeast
import dev.cairn.benchmarks.report.Comparison
import dev.cairn.benchmarks.report.Quotient
import dev.cairn.benchmarks.report.Result
import dev.cairn.ranks.Communicator
import java.nio.file.Path

/** The times of all contestants in one round, in their order. */
internal typealias Round = List<RunTimes>

/** The contestants, Cairn first; [partest] is SIONlib's program, if it takes part. */
internal fun contestants(job: Job, partest: Path?): List<Contestant> =
    listOf(InMultifile(job), InOwnFiles) +
        listOfNotNull(partest).flatMap { program ->
            PartestFiles.entries.map { Partest(program, it, job) }
        }

/**
 * Collective: runs [job] by all contestants in turn, first in rounds to warm up, and then in the given number of timed rounds. A
 * process with one rank makes one call where one with many ranks makes thousands, and opening takes a tenth of the time after some
 * hundred calls: so there are rounds with one buffer before all others.
 */
internal suspend fun Communicator.rounds(job: Job, directory: Path, partest: Path?, count: Int): List<Round> {
    val small = job.withBuffers(1)
    val smallShare = Share(rank, small)
    repeat(SMALL_WARM_UP_ROUNDS) { round(contestants(small, partest = null), smallShare, directory, number = it) }
    val contestants = contestants(job, partest)
    val share = Share(rank, job)
    return List(WARM_UP_ROUNDS + count) { round(contestants, share, directory, number = it) }.drop(WARM_UP_ROUNDS)
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

/** The rate of the first of [contestants] beside each other one. */
internal fun standings(job: Job, contestants: List<Contestant>, rounds: List<Round>): List<Result> =
    contestants.indices.drop(1).flatMap { other ->
        fun compare(verb: String, seconds: (RunTimes) -> Double): Comparison {
            val name = "$verb $job: ${contestants.first().name}, against ${contestants[other].name}"
            val goal = AtLeast(if (contestants[other] is Partest) 1.0 else 0.95)
            return Comparison.of(name, Quotient.OF_RATES, rounds, goal, { seconds(it.first()) }, { seconds(it[other]) })
        }
        listOf(compare("write", RunTimes::writing), compare("read", RunTimes::reading))
    }

private const val SMALL_WARM_UP_ROUNDS = 400
