package dev.cairn.save

import dev.cairn.StateBuilder
import dev.cairn.checkpoints
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.options.CheckpointOptions
import dev.cairn.proof.behind.HeldFile
import dev.cairn.proof.behind.WaitingRank
import dev.cairn.proof.behind.dataOf
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.Transport
import dev.cairn.ranks.onTransports
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.BlockStore.Operation.Kind
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.PerRankRule
import dev.cairn.state.StreamCodec
import dev.cairn.store.DIRECTORY
import dev.cairn.store.SaveNames
import dev.cairn.store.withParent
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import java.io.IOException
import java.io.InputStream
import java.io.OutputStream
import java.nio.ByteBuffer
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.TimeUnit.MILLISECONDS
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes

/** Rank 0 completes and commits a save, which takes longer than the other ranks may wait for it. */
class LongCommitSpec :
    FunSpec({
        quietly()
        val steps =
            mapOf(
                "reads the meta data" to HeldFile(dataOf(1), Kind.READ),
                "forces the manifest" to HeldFile(MANIFEST, Kind.FORCE),
                "renames the manifest" to HeldFile(MANIFEST, Kind.RENAME),
            )

        for ((step, gate) in steps) {
            test("while rank 0 $step, the others wait for longer than a call may take") {
                val disk = SimulatedDisk().withParent()
                val waiting = WaitingRank(gate)
                ranks(waiting.plan) {
                    checkpoints(DIRECTORY, files = gate.inFrontOf(disk.host("node0"))) { state(rank) }.use {
                        waiting.during(rank) { it.save(1) }.number shouldBe 1
                    }
                }
            }
        }

        test("if no message arrives any more while rank 0 commits, the save is reported as committed") {
            val disk = SimulatedDisk().withParent()
            val gate = HeldFile(MANIFEST, Kind.RENAME)
            val reported = ConcurrentLinkedQueue<SaveOutcome>()
            val options = CheckpointOptions { listener { if (it is SaveOutcome) reported += it } }
            val results =
                onTransports(3, 1.minutes, around = { CutLine(it, gate) }) {
                    runCatching {
                        checkpoints(
                            DIRECTORY,
                            options,
                            gate.inFrontOf(disk.host(host)),
                        ) { state(rank) }.use { it.save(1) }
                    }
                }
            results.filter { it.isFailure } shouldHaveSize 3
            reported.single().shouldBeInstanceOf<Saved>().number shouldBe 1
        }
    })

private val MANIFEST = DIRECTORY.resolve(SaveNames.directory(1)).resolve(SaveNames.NEW_MANIFEST)

/** The stream lets the first save be read back before its commit. */
private fun StateBuilder.state(rank: Int) {
    perRank("own", { rank }, {})
    stream("log", LINE, { "a line" }, {}, PerRankRule.Drop())
}

private val LINE =
    object : StreamCodec<String> {
        override fun write(target: OutputStream, value: String) = target.write(value.encodeToByteArray())

        override fun read(source: InputStream): String = source.readAllBytes().decodeToString()
    }

/**
 * The [end] of a line that carries no message any more when the file of the [gate] is held. The gate opens some time after rank 0 has
 * noticed it: a rank that did not wait for its commit would meanwhile delete the save.
 */
private class CutLine(private val end: Transport, private val gate: HeldFile) : Transport by end {
    override fun send(target: Int, tag: Int, payload: ByteBuffer) {
        requireWhole()
        end.send(target, tag, payload)
    }

    override fun receive(source: Int, tag: Int, nanos: Long): ByteBuffer? {
        for (waited in 0..nanos step LOOK) {
            requireWhole()
            end.receive(source, tag, minOf(nanos - waited, LOOK))?.let { return it }
        }
        return null
    }

    private fun requireWhole() {
        if (!gate.isVisited) return
        if (end.rank == ROOT) CompletableFuture.delayedExecutor(300, MILLISECONDS).execute(gate::open)
        throw IOException("the line is cut")
    }

    private companion object {
        val LOOK = 1.milliseconds.inWholeNanoseconds
    }
}
