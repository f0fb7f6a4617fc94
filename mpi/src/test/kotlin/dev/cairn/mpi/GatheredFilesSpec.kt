package dev.cairn.mpi

import dev.cairn.event.CheckpointException
import dev.cairn.house.Campaign
import dev.cairn.proof.failure.Gathered
import dev.cairn.proof.failure.WRITERS
import dev.cairn.proof.failure.withSmallDisk
import dev.cairn.ranks.RunFailedException
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.FileBlockStore
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.coroutines.delay
import java.nio.file.Path
import kotlin.io.path.createDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.random.Random
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.TimeSource

/** What processes write through concentrators when a disk is full or a concentrator is killed. */
class GatheredFilesSpec :
    FunSpec({
        val random = Random(Campaign.seed)

        for (gathered in Gathered.entries) {
            failure(
                "disk full at a concentrator: every process is told, and $gathered of before stays",
                random,
            ) { way ->
                withSmallDisk(tempdir().toPath(), mebibytes = 4) { disk ->
                    val output = way.output(WRITERS, PROGRAM, gathered.name, "full", "$disk")
                    val refusals = output.lines().filter { it.startsWith("rank ") && "no space is left" in it }
                    withClue(output) { refusals shouldHaveSize WRITERS }
                    refusals.map { it.substringAfter(": ") }.distinct() shouldHaveSize 1
                    gathered.stepIn(disk) shouldBe 1
                    disk.listDirectoryEntries("*.part").shouldBeEmpty()
                }
            }

            failure(
                "concentrator dies: the job ends, $gathered of before stays, and another job writes the next one",
                random,
            ) { way ->
                val directory = tempdir().toPath().resolve(gathered.name).createDirectory()
                val job = way.start(WRITERS, PROGRAM, gathered.name, "death", "$directory")
                val output = job.inputReader().readText()
                withClue(output) { way.codesOfKilledReceiver shouldContain job.waitFor() }
                output shouldContain Regex("signal 9 \\(Killed\\)|Killed \\(signal 9\\)|No such process")
                afterTheDead { gathered.stepIn(directory) } shouldBe 1

                ranks(WRITERS) { gathered.write(this, FileBlockStore(), directory, 3) }
                gathered.stepIn(directory) shouldBe 3
                directory.listDirectoryEntries("*.part").shouldBeEmpty()
            }
        }
    })

/** A launcher may end some milliseconds before the processes that it has killed, which own their store until then. */
private suspend fun <T> afterTheDead(work: suspend () -> T): T {
    val end = TimeSource.Monotonic.markNow() + 1.minutes
    while (true) {
        try {
            return work()
        } catch (failure: RunFailedException) {
            if (failure.cause !is CheckpointException.InUse || end.hasPassedNow()) throw failure
            delay(20.milliseconds)
        }
    }
}

private const val PROGRAM = "dev.cairn.mpi.GatheredFilesKt"

private suspend fun Gathered.stepIn(directory: Path): Long? =
    ranks(3) { read(this, FileBlockStore(), directory) }.distinct().single()
