package dev.cairn.store

import dev.cairn.house.Campaign.CRASHING_PROGRAMS
import dev.cairn.house.Campaign.CRASH_POINTS
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.DiskSettings
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.maps.shouldBeEmpty
import java.nio.file.Path

/** A program ends at any operation, another one takes its store over, and then the power fails, too. */
class TakeoverCrashSpec :
    FunSpec({
        fun campaign(name: String, sceneAfter: (operation: Int) -> Scene?, successor: (Scene) -> Unit) =
            test(name) {
                val histogram = CrashHistogram()
                val ends = generateSequence(1) { it + 1 }.takeWhile { sceneAfter(it) != null }.toList()
                CRASHING_PROGRAMS.someOf(ends).forEach { histogram.crashEverywhere({ sceneAfter(it)!! }, successor) }
                println("TakeoverCrashSpec, $name: $histogram")
                histogram.broken.shouldBeEmpty()
                histogram.states shouldBeGreaterThanOrEqual CRASH_POINTS.limit(60)
            }

        campaign("the owner's host dies, and a program on another host takes over", ::afterDeathOfHost) { scene ->
            scene.host("node1").own("b", "node1")
        }

        campaign("the owner is killed, and a program on the same host takes over", ::afterKill) { scene ->
            scene.host().own("b", takeover = Takeover.IfDead {})
        }

        campaign("the owner is stopped, and a takeover from it is requested", ::afterStop) { scene ->
            scene.host().own("b", takeover = Takeover.Asked)
        }

        campaign("the owner is killed, and the next one keeps the newest alone", ::afterKillInSave) { scene ->
            val store = scene.host()
            store.own("b", takeover = Takeover.IfDead {}).use { owned ->
                keepNewest(owned, store, scene)
                scene.promises.save(owned, store)
                keepNewest(owned, store, scene)
            }
        }
    })

/** One program's life: it saves, deletes what is old, and saves again. */
private fun live(scene: Scene, store: BlockStore) =
    store.own("a").use { owned ->
        repeat(3) {
            scene.promises.save(owned, store)
            scene.promises.keep(2)
            owned.retain(Retention.keepLast(2), wholeData(store)).total()
        }
    }

private fun keepNewest(owned: OwnedStore, store: BlockStore, scene: Scene) {
    scene.promises.keep(1)
    owned.retain(Retention.keepOnlyNewest(), wholeData(store)).total()
}

/** Null if the program ends before [operation]. */
private fun afterDeathOfHost(operation: Int): Scene? {
    val scene = Scene(SimulatedDisk(DiskSettings.DEFAULT.withLockReach(DiskSettings.LockReach.ONE_HOST)).withParent())
    val process = KilledProgram(operation)
    val isKilled = process.isKilledIn { live(scene, process.storeOn(scene.host())) }
    scene.crash("node0")
    return scene.takeIf { isKilled }
}

private fun afterKill(operation: Int): Scene? {
    val scene = Scene()
    val process = KilledProgram(operation)
    return scene.takeIf { process.isKilledIn { live(scene, process.storeOn(scene.host())) } }
}

/** The process keeps its lock, and does not continue. */
private fun afterStop(operation: Int): Scene? {
    val scene = Scene()
    val process = KilledProgram(operation)
    return scene.takeIf { process.isKilledIn { live(scene, process.storeOn(KeptOpenStore(scene.host()))) } }
}

/** The store of a process that is stopped, not killed: its files stay open, and its locks are kept. */
private class KeptOpenStore(private val target: BlockStore) : BlockStore by target {
    override fun open(file: Path, access: Access): BlockFile = KeptOpenFile(target.open(file, access))

    override fun create(file: Path): BlockFile = KeptOpenFile(target.create(file))

    private class KeptOpenFile(file: BlockFile) : BlockFile by file {
        override fun close() = Unit
    }
}

/** Killed in its second save, and nothing but the first one was promised. */
private fun afterKillInSave(operation: Int): Scene? {
    val scene = Scene()
    val store = scene.host()
    store.own("first").use { scene.promises.save(it, store) }
    val process = KilledProgram(operation)
    val files = process.storeOn(store)
    return scene.takeIf { process.isKilledIn { files.own("a").use { scene.promises.save(it, files) } } }
}
