package dev.cairn.mpi

import dev.cairn.house.Campaign.PROCESSES
import dev.cairn.house.Need
import dev.cairn.house.and
import dev.cairn.house.needs
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

        // More processes than the largest campaign has are left to simulated ranks.
        for ((count, fixtures) in parallelFixtures.groupBy { it.tasks.size }.filterKeys { it <= PROCESSES.full }) {
            val names = fixtures.map { it.name }
            test("$count processes write $names as the C library wrote them")
                .config(
                    enabledOrReasonIf = needs { Need.CAMPAIGN.given(count <= PROCESSES.count) and MpiRun.isThere },
                ) {
                    names.forEach { directory.resolve(it).createDirectory() }
                    MpiRun.output(count, "dev.cairn.multifile.FixtureRanksKt", "$directory", *names.toTypedArray())
                    fixtures.forAll { fixture ->
                        fixture.physicalFiles.entries.forAll { (name, original) ->
                            directory.resolve(fixture.name).resolve(name).readBytes() shouldBe original.readBytes()
                        }
                    }
                }
        }
    })
