package dev.cairn.mpi

import dev.cairn.multifile.parallelFixtures
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.inspectors.forAll
import io.kotest.matchers.shouldBe
import kotlin.io.path.createDirectory
import kotlin.io.path.readBytes

/** What the C library wrote under MPI, written under MPI: a process for each task. */
class MpiFixtureSpec :
    FunSpec({
        val directory = tempdir().toPath()

        for (fixture in parallelFixtures) {
            val count = fixture.tasks.size
            val isSmall = count <= MOST_PROCESSES
            test("${fixture.name} is written by $count processes as the C library wrote it")
                .config(enabled = MpiRun.isThere && isSmall) {
                    val target = directory.resolve(fixture.name).createDirectory()
                    MpiRun.output(count, "dev.cairn.multifile.FixtureRanksKt", fixture.name, "$target")
                    fixture.physicalFiles.entries.forAll { (name, original) ->
                        target.resolve(name).readBytes() shouldBe original.readBytes()
                    }
                }
            if (!isSmall) {
                println(
                    "${fixture.name} is left to simulated ranks: it takes more than $MOST_PROCESSES processes",
                )
            }
        }
    })

/** More would take longer to start than all others together. */
private const val MOST_PROCESSES = 16
