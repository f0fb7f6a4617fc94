package dev.cairn.benchmarks.parallel

import dev.cairn.benchmarks.Benchmarks
import dev.cairn.benchmarks.TINY
import dev.cairn.benchmarks.payload.Payload
import dev.cairn.benchmarks.report.Comparison
import dev.cairn.benchmarks.report.Quartiles
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.ByteBuffer

class ParallelSpec :
    FunSpec({
        test("ranks have whole buffers, and no more files than ranks") {
            val job = Job.of(rankCount = 3, fileCount = 5, bytesPerRank = (5L shl 20) + 1)

            "$job" shouldBe "15 MiB on 3 ranks"
            job.bufferCount shouldBe 5
            job.fileCount shouldBe 3
            Job.of(rankCount = 1, fileCount = 1, bytesPerRank = 9).bufferSize shouldBe 9
        }

        test("what another rank has written is not taken for a rank's own") {
            val job = Job.of(rankCount = 2, fileCount = 1, bytesPerRank = 16)
            val bytes = ByteBuffer.allocate(job.bufferSize)
            Share(0, job).writeAll { bytes.put(it).flip() }

            Share(0, job).readAll(Payload::requirePiece) { it.put(bytes.rewind()) }
            shouldThrow<IllegalStateException> {
                Share(1, job).readAll(Payload::requireNumber) { it.put(bytes.rewind()) }
            }.message shouldContain "piece 1 was expected, but piece 0 was read"
        }

        test("parameters that make no sense are refused") {
            val directory = tempdir().toPath()

            fun execute(vararg arguments: String) =
                Benchmarks.commandLine(TINY).execute("--dir", "$directory", "parallel", *arguments)

            execute("--files", "0") shouldBe 2
            execute("--local", "7") shouldBe 2
            execute("--local", "1X") shouldBe 2
        }

        test("the first one of the contestants is compared with each other one") {
            val job = Job.of(rankCount = 2, fileCount = 1, bytesPerRank = 1024)
            val rounds = listOf(listOf(RunTimes(4.0, 2.0), RunTimes(2.0, 1.0)))

            val results = standings(job, contestants(job, partest = null), rounds)

            results.map { it.name } shouldContainExactly
                listOf("write", "read").map { "$it 2 KiB on 2 ranks: Cairn, against a file per rank" }
            results.map { (it as Comparison).ratio } shouldContainExactly List(2) { Quartiles(0.5, 0.5, 0.5) }
        }
    })
