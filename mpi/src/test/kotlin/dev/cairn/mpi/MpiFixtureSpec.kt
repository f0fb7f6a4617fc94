package dev.cairn.mpi

import dev.cairn.house.Campaign.PROCESSES
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

        for ((count, fixtures) in parallelFixtures.groupBy { it.tasks.size }) {
            val names = fixtures.map { it.name }
            val isSmall = count <= PROCESSES.count
            test("$count processes write $names as the C library wrote them")
                .config(enabled = MpiRun.isThere && isSmall) {
                    names.forEach { directory.resolve(it).createDirectory() }
                    MpiRun.output(count, "dev.cairn.multifile.FixtureRanksKt", "$directory", *names.toTypedArray())
                    fixtures.forAll { fixture ->
                        fixture.physicalFiles.entries.forAll { (name, original) ->
                            directory.resolve(fixture.name).resolve(name).readBytes() shouldBe original.readBytes()
                        }
                    }
                }
            if (!isSmall) {
                println(
                    "$names are left to simulated ranks: they take more than ${PROCESSES.count} processes",
                )
            }
        }
    })
