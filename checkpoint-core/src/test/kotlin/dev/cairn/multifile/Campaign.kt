package dev.cairn.multifile

import dev.cairn.event.CommunicatorException
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.RunReport
import dev.cairn.ranks.RunReport.Outcome
import dev.cairn.ranks.attemptRanks
import dev.cairn.ranks.bytesOf
import dev.cairn.ranks.collectively
import dev.cairn.sion.FileMapping
import dev.cairn.sion.GlobalView
import dev.cairn.sion.Multifile
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.failure.SionException
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.CrashOutcome
import dev.cairn.sion.store.simulated.SimulatedDisk
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.file.NoSuchFileException
import java.nio.file.Path
import java.util.TreeMap
import kotlin.random.Random

/**
 * One small parallel program, and what goes wrong in it, all drawn from [seed]: ranks write a multifile together, tell
 * their neighbours how much they wrote, and read each other's tasks.
 */
internal class Trial(private val seed: Long) {
    private val random = Random(seed)
    private val count = random.nextInt(1, 7)
    private val fileCount = random.nextInt(1, count + 1)
    private val sizes = List(count) { random.nextInt(0, 1500) }
    private val disk = SimulatedDisk()
    private val plan = plan()
    private val diskFault = if (random.nextDouble() < 0.35) DiskFault.draw(random, count) else null

    private fun plan(): RankPlan {
        val hosts = RankPlan(count, Schedule.Deterministic(seed), hosts = { "node${it / 2}" })
        return hosts
            .withFaults(hosts.drawFaults(seed, chance = 0.2, operationCount = 10))
            .withOnHostDeath(disk::crashHost)
    }

    /** How it ended, in a word; throws if it ended as it must not. */
    suspend fun run(histogram: Histogram) {
        val report = attemptRanks(plan) { program() }
        (
            report.struckFaults.map { it.javaClass.simpleName } +
                listOfNotNull(
                    diskFault?.struck,
                )
        ).forEach(histogram::fault)
        histogram.outcome(if (report.isClean) judgeSuccess() else judgeFailure(report))
    }

    private suspend fun Communicator.program() {
        val store = storeOf(this)
        val spec = MultifileSpec.parallel(PATH).withBlockSize(512).withMapping(FileMapping.contiguous(fileCount))
        writeMultifile(spec, chunkSize = 600, store) { it.append(ByteBuffer.wrap(stream(rank))) }
        send((rank + 1) % size, 1, bytesOf(sizes[rank].toLong()))
        val previous = (rank + size - 1) % size
        val told = receive(previous, 1).getLong(0)
        readMultifile(PATH, store) { view ->
            collectively("compare") {
                check(told == view.task(previous).size())
                check(view.bytes(previous).contentEquals(stream(previous)))
            }
        }
    }

    private fun storeOf(ranks: Communicator): BlockStore {
        val store = disk.host(ranks.host)
        return if (diskFault?.rank == ranks.rank) diskFault.inside(store) else store
    }

    /** All that was closed must be there even if the power fails now. */
    private fun judgeSuccess(): String {
        val crashed = disk.afterCrash(CrashOutcome.losing(disk.unsyncedChanges().toSet()))
        check(holdsAll(crashed)) { "a multifile that was closed is gone" }
        return "success"
    }

    /** The ranks that are left know the same, and no half-written multifile passes for a good one. */
    private fun judgeFailure(report: RunReport<*>): String {
        val left = report.outcomes.filter { it != Outcome.Died }
        if (left.isEmpty()) return "no rank is left"
        check(left.all { it is Outcome.Threw }) { "some ranks returned or hang although others failed:\n$report" }
        val failures = left.map { (it as Outcome.Threw).failure }
        check(failures.all { it is CommunicatorException }) { "a failure was not shared:\n$report" }
        check(failures.distinctBy { "$it" }.size == 1) { "ranks tell different stories:\n$report" }
        holdsAll(disk)
        return failures.first().javaClass.simpleName
    }

    /** Whether the multifile is whole, and then all bytes are compared; throws if there are wrong ones. */
    private fun holdsAll(disk: SimulatedDisk): Boolean {
        try {
            Multifile.open(disk.host("reader"), PATH).use { view ->
                for (task in 0 until count) {
                    check(view.bytes(task).contentEquals(stream(task))) { "wrong bytes in task $task" }
                }
            }
            return true
        } catch (unfinished: SionException) {
            return false
        } catch (missing: NoSuchFileException) {
            return false
        }
    }

    private fun stream(task: Int) = ByteArray(sizes[task]) { (seed * 131 + task * 31 + it * 7 + (it shr 8)).toByte() }

    private companion object {
        val PATH: Path = Path.of("x.sion")
    }
}

private fun GlobalView.bytes(task: Int): ByteArray =
    ByteBuffer.allocate(Math.toIntExact(task(task).size())).also { read(task, 0, it) }.array()

/** The [number]-th operation of a [kind] that [rank] asks of its disk fails. */
internal class DiskFault(val rank: Int, private val kind: BlockStore.Operation.Kind, private var number: Int) {
    var struck: String? = null
        private set

    fun inside(store: BlockStore): BlockStore =
        object : ForwardingStore(store) {
            override fun onOperation(operation: BlockStore.Operation) {
                if (operation.kind() != kind || --number != 0) return
                struck = "disk: $kind"
                throw IOException("the disk refuses to $kind ${operation.path()}")
            }
        }

    companion object {
        private val KINDS =
            listOf(
                BlockStore.Operation.Kind.OPEN,
                BlockStore.Operation.Kind.WRITE,
                BlockStore.Operation.Kind.FORCE,
                BlockStore.Operation.Kind.READ,
            )

        fun draw(random: Random, count: Int) =
            DiskFault(random.nextInt(count), KINDS.random(random), random.nextInt(1, 3))
    }
}

/** How often each outcome was seen, and how often each kind of fault struck. */
internal class Histogram {
    val outcomes = TreeMap<String, Int>()
    val faults = TreeMap<String, Int>()

    fun outcome(name: String) {
        outcomes.merge(name, 1, Int::plus)
    }

    fun fault(name: String) {
        faults.merge(name, 1, Int::plus)
    }

    override fun toString(): String =
        "outcomes: ${outcomes.entries.joinToString()}\nfaults that struck: ${faults.entries.joinToString()}"
}
