package dev.cairn.examples.guide

import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Fault
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.attemptRanks
import dev.cairn.ranks.bytesOf
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.nio.file.Path

class HostDisksSpec :
    FunSpec({
        // region host-disks
        test("a host that dies takes what it has not forced to disk with it") {
            val disks = listOf("node0", "node1").associateWith { SimulatedDisk() }
            val plan =
                RankPlan(
                    count = 2,
                    schedule = Schedule.Deterministic(seed = 5),
                    hosts = { rank -> "node$rank" },
                    faults = listOf(Fault.HostDies("node1", operation = 2)),
                    onHostDeath = { host -> disks.getValue(host).crashHost(host) },
                )

            attemptRanks(plan) {
                val store = disks.getValue(host).host(host)
                store.write("first.log").use { it.force() }
                store.forceDirectory(Path.of(""))
                store.write("second.log").close()
                barrier()
                barrier()
            }

            disks.mapValues { (host, disk) -> disk.host(host).list(Path.of("")).map { "$it" } } shouldBe
                mapOf("node0" to listOf("first.log", "second.log"), "node1" to listOf("first.log"))
        }
        // endregion
    })

private fun BlockStore.write(name: String): BlockFile = create(Path.of(name)).apply { write(0, bytesOf("a line")) }
