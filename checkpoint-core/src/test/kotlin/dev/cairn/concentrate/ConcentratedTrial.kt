package dev.cairn.concentrate

import dev.cairn.event.RankFailedException
import dev.cairn.event.RanksMissingException
import dev.cairn.multifile.Histogram
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Fault
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.RunReport
import dev.cairn.ranks.RunReport.Outcome
import dev.cairn.ranks.attemptRanks
import kotlin.random.Random

/**
 * Ranks write arrays through concentrators and others read them, while a rank, a host or a sub-file fails; all drawn from [seed].
 *
 * @param plant wraps the communicator and the request of a rank, to make a mistake that must be found
 */
internal class ConcentratedTrial(private val seed: Long, private val plant: Plant = Plant()) {
    private val random = Random(seed)
    private val world = StripedWorld(random)
    private val writers = drawPlan(seed)
    private val writing = world.set(hostsOf(writers))
    private val readers = drawPlan(seed + 1)
    private val reading = world.set(hostsOf(readers))
    private val files = MemoryFiles(world.layout, world.length, drawFailure())
    private val written = world.deal(writers.count)
    private val read = world.deal(readers.count)

    /** A mistake that a test makes on purpose. */
    class Plant(val communicator: (Communicator) -> Communicator = { it }, val request: (Request) -> Request = { it })

    private fun drawFailure() = if (random.nextInt(3) == 0) random.nextInt(1, 30) else Int.MAX_VALUE

    private fun drawPlan(seed: Long): RankPlan {
        val hostCount = random.nextInt(1, 5)
        val plan = RankPlan(random.nextInt(1, 9), Schedule.Deterministic(seed), hosts = { "node${it % hostCount}" })
        return plan.withFaults(plan.drawFaults(seed, chance = 0.15, operationCount = 40))
    }

    private fun hostsOf(plan: RankPlan) = List(plan.count) { plan.hosts.apply(it) }

    /** Throws if it ends as it must not. */
    suspend fun run(histogram: Histogram) {
        val writing =
            attemptRanks(writers) {
                plant.communicator(this).writeConcentrated(writing, plant.request(valuesOf(rank)), files::write)
            }
        histogram.outcome("write: ${judge(writing)}")
        if (writing.outcomes.all { it is Outcome.Returned }) {
            check(files.contents.indices.all { files.contents[it].contentEquals(world.expected()[it]) }) {
                "the sub-files do not hold what was written"
            }
            histogram.outcome("read: ${judge(attemptRanks(readers) { readAndCompare() })}")
        }
        (writing.struckFaults.map { it.javaClass.simpleName }).forEach(histogram::fault)
    }

    private suspend fun Communicator.readAndCompare() {
        val parts =
            world.arrays.zip(read).flatMap { (array, boxes) ->
                boxes[rank].map { Triple(array, it, array.memory(it)) }
            }
        readConcentrated(
            reading,
            JoinedRequest(
                parts.map { (array, box, memory) ->
                    array.request(box, memory)
                },
            ),
            files::read,
        )
        for ((array, box, memory) in parts) {
            check(
                memory == array.values(box),
            ) { "rank $rank has read other values in $box" }
        }
    }

    private fun valuesOf(rank: Int) =
        JoinedRequest(
            world.arrays.zip(written).flatMap { (array, boxes) ->
                boxes[rank].map { array.request(it, array.values(it)) }
            },
        )

    /** The ranks that are left tell the same, and nothing fails for nothing. */
    private fun judge(report: RunReport<*>): String {
        val left = report.outcomes.filter { it != Outcome.Died }
        val failures = left.filterIsInstance<Outcome.Threw>().map { it.failure }
        if (failures.isEmpty()) return "success"
        check(failures.size == left.size || report.struckFaults.any { it is Fault.RankDies || it is Fault.HostDies }) {
            "some ranks returned although others failed:\n$report"
        }
        check(
            failures.all {
                it is RankFailedException || it is RanksMissingException
            },
        ) { "a failure was not shared:\n$report" }
        check(failures.distinctBy { "$it" }.size == 1) { "ranks tell different stories: $failures\n$report" }
        val deaths = report.struckFaults.filter { it is Fault.RankDies || it is Fault.HostDies }
        val isDisk = "the disk refuses" in "${failures.first()}"
        check(isDisk || deaths.isNotEmpty()) { "it fails for nothing: $failures\n$report" }
        return if (isDisk) "the disk's failure" else failures.first().javaClass.simpleName
    }

    override fun toString() = "${writers.count} writers, ${readers.count} readers, ${writers.faults}, ${readers.faults}"
}
