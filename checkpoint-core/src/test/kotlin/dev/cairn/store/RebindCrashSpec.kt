package dev.cairn.store

import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.SimulatedCrashException
import dev.cairn.sion.store.SimulatedDisk
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeIn
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe

/** The power fails at every operation of binding a checkpoint anew to other files. */
class RebindCrashSpec :
    FunSpec({
        test("a crash leaves the checkpoint whole, bound to the files of before or to those of now") {
            var crashPoint = 0
            val found = sortedMapOf<String, Int>()
            do {
                crashPoint++
                val disk = SimulatedDisk().withParent()
                disk.host("node0").own("a").use { owned -> repeat(2) { owned.save(disk.host("node0")) } }
                disk.crashAt(disk.operationCount() + crashPoint)
                val run = runCatching { rebind(disk.host("node0")) }
                run.onFailure { if (it !is SimulatedCrashException) throw it }
                for (outcome in disk.crashOutcomes()) {
                    val fileCount = fileCountAfter(disk.afterCrash(outcome).host("node0"))
                    fileCount shouldBeIn if (run.isSuccess) listOf(NOW) else listOf(BEFORE, NOW)
                    found.merge(if (fileCount == NOW) "now" else "before", 1, Int::plus)
                }
            } while (run.isFailure)
            println("RebindCrashSpec: $crashPoint crash points, ${found.values.sum()} states, found: $found")
            found.values.min() shouldBeGreaterThan 0
            found.size shouldBe 2
        }
    })

private fun rebind(store: BlockStore) =
    store.own("b").use { owned ->
        val newest =
            owned.store
                .survey()
                .saves
                .first()
        val candidate = owned.store.read(newest)
        owned.rebind(candidate, candidate.manifest.hints.copy(fileCount = NOW))
    }

/** The newest checkpoint is the one that it was, and all of it is there. */
private fun fileCountAfter(store: BlockStore): Int {
    found(store) shouldBe 2
    val checkpoints = store.checkpoints()
    return checkpoints
        .read(checkpoints.survey().saves.first())
        .manifest.hints.fileCount
}

private const val BEFORE = 2
private const val NOW = 1
