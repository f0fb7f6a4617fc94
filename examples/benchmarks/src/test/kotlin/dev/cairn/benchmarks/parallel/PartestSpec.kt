package dev.cairn.benchmarks.parallel

import dev.cairn.house.needs
import dev.cairn.mpi.MpiRun
import dev.cairn.ranks.runRanks
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlin.io.path.Path
import kotlin.io.path.absolute
import kotlin.io.path.writeText

/** With what `partest` of SIONlib 1.7.6 really printed, of 4 tasks with 16 MiB each. */
class PartestSpec :
    FunSpec({
        fun printed(name: String) =
            checkNotNull(PartestSpec::class.java.getResource("/partest/$name")) { "no $name" }.readText()

        test("the times of a multifile in two physical files are those of all tasks, not of one file") {
            partestTimes(printed("multifile.txt")) shouldBe RunTimes(writing = 0.031113, reading = 0.010794)
        }

        test("the times of a file per rank are those of all tasks, too") {
            partestTimes(printed("files.txt")) shouldBe RunTimes(writing = 0.019267, reading = 0.010398)
        }

        test("an output without times is shown") {
            shouldThrow<IllegalStateException> { partestTimes("cannot open x for writing, aborting ...") }
                .message shouldContain "aborting"
        }

        test("its processes are started, and its times are rank 0's").config(
            enabledOrReasonIf = needs { MpiRun.isThere },
        ) {
            val directory = tempdir().toPath()
            val program = directory.resolve("partest")
            program.writeText("#!/bin/sh\ncat ${Path("src/test/resources/partest/multifile.txt").absolute()} >&2\n")
            program.toFile().setExecutable(true)
            val job = Job.of(rankCount = 4, fileCount = 1, bytesPerRank = 8)

            val times =
                runRanks(2) { Partest(program, PartestFiles.MULTIFILE, job).run(this, Share(rank, job), directory) }

            times.first() shouldBe partestTimes(printed("multifile.txt"))
        }

        test("without a launcher partest does not take part, and the reason is printed") {
            var said = ""
            partest { said = it } shouldBe null
            said shouldBe "SIONlib's partest has processes only, so it takes part with --mpi and not here."
        }
    })
