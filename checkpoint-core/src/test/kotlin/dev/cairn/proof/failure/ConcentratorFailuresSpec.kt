package dev.cairn.proof.failure

import dev.cairn.event.CheckpointException
import dev.cairn.event.RankFailedException
import dev.cairn.event.RanksMissingException
import dev.cairn.house.Campaign
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Fault
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.RunFailedException
import dev.cairn.ranks.RunReport
import dev.cairn.ranks.RunReport.Outcome
import dev.cairn.ranks.attemptRanks
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.simulated.CrashOutcome
import dev.cairn.sion.store.simulated.DiskSettings
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.PARENT
import dev.cairn.store.SaveNames
import dev.cairn.store.withParent
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldBeIn
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.file.Path
import kotlin.io.path.ExperimentalPathApi
import kotlin.io.path.copyToRecursively
import kotlin.io.path.createDirectory
import kotlin.io.path.deleteRecursively
import kotlin.random.Random

/**
 * What can fail while ranks write and read through concentrators, for all that is written so. Each read tells the step of which all
 * cells are, and fails if they are of several. `-Dcairn.seed=N` repeats a run.
 */
@OptIn(ExperimentalPathApi::class)
class ConcentratorFailuresSpec :
    FunSpec({
        quietly()

        for (gathered in Gathered.entries) {
            test("disk full at a concentrator: all ranks are told alike, and $gathered of before stays") {
                val disk = SimulatedDisk(DiskSettings.DEFAULT.withCapacity(ROOM_FOR_ONE)).withParent()
                gathered.writeOn(disk, 1)
                val failures = gathered.write(disk, 2).failures()
                failures shouldHaveSize WRITERS
                failures.map { "$it" }.distinct().single() shouldContain "no space is left"
                gathered.stepOn(disk) shouldBe 1
                partsOn(disk).shouldBeEmpty()
            }

            for ((role, victim) in listOf("concentrator" to CONCENTRATORS[1], "client" to 2)) {
                test("$role dies in a transfer of $gathered: the others are told, and one of both steps is there") {
                    val random = Random(Campaign.seed)
                    val operations = Campaign.CRASH_POINTS.someOf(gathered.operationsOf(victim), random)
                    println("ConcentratorFailuresSpec: seed ${Campaign.seed}, ${operations.size} deaths of a $role")
                    var missed = 0
                    for (operation in operations) {
                        withClue("rank $victim dies at operation $operation") {
                            if (gathered.shouldSurvive(Fault.RankDies(victim, operation))) missed++
                        }
                    }
                    missed shouldBeGreaterThan 0
                }
            }

            test("member missing: $gathered is refused with the name of what is not there") {
                for (member in gathered.membersOn(diskWith(gathered, steps = 1))) {
                    val disk = diskWith(gathered, steps = 1)
                    disk.files().delete(member)
                    withClue(member) { gathered.refusal(disk) shouldContain wordsFor(member) }
                }
            }

            test("member short, long or damaged: never are wrong cells of $gathered passed on") {
                val random = Random(Campaign.seed)
                println("ConcentratorFailuresSpec: seed ${Campaign.seed}")
                val whole = diskWith(gathered, steps = 2)
                val ends = mutableMapOf<String, Int>()
                for (member in gathered.membersOn(whole)) {
                    for (damage in Damage.entries) {
                        repeat(Campaign.PROGRAMS.limit(5)) {
                            val disk = whole.copy()
                            disk.files().open(member, Access.READ_WRITE).use { file -> damage.inflict(file, random) }
                            withClue("$damage of $member") {
                                ends.merge(gathered.endOf(disk), 1, Int::plus)
                            }
                        }
                    }
                }
                println("ConcentratorFailuresSpec: damage of $gathered ended $ends")
            }

            test("set copied and moved: $gathered is read at another place, under another name") {
                val first = tempdir().toPath().resolve("first").createDirectory()
                val copy = first.resolveSibling("copy")
                ranks(WRITERS) { gathered.write(this, FileBlockStore(), first, 1) }
                first.copyToRecursively(copy, followLinks = false)
                first.deleteRecursively()
                ranks(3) { gathered.read(this, FileBlockStore(), copy) } shouldBe List(3) { 1L }
            }

            test("killed before commit: $gathered is that of before, or the new one") {
                val begin = diskWith(gathered, steps = 1)
                val count =
                    begin
                        .copy()
                        .also { gathered.writeOn(it, 2) }
                        .operationCount()
                        .toInt()
                val operations = Campaign.CRASH_POINTS.someOf((1..count).toList(), Random(Campaign.seed))
                println("ConcentratorFailuresSpec: seed ${Campaign.seed}, ${operations.size} of $count operations")
                for (operation in operations) {
                    val disk = begin.copy().apply { crashAt(operation.toLong()) }
                    gathered.write(disk, 2)
                    for (outcome in disk.crashOutcomes().take(Campaign.CRASH_OUTCOMES.count)) {
                        withClue("power failure at operation $operation, $outcome") {
                            gathered.stepOn(disk.afterCrash(outcome)) shouldBeIn listOf(1L, 2L)
                        }
                    }
                }
            }
        }
    })

