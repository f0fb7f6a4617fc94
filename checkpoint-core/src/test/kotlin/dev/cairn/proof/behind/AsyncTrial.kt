package dev.cairn.proof.behind

import dev.cairn.Checkpoints
import dev.cairn.PendingSave
import dev.cairn.checkpoints
import dev.cairn.concentrate.Concentrators
import dev.cairn.concentrate.DedicatedRanks
import dev.cairn.concentrate.DedicationPlan
import dev.cairn.concentrate.SentPart
import dev.cairn.concentrate.dedicate
import dev.cairn.event.CallsDifferException
import dev.cairn.event.CheckpointEvent
import dev.cairn.event.CheckpointEvent.Restored
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.CommunicatorException
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.event.counted
import dev.cairn.multifile.Histogram
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.DrainRule
import dev.cairn.options.LocalCopies
import dev.cairn.options.LostLocal
import dev.cairn.options.Wait
import dev.cairn.options.WhenBusy
import dev.cairn.proof.local.HostDisks
import dev.cairn.proof.local.LOCAL
import dev.cairn.proof.netcdf.Cells
import dev.cairn.proof.netcdf.MissingMend
import dev.cairn.proof.state.Known
import dev.cairn.proof.state.SMALL_OPTIONS
import dev.cairn.proof.state.restoreKnown
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.RunFailedException
import dev.cairn.ranks.RunReport
import dev.cairn.ranks.RunReport.Outcome
import dev.cairn.ranks.attemptRanks
import dev.cairn.ranks.bytesOf
import dev.cairn.ranks.collectively
import dev.cairn.ranks.ranks
import dev.cairn.ranks.receive
import dev.cairn.ranks.send
import dev.cairn.sion.Grouping
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.DIRECTORY
import kotlin.random.Random

/** What a program does after one of its steps. */
private enum class Deed(val weight: Int) {
    SAVE_BEHIND(6),
    TRY_TO_SAVE(2),
    SAVE(1),
    PROGRESS(4),
    AWAIT_ALL(1),
    AWAIT_THE_LAST(1),
    RESTORE(1),
    RESTORE_AN_OLDER(1),
}

private val DEEDS = Deed.entries.flatMap { deed -> List(deed.weight) { deed } }

/** Two saves, a longer branch of the first one, and back to the second one: few scripts are so by chance. */
private val BRANCHES =
    listOf(Deed.SAVE_BEHIND, Deed.AWAIT_ALL, Deed.SAVE_BEHIND, Deed.AWAIT_ALL, Deed.RESTORE_AN_OLDER) +
        listOf(Deed.PROGRESS, Deed.PROGRESS, Deed.SAVE_BEHIND, Deed.AWAIT_ALL, Deed.RESTORE_AN_OLDER, Deed.TRY_TO_SAVE)

/**
 * One small parallel program that saves behind its back, and what goes wrong in it, all drawn from [seed]; and a program on another
 * number of ranks that restores what it has left. Most write a NetCDF file, too.
 *
 * @param mend one of that file that is taken out; null if none is
 */
internal class AsyncTrial(private val seed: Long, mend: MissingMend? = null) {
    private val random = Random(seed)
    private val count = random.nextInt(1, 7)
    private val hostCount = random.nextInt(1, 4)
    private val known = Known.entries.random(random)
    private val script =
        if (random.nextInt(8) == 0) BRANCHES else List(random.nextInt(2, 9)) { DEEDS.random(random) }
    private val awaitsAtEnd = random.nextDouble() < 0.6
    private val trouble = if (random.nextDouble() < 0.4) DiskTrouble.draw(random, hosts()) else null
    private val disk = FaultyDisk(trouble)
    private val plan = plan()

    /** The steps of all saves that were begun, by their numbers. */
    private val begun = mutableMapOf<Int, Long>()
    private val ended = mutableListOf<SaveOutcome>()
    private var isGivenUp = false
    private var hasPassedOver = false

