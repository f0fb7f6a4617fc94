package dev.cairn.examples.mpi

import dev.cairn.examples.lastDigests
import dev.cairn.house.Campaign
import dev.cairn.house.Need
import dev.cairn.house.and
import dev.cairn.house.needs
import dev.cairn.mpi.MpiRun
import dev.cairn.multifile.writeMultifile
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.everyRank
import dev.cairn.sion.FileMapping
import dev.cairn.sion.MultifileSpec
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.ByteBuffer
import java.nio.file.Path
import kotlin.io.path.createDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readBytes

/** One program and its checkpoints: alone, as coroutine ranks, and under mpirun. */
class ThreeWaysSpec :
    FunSpec({
        val directory = tempdir().toPath()
        val unbroken by lazy {
            val store = directory.resolve("unbroken.cairn")
            Way.ALONE.walk(store, until = 12).output()
            lastDigests(store)
        }

        /** What each way has saved, of which the others take a copy. */
        val begun =
            Way.entries.associateWith { way ->
                lazy { directory.resolve("$way.cairn").also { way.walk(it, until = 5).output() } }
            }

        val pairs = Way.entries.flatMap { first -> (Way.entries - first).map { first to it } }
        val chosen = Campaign.PROGRAMS.someOf(pairs)

        for (pair in pairs) {
            val (first, second) = pair
            test(
                "what $first saves, $second brings back",
            ).config(enabledOrReasonIf = needs { Need.CAMPAIGN.given(pair in chosen) and MpiRun.isThere }) {
                val store = directory.resolve("$first-$second.cairn")
                begun
                    .getValue(first)
                    .value
                    .toFile()
                    .copyRecursively(store.toFile())
                second.walk(store, until = 12).output() shouldContain "step 5"
                lastDigests(store) shouldBe unbroken
            }
        }

        for (program in listOf(PARTICLES, HEAT_IN_JAVA)) {
            test("$program goes from one process to coroutine ranks, and on under mpirun").config(
                enabledOrReasonIf = needs { MpiRun.isThere },
            ) {
                val store = directory.resolve("$program.cairn")
                Way.ALONE.walk(store, until = 10, program = program).output()
                Way.COROUTINES.walk(store, until = 20, program = program).output() shouldContain "step 10"
                Way.MPI.walk(store, until = 30, program = program).output() shouldContain "step 20"
                val unbroken = directory.resolve("unbroken-$program.cairn")
                Way.ALONE.walk(unbroken, until = 30, program = program).output()
                lastDigests(store) shouldBe lastDigests(unbroken)
            }
        }

        test(
            "a multifile of processes has the bytes of one of coroutine ranks",
        ).config(enabledOrReasonIf = needs { MpiRun.isThere }) {
            val ofProcesses = directory.resolve("processes").createDirectory()
            val ofCoroutines = directory.resolve("coroutines").createDirectory()
            MpiRun.output(PROCESSES, "dev.cairn.examples.mpi.ThreeWaysSpecKt", "$ofProcesses")
            everyRank(PROCESSES) { writeTasks(ofCoroutines) }
            val files = ofCoroutines.listDirectoryEntries().map { it.name }.sorted()
            files shouldHaveSize 2
            ofProcesses.listDirectoryEntries().map { it.name }.sorted() shouldBe files
            files.forEach { ofProcesses.resolve(it).readBytes() shouldBe ofCoroutines.resolve(it).readBytes() }
        }
    })

internal suspend fun main(args: Array<String>) {
    everyRank(PROCESSES) { writeTasks(Path.of(args.single())) }
}

/** Two files, each with half of the tasks, which need more than one chunk. */
private suspend fun Communicator.writeTasks(directory: Path) {
    val spec = MultifileSpec.parallel(directory.resolve("tasks.sion")).withMapping(FileMapping.contiguous(2))
    writeMultifile(spec, chunkSize = 5000L + rank) { chunks ->
        chunks.append(ByteBuffer.wrap(ByteArray(20_000 + 7 * rank) { (it * 13 + rank).toByte() }))
    }
}
