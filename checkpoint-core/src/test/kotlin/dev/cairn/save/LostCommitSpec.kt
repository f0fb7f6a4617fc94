package dev.cairn.save

import dev.cairn.Checkpoints
import dev.cairn.checkpoints
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.options.CheckpointOptions
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.Transport
import dev.cairn.ranks.onTransports
import dev.cairn.store.SaveNames
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import java.io.IOException
import java.nio.ByteBuffer
import java.util.concurrent.ConcurrentLinkedQueue
import kotlin.io.path.exists
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes

/** Rank 0 has committed a save, and no message says so to the others: listeners learn of what is in the store. */
class LostCommitSpec :
    FunSpec({
        quietly()
        val ways =
            mapOf<String, suspend Checkpoints.() -> Unit>(
                "a save" to { save(1) },
                "a save in the background" to {
                    saveAsync(1)
                    awaitSaves()
                },
            )

        for ((name, way) in ways) {
            test("$name that is committed, after which no message arrives, is reported as committed") {
                val directory = tempdir().toPath().resolve("lost.cairn")
                val manifest = directory.resolve("000001").resolve(SaveNames.MANIFEST)
                val told = ConcurrentLinkedQueue<SaveOutcome>()
                val options = CheckpointOptions { listener { if (it is SaveOutcome) told += it } }
                val results =
                    onTransports(3, 1.minutes, around = { Line(it, isCut = manifest::exists) }) {
                        runCatching {
                            checkpoints(directory, options) { perRank("own", { rank }, {}) }.use { way(it) }
                        }
                    }
                results.filter { it.isFailure } shouldHaveSize 3
                manifest.exists() shouldBe true
                val saved = told.single { it !is SaveOutcome.UnderWay }.shouldBeInstanceOf<Saved>()
                saved.number shouldBe 1
                // Only a direct save is waited for from its beginning to its commit, neither more nor less.
                (saved.waited == saved.time) shouldBe (name == "a save")
            }
        }
    })

/** The [end] of a line that carries no message any more when it [isCut]. */
private class Line(private val end: Transport, private val isCut: () -> Boolean) : Transport by end {
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
        if (isCut()) throw IOException("the line is cut")
    }

    private companion object {
        val LOOK = 1.milliseconds.inWholeNanoseconds
    }
}