    /** The newest save that any rank was told of as committed; 0 if there is none. */
    private var told = 0

    /** As [told], but of a save that is only known to be sealed. */
    private var toldSealed = 0

    private val isLocal = random.nextBoolean()
    private val copyCount = random.nextInt(minOf(count, hostCount))
    private val options = options()
    private val cells = (Cells.entries + null).random(random)
    private val records = cells?.let { TrialRecords(it, mend) }

    /** The saves that all ranks were told of as committed. */
    private val committed = sortedSetOf<Int>()

    /** The number of ranks that are given up, so that fewer save than the program has. */
    private val dedicatedCount = if (isLocal || count == 1 || random.nextInt(3) > 0) 0 else random.nextInt(1, count)
    private val deliveries = random.nextLong(1, 5)
    private val dedicated =
        if (dedicatedCount == 0) {
            emptyList()
        } else {
            List(count) { "node${it % hostCount}" }.let { hosts ->
                hosts.indices - DedicationPlan.of(hosts, Concentrators.total(dedicatedCount)).computing
            }
        }

    private fun hosts() = List(hostCount) { "node$it" }

    private fun plan(): RankPlan {
        val ranks = RankPlan(count, Schedule.Deterministic(seed), hosts = { "node${it % hostCount}" })
        return ranks
            .withFaults(ranks.drawFaults(seed, chance = 0.15, operationCount = 80))
            .withOnHostDeath(disk::crashHost)
    }

    private fun options(): CheckpointOptions {
        val grouping = listOf(Grouping.none(), Grouping.few(), Grouping.whereSmall())
        val waits =
            if (isLocal) {
                listOf(
                    null,
                    Wait.COPIED,
                    Wait.LOCAL,
                    Wait.LOCAL,
                )
            } else {
                listOf(null, Wait.COPIED, Wait.COMMITTED)
            }
        val wait = waits.random(random)
        val memory = listOf(null, null, 0L, random.nextLong(1, 3000)).random(random)
        return CheckpointOptions(SMALL_OPTIONS) {
            this.grouping = grouping.random(random)
            whenBusy = WhenBusy.entries.random(random)
            keepLast = 9
            this.wait = wait
            snapshotMemory = memory
            if (isLocal) drawLocal()
            if (random.nextInt(3) == 0) concentrators = drawConcentrators()
            listener(::hear)
        }
    }

    private fun drawConcentrators(): Concentrators =
        (if (random.nextBoolean()) Concentrators.perHost(1) else Concentrators.total(random.nextInt(1, 4)))
            .let { if (random.nextBoolean()) it.near() else it }

    private fun CheckpointOptions.Builder.drawLocal() {
        val rules = listOf(DrainRule.newest(), DrainRule.every(), DrainRule.every(2), DrainRule.none())
        local = LOCAL
        localCopies = LocalCopies.exactly(copyCount)
        drain = rules.random(random)
        localKeep = random.nextInt(1, 4)
    }

    private fun hear(event: CheckpointEvent) {
        if (event is CheckpointEvent.Begun) {
            begun[event.number] = event.step
            records?.begin(event.number)
        }
        if (event is CheckpointEvent.Rejected) hasPassedOver = true
        if (event is SaveOutcome) ended += event
    }

    /** Throws if it ends as it must not. */
    suspend fun run(histogram: Histogram) {
        val report = attemptRanks(plan) { dedicateAndRun() }
        val faults = report.struckFaults.map { it.javaClass.simpleName } + listOfNotNull(disk.struck?.name)
        faults.forEach(histogram::fault)
        ended.forEach { histogram.outcome("save: ${it.javaClass.simpleName}") }
        if (isGivenUp) histogram.outcome("save: given up")
        histogram.outcome("program: ${judge(report)}")
        if (faults.none { it.endsWith("Dies") || it.startsWith("disk") }) requireUnhurt(report)
        // A restore that could not read the newest checkpoint cut the output back, which the newest one then refuses.
        if (!hasPassedOver) disk.afterwards(random).forEach { histogram.outcome("restart: ${judgeRestart(it)}") }
    }