/** The array takes 2.4 MB. */
private const val ROOM_FOR_ONE = 4_000_000L

private val PLAN = RankPlan(WRITERS, Schedule.Deterministic(5), hosts = { "node$it" })

private enum class Damage(val inflict: (BlockFile, Random) -> Unit) {
    CUT({ file, random -> file.resize(random.nextLong(file.size())) }),
    LENGTHENED({ file, random -> file.resize(file.size() + random.nextLong(1, 5000)) }),
    CHANGED_BYTE({ file, random ->
        val place = random.nextLong(file.size())
        val byte = ByteBuffer.allocate(1).also { file.readFully(place, it) }
        file.write(place, byte.put(0, (byte[0] + random.nextInt(1, 256)).toByte()).rewind())
    }),
}

private fun SimulatedDisk.files(): BlockStore = host("node0")

private fun SimulatedDisk.copy() = afterCrash(CrashOutcome.losing(emptySet()))

private suspend fun diskWith(gathered: Gathered, steps: Long) =
    SimulatedDisk().withParent().also { disk -> (1..steps).forEach { gathered.writeOn(disk, it) } }

private suspend fun Gathered.writeOn(disk: SimulatedDisk, step: Long) = write(disk, step).results()

private suspend fun Gathered.write(disk: SimulatedDisk, step: Long, vararg faults: Fault): RunReport<Unit> =
    attemptRanks(PLAN.withFaults(faults.toList())) {
        write(this, disk.host(host).silentAboutRoom(), PARENT, step)
    }

/** The number of an operation of [rank] in a write, the first of which is 1, for each that there is. */
private suspend fun Gathered.operationsOf(rank: Int): List<Long> {
    val disk = diskWith(this, steps = 1)

    suspend fun hasSo(many: Long) = write(disk.copy(), 2, Fault.RankDies(rank, many)).struckFaults.isNotEmpty()
    var (least, most) = 1L to 1024L
    while (least < most) {
        val middle = (least + most + 1) / 2
        if (hasSo(middle)) least = middle else most = middle - 1
    }
    return (1..least).toList()
}

/** Whether anyone waited for the rank that died. */
private suspend fun Gathered.shouldSurvive(death: Fault.RankDies): Boolean {
    val disk = diskWith(this, steps = 1)
    val report = write(disk, 2, death)
    val failures = report.failures()
    for (failure in failures) {
        failure.shouldBeInstanceOf<RanksMissingException>().message shouldContain "rank ${death.rank}"
    }
    stepOn(disk) shouldBeIn if (failures.isEmpty()) listOf(2L) else listOf(1L, 2L)
    partsOn(disk).shouldBeEmpty()
    return failures.isNotEmpty()
}

private fun RunReport<*>.failures() = outcomes.filterIsInstance<Outcome.Threw>().map { it.failure }

private suspend fun Gathered.stepOn(disk: SimulatedDisk): Long? =
    ranks(RankPlan(3)) { read(this, disk.files(), PARENT) }.distinct().single()

/** The step that is read, or a refusal for a reason that is one of ours or the disk's. */
private suspend fun Gathered.endOf(disk: SimulatedDisk): String =
    try {
        "with step ${stepOn(disk)}".also { check(it in ENDS.getValue(this)) { it } }
    } catch (refused: RunFailedException) {
        val reason = refused.cause.let { if (it is RankFailedException) it.cause else it }
        check(reason is CheckpointException || reason is IOException) { "$refused" }
        "refused"
    }

/** There is one file of arrays, but an older checkpoint, and not every byte of the newest is needed. */
private val ENDS =
    mapOf(
        Gathered.ARRAYS to setOf("refused"),
        Gathered.CHECKPOINT to setOf("refused", "with step 1", "with step 2"),
    )

private suspend fun Gathered.refusal(disk: SimulatedDisk): String =
    "${shouldThrow<RunFailedException> { stepOn(disk) }.message}"

/** A manifest that was lost can be made again. */
private fun wordsFor(member: Path) =
    if (member.endsWith(SaveNames.MANIFEST)) "it has lost its manifest" else "${member.fileName}"

/** The files without which the newest step is not there. */
private fun Gathered.membersOn(disk: SimulatedDisk): List<Path> =
    when (this) {
        Gathered.ARRAYS -> {
            listOf(arraysIn(PARENT))
        }

        Gathered.CHECKPOINT -> {
            val newest = disk.files().list(checkpointsIn(PARENT)).last { SaveNames.numberOf("${it.fileName}") != null }
            disk.files().list(newest)
        }
    }

/** What is not complete yet. */
private fun partsOn(disk: SimulatedDisk): List<Path> =
    disk.files().list(PARENT).filter { "${it.fileName}".endsWith(".part") }
