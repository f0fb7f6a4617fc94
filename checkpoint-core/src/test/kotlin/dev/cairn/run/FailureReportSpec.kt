package dev.cairn.run

import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.ExitCode
import dev.cairn.event.RankFailedException
import dev.cairn.event.typed
import dev.cairn.ranks.Launch
import dev.cairn.ranks.RunFailedException
import dev.cairn.ranks.collectively
import dev.cairn.ranks.decodeFailures
import dev.cairn.ranks.encode
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.DiskException
import dev.cairn.sion.store.simulated.DiskSettings
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.writeNew
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldMatch
import java.nio.file.Path

/** What users read of a failure: once, and from one process. The whole text, in each way to run, is in the examples' specs. */
class FailureReportSpec :
    FunSpec({
        fun textOf(failure: Throwable, launch: Launch? = null) = FailureReport.text(failure, launch)

        val frames = "(\\s+at \\S.*)+"

        test("a rank that throws alone is named, with where it was and no report of the others") {
            val failure =
                shouldThrow<RunFailedException> {
                    ranks(4) {
                        check(rank != 2) { "there is no mesh" }
                        barrier()
                    }
                }
            textOf(failure) shouldMatch
                Regex("rank 2 of 4 failed: java.lang.IllegalStateException: there is no mesh$frames")
        }

        test("a process that throws alone says which rank it is") {
            textOf(IllegalStateException("there is no mesh"), Launch("mpirun", 1, 3)) shouldMatch
                Regex("rank 1 of 3 failed: java.lang.IllegalStateException: there is no mesh$frames")
        }

        test("what was done together is named, and all ranks that failed") {
            val failure =
                shouldThrow<RunFailedException> {
                    ranks(4) { collectively("read the mesh") { check(rank == 0) { "there is no mesh" } } }
                }
            textOf(failure) shouldMatch
                Regex(
                    "'read the mesh' was abandoned on all ranks, because rank 1 on host0 failed: " +
                        "java.lang.IllegalStateException: there is no mesh; ranks 2-3 failed too$frames",
                )
        }

        test("what Cairn refuses is its sentence alone") {
            val flaw = CheckpointException.InvalidDeclaration(Details("the box is missing"))
            val told = RankFailedException("compare", listOf(RankFailedException.Failure(1, "node0", flaw)))
            textOf(told.typed()) shouldBe "the box is missing"
            textOf(told) shouldBe "the box is missing"
        }

        test("a full disk is one sentence, and has the code of a save that failed, in all processes") {
            val full = SimulatedDisk(DiskSettings.DEFAULT.withCapacity(0)).host("node0")
            val flaw = shouldThrow<DiskException> { full.writeNew(Path.of("lock"), ByteArray(3)) }
            val told = decodeFailures(encode(RankFailedException.Failure(0, "node0", flaw)), own = null)
            val causes = listOf(flaw, told.single().cause)
            causes.forEach {
                val failure = RankFailedException("own the store", listOf(RankFailedException.Failure(0, "node0", it)))
                FailureReport.codeOf(failure) shouldBe ExitCode.UNSAVED
                textOf(failure) shouldBe it.message
            }
            flaw.message shouldBe
                "lock: no space is left for 3 more bytes. The file system reports 0 bytes free; a quota may allow " +
                "less. Free some space there, or write elsewhere."
        }

        test("of several processes that of the lowest rank that failed tells it") {
            fun toldOn(rank: Int) =
                RankFailedException(
                    "read",
                    listOf(1, 2).map {
                        RankFailedException.Failure(it, "node0", IllegalStateException(), isHere = it == rank)
                    },
                )

            fun tellers(failureOn: (rank: Int) -> Throwable) =
                (0..3).filter { FailureReport.isPrintedHere(failureOn(it), Launch("mpirun", it, 4)) }

            tellers(::toldOn) shouldBe listOf(1)
            tellers { IllegalStateException() } shouldBe listOf(0, 1, 2, 3)
            FailureReport.isPrintedHere(toldOn(0), launch = null) shouldBe true
        }
    })
