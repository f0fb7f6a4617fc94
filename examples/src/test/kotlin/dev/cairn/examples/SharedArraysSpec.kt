package dev.cairn.examples

import dev.cairn.examples.mpi.PROCESSES
import dev.cairn.examples.parts.SharedArraysInJava
import dev.cairn.house.needs
import dev.cairn.java.BlockingRanks
import dev.cairn.mpi.MpiRun
import dev.cairn.ranks.everyRank
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readBytes
import kotlin.io.path.writeBytes

class SharedArraysSpec :
    FunSpec({
        val directory = tempdir().toPath()
        val file = directory.resolve("weather.arrays")

        for (writers in listOf(1, 4, 6)) {
            test("what $writers ranks write, others read, and the bytes are those of any number of ranks") {
                everyRank(writers) { writeWeather(file) }
                for (readers in listOf(1, 3, 5)) everyRank(readers) { readWeather(file) }
                val alone = directory.resolve("alone.arrays")
                everyRank(1) { writeWeather(alone) }
                file.readBytes().contentEquals(alone.readBytes()) shouldBe true
                directory.listDirectoryEntries("*.part") shouldBe emptyList()
            }
        }

        test("a bit that has changed is noticed") {
            everyRank(2) { writeWeather(file) }
            file.writeBytes(file.readBytes().also { it[100_000] = (it[100_000].toInt() xor 1).toByte() })
            shouldThrow<Exception> { everyRank(2) { readWeather(file) } }.message shouldContain "is damaged"
        }

        for (count in listOf(100L, 2L)) {
            test("three ranks write $count counters in Java") {
                BlockingRanks.run(3) { ranks ->
                    SharedArraysInJava.writeCounters(ranks, directory.resolve("counters.arrays"), count) shouldBe
                        count - 1
                }
            }
        }

        test(
            "processes under mpirun read what coroutines write, and the reverse",
        ).config(enabledOrReasonIf = needs { MpiRun.isThere }) {
            fun underMpi(job: String) =
                MpiRun.output(PROCESSES, "dev.cairn.examples.SharedArraysKt", job, "$file", "1").lines().filter {
                    file.toString() in
                        it
                }
            everyRank(3) { writeWeather(file) }
            underMpi("read") shouldContainExactly listOf("$PROCESSES ranks read and checked $file")
            underMpi("write") shouldContainExactly listOf("$PROCESSES ranks wrote $file")
            everyRank(3) { readWeather(file) }
        }

        test("the program says what it did") {
            runWeather(WeatherJob.WRITE, file, 4) shouldContainExactly listOf("4 ranks wrote $file")
            runWeather(WeatherJob.READ, file, 3) shouldContainExactly listOf("3 ranks read and checked $file")
        }
    })