    private suspend fun Communicator.dedicateAndRun() {
        if (dedicatedCount == 0) {
            program(null)
        } else {
            val memory = deliveries * SentPart.MESSAGE_SIZE
            dedicate(Concentrators.total(dedicatedCount), disk.door(host), memory) { program(it) }
        }
        barrier()
    }

    private suspend fun Communicator.program(dedicated: DedicatedRanks?) {
        val state = known.toSave(this, disk.door(host))
        val own = records?.OfRank(this, disk.door(host), disk.raw)
        val checkpoints =
            checkpoints(DIRECTORY, options, disk.door(host), dedicated) {
                state.declare(this)
                own?.declare(this)
            }
        (checkpoints as AutoCloseable).use {
            var step = checkpoints.restore()?.step ?: 0
            var last: PendingSave? = null
            for ((number, deed) in script.withIndex()) {
                step++
                if (own != null && (cells != Cells.PUT || number % 2 == 0)) own.add(number)
                collectively("go on to step $step") { state.advanceTo(step) }
                greetNeighbour()
                when (deed) {
                    Deed.SAVE_BEHIND -> last = checkpoints.saveAsync(step)
                    Deed.TRY_TO_SAVE -> checkpoints.trySave(step)
                    Deed.SAVE -> checkpoints.save(step)
                    Deed.PROGRESS -> checkpoints.progress()
                    Deed.AWAIT_ALL -> checkpoints.awaitSaves()
                    Deed.AWAIT_THE_LAST -> awaitTogether(last)
                    Deed.RESTORE -> step = goOnFrom(checkpoints.restore(), own) ?: step
                    Deed.RESTORE_AN_OLDER -> older()?.let { step = goOnFrom(checkpoints.restore(it), own) ?: step }
                }
                note(checkpoints)
            }
            if (awaitsAtEnd) checkpoints.awaitSaves()
            note(checkpoints)
            if (checkpoints.isSaveUnderWay) isGivenUp = true
            // Errors of closing are rank 0's own, if the program does not share them.
            collectively("close the store") { checkpoints.close() }
        }
    }

    private fun goOnFrom(restored: Restored?, own: TrialRecords.OfRank?): Long? {
        own?.goOnFrom(restored?.number)
        if (!isLocal && restored != null) own?.requireInFile(restored.number)
        return restored?.step
    }

    /** A save before the newest one; null if there is none, or if it may lie on hosts. */
    private fun older(): Int? = if (isLocal) null else committed.toList().dropLast(1).lastOrNull()

    /** If the save has ended, that is no meeting, and ranks that are held up would not learn of a failure before the run is over. */
    private suspend fun Communicator.awaitTogether(save: PendingSave?) {
        barrier()
        if (save == null || save.outcome is SaveOutcome.Skipped) return
        try {
            save.await()
        } catch (other: CheckpointException.NotSaved) {
            check(
                other.reason == Reason.NOT_DRAINED && isLocal &&
                    (save.outcome is SaveOutcome.Superseded || save.outcome is SaveOutcome.Sealed),
            ) { "$other" }
        }
    }

    private suspend fun Communicator.greetNeighbour() {
        send((rank + 1) % size, 1, bytesOf(seed))
        check(receive((rank + size - 1) % size, 1).getLong(0) == seed)
    }

    private fun note(checkpoints: Checkpoints) {
        when (val outcome = checkpoints.lastSave) {
            is Saved -> {
                told = maxOf(told, outcome.number)
                committed += outcome.number
            }

            is SaveOutcome.Sealed -> {
                toldSealed = maxOf(toldSealed, outcome.number)
            }

            else -> {}
        }
    }

