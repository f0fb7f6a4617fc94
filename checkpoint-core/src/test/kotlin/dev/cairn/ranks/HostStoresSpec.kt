package dev.cairn.ranks

import dev.cairn.ranks.RankPlan.Fault
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.nio.file.Path

/** Simulated hosts have disks of their own, and a host's death takes with it what was not forced. */
class HostStoresSpec :
    FunSpec({
        test("a host that dies loses what it has not forced, the others keep theirs") {
            val disks = listOf("node0", "node1").associateWith { SimulatedDisk() }
            val plan =
                RankPlan(
                    count = 4,
                    schedule = Schedule.Deterministic(5),
                    hosts = { "node${it / 2}" },
                    faults = listOf(Fault.HostDies("node1", operation = 2)),
                    onHostDeath = { disks.getValue(it).crashHost(it) },
                )
            attemptRanks(plan) {
                disks.getValue(host).writeLog(host, "$rank.log", forced = rank % 2 == 0)
                barrier()
                barrier()
            }
            disks.mapValues { (host, disk) -> (0..3).filter { disk.host(host).exists(Path.of("$it.log")) } } shouldBe
                mapOf("node0" to listOf(0, 1), "node1" to listOf(2))
        }
    })

private fun SimulatedDisk.writeLog(host: String, name: String, forced: Boolean) {
    val store = host(host)
    store.create(Path.of(name)).use { file ->
        file.write(0, bytesOf(name))
        if (forced) file.force()
    }
    if (forced) store.forceDirectory(Path.of(""))
}
