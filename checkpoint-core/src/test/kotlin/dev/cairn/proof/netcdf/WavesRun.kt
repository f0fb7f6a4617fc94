package dev.cairn.proof.netcdf

import dev.cairn.Simulation
import dev.cairn.concentrate.Concentrators
import dev.cairn.event.CheckpointEvent
import dev.cairn.event.CheckpointEvent.Restored
import dev.cairn.event.CheckpointException
import dev.cairn.event.ExitCode
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.RunFailedException
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import kotlinx.coroutines.runBlocking
import java.nio.ByteBuffer
import kotlin.random.Random

/** The course of every save and of every run of a store, and how the file of each course looks. */
internal class Branches(private val cells: Cells, private val unbroken: UnbrokenCourses) {
    val ofSaves = mutableMapOf<Int, String>()
    private val ofRuns = mutableSetOf<String>()

    fun begin(course: String) {
        ofRuns += course
    }

    fun fileOf(course: String): UnbrokenWaves = unbroken[cells, course]

    /** How the records that count differ from those of all courses; null if they are those of one. */
    fun flawOfRecords(disk: SimulatedDisk): String? {
        val flaws = ofRuns.map { course -> fileOf(course).flawOfRecords(disk) ?: return null }
        return flaws.firstOrNull()
    }
}

/** The files of courses, each of which is run once. */
internal class UnbrokenCourses {
    private val known = mutableMapOf<Pair<Cells, String>, UnbrokenWaves>()

    operator fun get(cells: Cells, course: String): UnbrokenWaves =
        known.getOrPut(cells to course) { UnbrokenWaves(cells, course) }
}

/**
 * One start of a program on [disk], which looks in every step whether the file has the records of its branch, and no others.
 *
 * @param hosts the beginning of the names of its hosts, of which there are [hostCount]
 */
internal class WavesRun(
    private val random: Random,
    private val disk: SimulatedDisk,
    private val branches: Branches,
    private val program: WavesProgram,
    private val hosts: String,
    private val hostCount: Int,
    private val through: (host: String, BlockStore) -> BlockStore,
) {
    private val rise = random.nextInt(1, 4)
    private val plan =
        RankPlan(
            random.nextInt(1, 6),
            Schedule.Deterministic(random.nextLong()),
            hosts = { "$hosts${it % hostCount}" },
        )
    private val waves =
        Waves(
            cells = program.cells,
            rise = { rise },
            writers = WRITERS.random(random),
            stage = if (random.nextBoolean()) Waves.STAGE else null,
            declared = program.declared,
            listener = ::hear,
            through = through,
        )
    private var restored = ""
    private var hasBegun = false

    /** The program that has taken the store from this one; itself before that. */
    private var owner = this

    private val seen = mutableListOf<Seen>()
    private var flawOfState: String? = null

    /** The first promise that was broken in one of its steps; null if none was. To be called when it has ended. */
    val flaw: String?
        get() =
            flawOfState
                ?: seen.firstNotNullOfOrNull { each ->
                    branches.fileOf(each.course).flawOfRecords(each.file)?.let { "in step ${each.step} $it" }
                }
                ?: owner.takeIf { isTakenOver }?.flaw

    /** Whether another program has tried to take the store over. */
    var isChallenged = false
        private set

    val isTakenOver: Boolean get() = owner !== this

    /** All of its steps, if it comes to its end. */
    private val course: String get() = restored.padEnd(STEPS, rise.digitToChar())

    private fun hear(event: CheckpointEvent) {
        if (event is Restored) begin(branches.ofSaves.getValue(event.number))
        if (event is CheckpointEvent.Begun) branches.ofSaves[event.number] = course.take(event.step.toInt())
    }

    /** @param takeOver in which step another program takes the store over, if it comes so far */
    suspend fun play(
        arguments: List<String>,
        takeOver: Pair<Long, suspend () -> WavesRun>? = null,
        atStep: suspend Simulation.(Long) -> Unit = {},
    ): Result<ExitCode> =
        runCatching {
            waves
                .run(disk, plan, *arguments.toTypedArray()) { step ->
                    if (rank == ROOT) look(step)
                    if (step == takeOver?.first) {
                        ranks.barrier()
                        isChallenged = true
                        // Nothing else of this program runs meanwhile, and its saves go on afterwards.
                        if (rank == ROOT) runBlocking { takeOver.second() }.let { if (it.hasBegun) owner = it.owner }
                        ranks.barrier()
                    }
                    atStep(step)
                }.distinct()
                .single()
        }

    /** Its outputs are as they were on this [course], even if it has no step left. */
    private fun begin(course: String) {
        restored = course
        hasBegun = true
        branches.begin(this.course)
    }

    private fun look(step: Long) {
        if (!hasBegun) begin(restored)
        val expected = course.take(step.toInt() + 1)
        if (waves.course != expected) {
            flawOfState = flawOfState ?: "the state took the course ${waves.course} and not $expected"
        }
        val file = disk.host("any").wavesOrNull() ?: return
        if (file != seen.lastOrNull()?.file) seen += Seen(step, owner.course, file)
    }

    /** How the file differs from that of the branch whose program came to its end; null if it does not. */
    fun flawOfEnd(): String? = branches.fileOf(owner.course).flawOfEnd(disk)

    /** The [file] in a [step], when the program that owns the store takes this [course]. */
    private class Seen(val step: Long, val course: String, val file: ByteBuffer)

    companion object {
        const val STEPS = 20

        /** So short a file is written by one concentrator: rank 0, or the last rank, mostly on another host. */
        private val WRITERS: List<(Int) -> Concentrators> =
            listOf({ Concentrators.perHost(1) }, { Concentrators.ranks(it - 1) })
    }
}

/** What all starts of a program have in common. */
internal class WavesProgram(val cells: Cells, val declared: OutputDeclaration)

/** The refusal of an output in a failed run; null if it failed otherwise. */
internal val Result<ExitCode>.refusedOutput: CheckpointException.Mismatch?
    get() =
        ((exceptionOrNull() as? RunFailedException)?.cause as? CheckpointException.Mismatch)
            ?.takeIf { it.reason == CheckpointException.Reason.OUTPUT }
