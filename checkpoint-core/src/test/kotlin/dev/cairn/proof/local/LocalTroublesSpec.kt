package dev.cairn.proof.local

import dev.cairn.event.RankFailedException
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.proof.log.quietly
import dev.cairn.proof.state.Known
import dev.cairn.ranks.RunFailedException
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.BlockStore.Operation.Kind
import dev.cairn.sion.store.simulated.DiskSettings
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.DIRECTORY
import dev.cairn.store.PARENT
import dev.cairn.store.SaveNames
import dev.cairn.store.withParent
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import java.nio.file.FileSystemException
import java.nio.file.Path

/**
 * Disks that take nothing for a while, under a program that saves to the disks of its hosts first: it goes on, is told of each save that
 * fails, and saves again when it can.
 */
class LocalTroublesSpec :
    FunSpec({
        quietly()
        val small = DiskSettings.DEFAULT.withCapacity(16L shl 20)

        fun withSmallShared() = HostDisks(SimulatedDisk(small).withParent())

        for (known in Known.entries) {
            test(
                "the disk of one host is full while a save is written: the save fails, and the next one does not: $known",
            ) {
                for (seed in 1L..5) {
                    val disks = HostDisks(own = mapOf("node1" to SimulatedDisk(small).withScratch()))
                    val ballast = Ballast(disks.door("node1"), SCRATCH.resolve("ballast"))
                    val isFirst = Point(Kind.WRITE) { it.startsWith(LOCAL) && it.isOf(2, "data.sion.000001") }.search()
                    val doors = disks.watched { if (isFirst(it)) ballast.fill() }
                    val outcomes =
                        outcomesOf(known, doors, seed, 1L..3) { step -> if (step == 3L) ballast.remove() }
                    withClue("seed $seed: $outcomes") {
                        outcomes.map { it is Saved } shouldBe listOf(true, false, true)
                        outcomes[1].reason() shouldContain "data.sion.000001"
                        hosts.flatMap { disks.door(it).localPaths() }.shouldBeEmpty()
                        restoredFrom(disks, known = known) shouldBe 3
                    }
                }
            }
        }

        test(
            "the disk of one host stays full: each save after that is told of as failed, and the last good one is restored",
        ) {
            val disks = HostDisks(own = mapOf("node1" to SimulatedDisk(small).withScratch()))
            val ballast = Ballast(disks.door("node1"), SCRATCH.resolve("ballast"))
            val isFirst = Point(Kind.CREATE) { it.startsWith(LOCAL) && it.isOf(3, "data.sion.000001") }.search()
            val outcomes = outcomesOf(Known.SMALL, disks.watched { if (isFirst(it)) ballast.fill() }, 1, 1L..4)
            outcomes.map { it is Saved } shouldBe listOf(true, true, false, false)
            outcomes.drop(2).forEach { it.reason() shouldContain "/scratch/saves" }
            restoredFrom(disks) shouldBe 2
        }

        test("the shared disk is full in a drain: the save stays on its hosts, and the next one is committed") {
            for (seed in 1L..5) {
                val disks = withSmallShared()
                val ballast = Ballast(disks.door("other"), PARENT.resolve("ballast"))
                val isFirst = FIRST_OF_THE_DRAIN.search()
                val doors = disks.watched { if (isFirst(it)) ballast.fill() }
                val outcomes = outcomesOf(Known.SMALL, doors, seed, 1L..3) { step -> if (step == 3L) ballast.remove() }
                withClue("seed $seed: $outcomes") {
                    outcomes.map { it is Saved } shouldBe listOf(true, false, true)
                    outcomes[1].reason() shouldContain "The data stay on the disks of their hosts"
                    restoredFrom(disks) shouldBe 3
                }
            }
        }

        test("the shared disk is full in a drain, and still at the restart: that fails, until there is room") {
            val disks = withSmallShared()
            val ballast = Ballast(disks.door("other"), PARENT.resolve("ballast"))
            val isFirst = FIRST_OF_THE_DRAIN.search()
            outcomesOf(Known.SMALL, disks.watched { if (isFirst(it)) ballast.fill() }, 1, 1L..2)
            val refused = shouldThrow<RunFailedException> { restoredFrom(disks) }.cause
            refused.shouldBeInstanceOf<RankFailedException>().message shouldContain "drain save 2"
            hosts.flatMap { disks.door(it).localFiles() } shouldHaveSize hosts.size
            ballast.remove()
            restoredFrom(disks) shouldBe 2
            hosts.flatMap { disks.door(it).localPaths() }.shouldBeEmpty()
        }

        test("the shared store is read-only for a while: the run goes on, and saves again afterwards") {
            for (seed in 1L..5) {
                val disks = HostDisks()
                var isReadOnly = false
                val doors = disks.watched { if (isReadOnly) it.requireNoChange() }
                val outcomes =
                    outcomesOf(Known.SMALL, doors, seed, 1L..5) { step -> isReadOnly = step in 2L..3 }
                withClue("seed $seed: $outcomes") {
                    outcomes.map { it is Saved } shouldBe listOf(true, false, false, true, true)
                    (1..2).forEach { outcomes[it].reason() shouldContain "Read-only file system" }
                    restoredFrom(disks) shouldBe 5
                    hosts.flatMap { disks.door(it).localPaths() }.shouldBeEmpty()
                }
            }
        }

        test(
            "the shared store becomes read-only when a save is sealed: the save stays on its hosts until a later one is committed",
        ) {
            for (seed in 1L..5) {
                val disks = HostDisks()
                val isFirst = FIRST_OF_THE_DRAIN.search()
                var isReadOnly = false
                val doors =
                    disks.watched {
                        isReadOnly = isReadOnly || isFirst(it)
                        if (isReadOnly) it.requireNoChange()
                    }
                val found = mutableListOf<Int>()
                val outcomes =
                    outcomesOf(Known.SMALL, doors, seed, 1L..4) { step ->
                        if (step == 3L) found += hosts.map { disks.door(it).localFiles().size }
                        if (step == 4L) isReadOnly = false
                    }
                withClue("seed $seed: $outcomes") {
                    outcomes.map { it is Saved } shouldBe listOf(true, false, false, true)
                    outcomes[1].reason() shouldContain "The data stay on the disks of their hosts"
                    found shouldBe listOf(1, 1, 1)
                    restoredFrom(disks) shouldBe 4
                }
            }
        }
    })

private val FIRST_OF_THE_DRAIN =
    Point(Kind.CREATE) { it.parent.endsWith(SaveNames.directory(2)) && SaveNames.isPart("${it.fileName}") }

private fun Path.isOf(save: Int, name: String) = endsWith("${SaveNames.directory(save)}/$name")

private val CHANGES =
    setOf(Kind.CREATE, Kind.WRITE, Kind.RESIZE, Kind.RENAME, Kind.DELETE, Kind.MAKE_DIRECTORY, Kind.FORCE)

private fun BlockStore.Operation.requireNoChange() {
    if (kind() in CHANGES &&
        path().startsWith(DIRECTORY)
    ) {
        throw FileSystemException("${path()}", null, "Read-only file system")
    }
}

/** How [known] was saved at each of [steps] in the end, as all ranks were told; [before] a step something happens to the disks. */
private suspend fun outcomesOf(
    known: Known,
    doors: Map<String, BlockStore>,
    seed: Long,
    steps: LongRange,
    before: (Long) -> Unit = {},
): List<SaveOutcome> =
    ranks(plan(4, seed)) {
        saveEach(known, doors.getValue(host), steps) {
            if (rank ==
                0
            ) {
                before(it)
            }
        }
    }.distinct().single()
