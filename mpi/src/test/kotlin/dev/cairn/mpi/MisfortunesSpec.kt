package dev.cairn.mpi

import dev.cairn.house.Campaign
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeIn
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import java.net.InetAddress
import kotlin.random.Random

/** What mpirun and its user see when something goes wrong. */
class MisfortunesSpec :
    FunSpec({
        val random = Random(Campaign.seed)
        val processes = Campaign.PROCESSES.limit(4)
        val last = processes - 1
        val host = InetAddress.getLocalHost().hostName

        fun endOf(way: MpiWay, misfortune: String): Pair<Int, String> {
            val main = "dev.cairn.mpi.MisfortunesKt"
            val program = way.start(processes, emptyList(), main, misfortune, variables = way.asBetweenHosts)
            val output = program.inputReader().readText()
            return program.waitFor() to output
        }

        failure("a rank that fails alone ends the job with its rank and host", random) { way ->
            val (code, output) = endOf(way, "alone")
            code shouldBeIn way.codesOfAbort
            output shouldContain "rank 1 on $host failed and ends the job, while others continue: " +
                "java.lang.IllegalStateException: there is no mesh"
        }

        failure("a failure that all were told of needs no abort", random) { way ->
            val (code, output) = endOf(way, "together")
            code shouldNotBe 0
            output shouldContain "'read the mesh' was abandoned on all ranks, because rank 1 on $host failed"
            output shouldNotContain "ends the job, while"
            output.lines().count { "Exception in thread" in it } shouldBe 1
        }

        failure("no process exits before the one that prints has done so", random) { way ->
            val (code, output) = endOf(way, "slowly")
            code shouldNotBe 0
            output shouldContain "Caused by: dev.cairn.mpi.LongStory: there is no mesh"
        }

        failure("a rank that stands still past the limit is called by name", random) { way ->
            val (code, output) = endOf(way, "stopped")
            code shouldBeIn way.codesOfAbort
            // On a busy machine others may be late, too, and are named beside it.
            output shouldContain
                Regex("during 'halo exchange': ranks? .* did not arrive \\(the limit of 2s has passed\\)")
            output shouldContain "rank $last on $host: does not answer, last heard of in barrier"
        }

        failure("a rank that never comes is named by all, also by those that wait for another one", random) { way ->
            val (code, output) = endOf(way, "absent")
            code shouldBeIn way.codesOfAbort
            output shouldContain "during 'save 7': rank $last did not arrive (the limit of 2s has passed). "
            output shouldNotContain "ranks "
            output shouldNotContain "rank 0 did not arrive"
        }

        failure("a rank that stands still in the middle of a message is called by name", random) { way ->
            val (code, output) = endOf(way, "halfway")
            code shouldBeIn way.codesOfAbort
            output shouldContain "during 'halo exchange': rank $last did not arrive (the limit of 2s has passed). "
        }
    })
