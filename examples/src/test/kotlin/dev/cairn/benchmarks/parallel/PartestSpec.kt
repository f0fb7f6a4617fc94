package dev.cairn.benchmarks.parallel

import dev.cairn.house.needs
import dev.cairn.mpi.MpiRun
import dev.cairn.ranks.runRanks
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlin.io.path.Path
import kotlin.io.path.absolute
import kotlin.io.path.createFile
import kotlin.io.path.writeText

/** With what `partest` of SIONlib 1.7.6 really printed, of 4 tasks with 16 MiB each. */
class PartestSpec :
    FunSpec({
        fun printed(name: String) =
            checkNotNull(PartestSpec::class.java.getResource("/partest/$name")) { "no $name" }.readText()

        fun job(processCount: Int) =
            Job(4, processCount, Type.entries, 1, bufferSize = 8, bufferCount = 1, chunkSize = 8, blockSize = 512)

        fun shouldBe(
            times: PhaseTimes,
            create: Double,
            writing: Double,
            close: Double,
            open: Double,
            reading: Double,
        ) {
            times.create shouldBe (create plusOrMinus 1e-9)
            times.writing shouldBe (writing plusOrMinus 1e-9)
            times.close shouldBe (close plusOrMinus 1e-9)
            times.open shouldBe (open plusOrMinus 1e-9)
            times.reading shouldBe (reading plusOrMinus 1e-9)
        }

        test("the times of a multifile in two physical files are those of all tasks, not of one file") {
            val times = partestTimes(printed("multifile.txt"))
            shouldBe(times, create = 0.00072, writing = 0.031113, close = 0.00016, open = 0.00040, reading = 0.010794)
        }

        test("the times of a file per rank have its creation apart") {
            val times = partestTimes(printed("files.txt"))
            shouldBe(times, create = 0.00003, writing = 0.019267, close = 0.00001, open = 0.00002, reading = 0.010398)
        }

        test("an output without times is shown") {
            shouldThrow<IllegalStateException> { partestTimes("cannot open x for writing, aborting ...") }
                .message shouldContain "aborting"
        }

        test(
            "its processes are started, and its times are rank 0's",
        ).config(enabledOrReasonIf = needs { MpiRun.isThere }) {
            val directory = tempdir().toPath()
            val program = directory.resolve("partest")
            program.writeText("#!/bin/sh\ncat ${Path("src/test/resources/partest/multifile.txt").absolute()} >&2\n")
            program.toFile().setExecutable(true)

            val times =
                runRanks(2) {
                    val share = Share(rank, job(processCount = 4), shareInProcess { Payloads(job(processCount = 4)) })
                    Partest(program, Type.MULTIFILE, job(processCount = 4)).run(this, share, directory)
                }

            times.first() shouldBe partestTimes(printed("multifile.txt"))
        }

        test("partest takes part if it is on the path and ranks are processes, and otherwise it is said why not") {
            val directory = tempdir().toPath()
            val program = directory.resolve("partest")
            val said = mutableListOf<String>()

            Partest.lookedFor(job(processCount = 4), said::add, path = "$directory") shouldBe null
            program.createFile().toFile().setExecutable(true)
            Partest.lookedFor(job(processCount = 1), said::add, path = "/nowhere:$directory") shouldBe null
            Partest.lookedFor(job(processCount = 4), said::add, path = "/nowhere:$directory") shouldBe program

            said shouldContainExactly
                listOf(
                    "SIONlib's partest is not on the PATH, so it does not take part.",
                    "SIONlib's partest has processes only, so it takes part with --mpi and not here.",
                )
        }
    })
