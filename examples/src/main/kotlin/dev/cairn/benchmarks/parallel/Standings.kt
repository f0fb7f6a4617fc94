package dev.cairn.benchmarks.parallel

import dev.cairn.benchmarks.report.PhasesResult
import dev.cairn.benchmarks.report.Quartiles
import dev.cairn.benchmarks.report.RatioResult
import dev.cairn.benchmarks.report.Result

/** The results of the [rounds] of one job: the times of each contestant, and the rate of the first relative to each other one. */
internal fun standings(job: Job, names: List<String>, rounds: List<Round>): List<Result> {
    val phases = names.mapIndexed { place, name -> phases(job, name, rounds.map { it[place] }) }
    val ratios =
        names.indices.drop(1).flatMap { place ->
            listOf(
                ratio("write $job: ${names.first()}, against ${names[place]}", rounds, place, PhaseTimes::writing),
                ratio("read $job: ${names.first()}, against ${names[place]}", rounds, place, PhaseTimes::reading),
            )
        }
    return phases + ratios
}

private fun phases(job: Job, name: String, times: List<PhaseTimes>): PhasesResult {
    fun quartiles(figure: (PhaseTimes) -> Double) = Quartiles.of(times.map(figure))
    val megabytes = job.byteCount / 1e6
    return PhasesResult(
        name = "$job, $name",
        contestant = name,
        rankCount = job.rankCount,
        createSeconds = quartiles(PhaseTimes::create),
        writeSeconds = quartiles(PhaseTimes::write),
        closeSeconds = quartiles(PhaseTimes::close),
        openSeconds = quartiles(PhaseTimes::open),
        readSeconds = quartiles(PhaseTimes::read),
        writeRate = quartiles { megabytes / it.writing },
        readRate = quartiles { megabytes / it.reading },
    )
}

/** Only times of the same round are compared. */
private fun ratio(name: String, rounds: List<Round>, place: Int, seconds: (PhaseTimes) -> Double) =
    RatioResult(name, Quartiles.of(rounds.map { seconds(it[place]) / seconds(it.first()) }))
