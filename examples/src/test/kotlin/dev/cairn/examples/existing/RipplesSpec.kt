package dev.cairn.examples.existing

import dev.cairn.examples.mpi.newestSave
import dev.cairn.examples.mpi.newestStep
import dev.cairn.examples.mpi.output
import dev.cairn.house.Campaign.PROCESSES
import dev.cairn.house.needs
import dev.cairn.mpi.MpiRun
import dev.cairn.mpi.MpiWay.BINDINGS
import io.kotest.assertions.nondeterministic.eventually
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import kotlin.time.Duration.Companion.minutes

private const val BEFORE = "dev.cairn.examples.existing.Ripples"
private const val AFTER = "dev.cairn.examples.existing.RipplesWithRestart"
private const val SIGKILLED = 137

/** A code on MPI of its own, before Cairn and after. */
class RipplesSpec :
    FunSpec({
        fun Process.sums() = output().lines().single { it.startsWith("step ") }

        test("killed twice, on up to three numbers of processes, it prints what the code without Cairn prints")
            .config(enabledOrReasonIf = needs { BINDINGS.isUsed }) {
                val store = tempdir().toPath().resolve("ripples.cairn")
                for ((processes, victim) in listOf(PROCESSES.limit(3) to 1, PROCESSES.limit(4) to 0)) {
                    val before = newestSave(store)
                    val program = BINDINGS.start(processes, AFTER, "${Long.MAX_VALUE}", "$store")
                    eventually(1.minutes) { newestSave(store) shouldBeGreaterThan before + 2 }
                    MpiRun.processOf(victim, program).destroyForcibly()
                    program.output(SIGKILLED)
                }
                val until = newestStep(store) + 25
                val sums = BINDINGS.start(2, AFTER, "$until", "$store").sums()
                sums shouldBe BINDINGS.start(1, BEFORE, "$until").sums()
            }

        test("the page shows what changed, which is a handful of lines") {
            val folder = Path.of("src/main/java/dev/cairn/examples/existing")
            val diff = diff(linesOf(folder, "Ripples"), linesOf(folder, "RipplesWithRestart"))
            diff.count { it.startsWith("+") } shouldBeLessThanOrEqual 45
            diffsIn(Path.of("../docs/start/existing-code.md")).single() shouldBe diff.joinToString("\n")
        }
    })