    /** The ranks that are left know the same. */
    private fun judge(report: RunReport<*>): String {
        val left = report.outcomes.filter { it != Outcome.Died }
        if (left.isEmpty()) return "no rank is left"
        if (left.all { it is Outcome.Returned }) return "success"
        check(left.all { it is Outcome.Threw }) { "some ranks returned or hang although others failed:\n$report" }
        // A dedicated rank has no part in the failed call: it hears that the run is over.
        val failures =
            report.outcomes.withIndex().mapNotNull { (rank, outcome) ->
                (outcome as? Outcome.Threw)?.failure.takeIf { rank !in dedicated || left.size == dedicated.size }
            }
        check(failures.all { it is CommunicatorException || it is CheckpointException }) {
            "a failure was not shared: $failures\n$report"
        }
        check(failures.none { it is CallsDifferException }) { "the ranks lost their step: $failures\n$report" }
        check(failures.distinctBy { "$it" }.size == 1) { "ranks tell different stories: $failures\n$report" }
        return failures.first().javaClass.simpleName
    }

    /** Slow ranks and late messages hurt nothing. */
    private fun requireUnhurt(report: RunReport<*>) {
        report.results()
        val skipped = ended.filterIsInstance<SaveOutcome.Skipped>().filter { it.number != null }
        val failed = ended.filterIsInstance<SaveOutcome.Failed>().filterNot { isGivenUp && ENDED in it.reason }
        check(failed.isEmpty() && skipped.isEmpty()) { "a save failed for nothing: $ended" }
    }

    /** Some of the hosts may be lost with their disks, or have no rank now. */
    private suspend fun judgeRestart(disks: HostDisks): String {
        val readers = random.nextInt(1, 7)
        val lost = if (random.nextInt(3) == 0) hosts().filter { random.nextBoolean() } else emptyList()
        lost.forEach(disks::lose)
        val plan = RankPlan(readers, Schedule.Deterministic(seed + 1), hosts = { "node${it % hostCount}" })
        val options = if (isLocal) CheckpointOptions(SMALL_OPTIONS) { local = LOCAL } else SMALL_OPTIONS
        // Hosts that had no rank hold nothing.
        val missing = hosts().take(count).filterIndexed { rank, host -> host in lost || rank >= readers }
        val isEnough = missing.size <= copyCount
        val refused =
            runCatching {
                return judgeRestored(
                    restart(plan, disks, options),
                    atLeast = if (isEnough) toldSealed else told,
                )
            }.exceptionOrNull() as? RunFailedException
        check((refused?.cause as? CheckpointException)?.reason == Reason.LOST_ON_HOSTS && !isEnough) {
            "the restart fails: $refused"
        }
        val onward = restart(plan, disks, CheckpointOptions(options) { lostLocal = LostLocal.GO_ON })
        return "without a lost save, ${judgeRestored(onward, atLeast = told)}"
    }

    private suspend fun restart(plan: RankPlan, disks: HostDisks, options: CheckpointOptions): Restored? =
        ranks(plan) { restoreAll(disks.door(host), options) }.distinct().single()

    private suspend fun Communicator.restoreAll(files: BlockStore, options: CheckpointOptions): Restored? {
        val own = records?.OfRank(this, files)
        return restoreKnown(known, files, options = options, beside = { own?.declare(this) }) {
            own?.requireThoseOf(it?.number)
        }
    }

    private fun judgeRestored(restored: Restored?, atLeast: Int): String {
        val least = maxOf(told, atLeast)
        check((restored?.number ?: 0) >= least) { "save $least was told of, and $restored was restored" }
        if (restored == null) return "nothing"
        check(begun[restored.number] == restored.step) { "$restored is not of $begun" }
        return if (restored.number > told) "more than was told as committed" else "what was told as committed"
    }

    private companion object {
        const val ENDED = "the program ended"
    }

    override fun toString() =
        "$count ranks, $dedicatedCount dedicated, on ${counted(
            hostCount,
            "host",
        )}, state $known, records $cells, $script, ${plan.faults}, ${trouble?.name}, saves: $ended"
}
