package dev.cairn.examples

import dev.cairn.house.Campaign
import dev.cairn.house.needs
import dev.cairn.mpi.MpiRun
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.shouldBe

class WaveSpec :
    FunSpec({
        test("a code in Java continues at its last step, on another number of ranks") {
            val directory = tempdir().toPath().resolve("wave.cairn")
            WaveInJava.run(directory, 4, 35) shouldBe List(4) { "rank $it began at step 0" }
            WaveInJava.run(directory, 3, 100) shouldBe List(3) { "rank $it began at step 30" }
            lastDigests(directory) shouldBe
                lastDigests(tempdir().toPath().resolve("wave.cairn").also { WaveInJava.run(it, 1, 100) })
        }

        test(
            "its main runs on every rank, in one process and under mpirun",
        ).config(enabledOrReasonIf = needs { MpiRun.isThere }) {
            val directory = tempdir().toPath().resolve("wave.cairn")
            val count = Campaign.PROCESSES.limit(3)
            WaveInJava.run(directory, count - 1, 35)
            MpiRun.output(count, "dev.cairn.examples.WaveInJava", "$directory").lines() shouldContainAll
                List(count) { "rank $it began at step 30" }
            val alone = tempdir().toPath().resolve("wave.cairn")
            printed { WaveInJava.main(arrayOf("$alone")) }.trim().lines().sorted() shouldBe
                List(4) { "rank $it began at step 0" }
            lastDigests(directory) shouldBe lastDigests(alone)
        }
    })
