package dev.cairn

import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.event.CheckpointException.NotSaved
import dev.cairn.event.ExitCode
import dev.cairn.java.BlockingSoloCheckpoints
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.Wait
import dev.cairn.proof.log.quietly
import dev.cairn.run.FailureReport
import dev.cairn.state.Codecs
import io.kotest.assertions.nondeterministic.eventually
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import sun.misc.Signal
import java.io.ByteArrayOutputStream
import java.io.IOException
import java.io.PrintStream
import java.nio.file.Path
import kotlin.time.Duration.Companion.minutes

/** What a program of one process learns of its end, and what does not end a save. */
class SoloEndsSpec :
    FunSpec({
        quietly()
        val directory = tempdir().toPath()

        test("an exit code is known after close, and only of a loop that has come to its end") {
            val open = counting(directory.resolve("open.cairn"))
            open.saveIfDue(1, until = 2) shouldBe true
            shouldThrow<IllegalStateException> { open.exitCode }.message shouldContain "is known after close()"
            open.saveIfDue(2, until = 2) shouldBe false
            open.close() shouldBe ExitCode.FINISHED
            open.exitCode shouldBe ExitCode.FINISHED
        }

        test("a loop that an exception has ended is not finished") {
            for (until in listOf(9L, Long.MAX_VALUE)) {
                val thrown = counting(directory.resolve("thrown-$until"))
                shouldThrow<IllegalArgumentException> {
                    thrown.use {
                        it.saveIfDue(3, until)
                        throw IllegalArgumentException("no more fuel")
                    }
                }.message shouldBe "no more fuel"
                shouldThrow<IllegalStateException> { thrown.exitCode }.message shouldContain
                    "the program has thrown an exception, which decides its exit code"
            }
            val closed = blocking(directory.resolve("closed"))
            closed.use { it.saveIfDue(3, 9) }
            shouldThrow<IllegalStateException> { closed.exitCode() }.message shouldContain
                "the loop was left after step 3, and its end is step 9"
            val endless = blocking(directory.resolve("endless"))
            shouldThrow<IOException> {
                endless.use {
                    it.saveIfDue(3)
                    throw IOException("no more fuel")
                }
            }
            shouldThrow<IllegalStateException> { endless.exitCode() }.message shouldContain
                "the loop was left after step 3, and has not said where it ends, so the exit code is not known"
            val ended = blocking(directory.resolve("ended"))
            ended.use {
                it.saveIfDue(3)
                it.saveIfDue(4, 4)
            }
            ended.exitCode() shouldBe ExitCode.FINISHED
        }

        test("a save that the disk has refused names the save, in both languages") {
            val refusals =
                listOf(
                    shouldThrow<NotSaved> {
                        SoloCheckpoints
                            .open(directory.resolve("full.cairn"), files = FullDisk()) { value("n", { 1L }, {}) }
                            .use { it.save(5) }
                    },
                    shouldThrow<NotSaved> {
                        BlockingSoloCheckpoints
                            .open(directory.resolve("blocking.cairn"), CheckpointOptions(), FullDisk()) {
                                it.value("n", { 1L }, {})
                            }.use { it.save(5) }
                    },
                )
            for (refusal in refusals) {
                refusal.message shouldContain "save 1 at step 5 failed: "
                refusal.message shouldContain "no space is left"
                FailureReport.codeOf(refusal) shouldBe ExitCode.UNSAVED
            }
        }

        for (wait in listOf(Wait.COMMITTED, Wait.COPIED)) {
            test("$wait: an interrupt before or in a save does not end it, and stays with the thread") {
                val store = directory.resolve("interrupted-$wait.cairn")
                var interrupts = false
                val options = CheckpointOptions { every = 1 }.toBuilder().wait(wait).build()
                val checkpoints =
                    BlockingSoloCheckpoints.open(store, options) {
                        it.value(
                            "n",
                            Codecs.LONG,
                            { 1L.also { if (interrupts) Thread.currentThread().interrupt() } },
                            {},
                        )
                    }
                try {
                    Thread.currentThread().interrupt()
                    checkpoints.saveIfDue(1) shouldBe true
                    Thread.interrupted() shouldBe true
                    interrupts = true
                    checkpoints.saveIfDue(2, until = 2) shouldBe false
                    Thread.currentThread().isInterrupted shouldBe true
                    checkpoints.close()
                    checkpoints.exitCode() shouldBe ExitCode.FINISHED
                } finally {
                    Thread.interrupted() shouldBe true
                }
                blocking(store).use { it.restore() shouldBe 2 }
            }
        }

        test("a signal after the loop promises no further save, and ends nothing") {
            val err = System.err
            val said = ByteArrayOutputStream()
            counting(directory.resolve("after.cairn")).use {
                it.saveIfDue(1, until = 1) shouldBe false
                System.setErr(PrintStream(said, true))
                try {
                    Signal.raise(Signal("TERM"))
                    eventually(1.minutes) { "$said" shouldContain "asked to end (TERM): " }
                } finally {
                    System.setErr(err)
                }
            }
            "$said" shouldContain "its loop is over, and it goes on to its own end."
        }

        test("no step and no end is negative") {
            counting(directory.resolve("negative.cairn")).use {
                for ((step, until) in listOf(-1L to 4L, 0L to -1L)) {
                    shouldThrow<InvalidDeclaration> { it.saveIfDue(step, until) }.message shouldContain
                        "0 steps or more"
                }
            }
        }

        test("a null within a value is named by its place, and not the cast that has failed") {
            val none = arrayOf<String?>(null)[0]

            @Suppress("UNCHECKED_CAST") // As a program in Java does.
            val names = listOf("a", none) as List<String>

            @Suppress("UNCHECKED_CAST")
            val rows = arrayOf(doubleArrayOf(1.0), null) as Array<DoubleArray>

            @Suppress("UNCHECKED_CAST")
            val keys = mapOf(none to listOf("a")) as Map<String, List<String>>
            val lists = mapOf("one" to listOf("b"), "two" to names)
            val texts = Codecs.listOf(Codecs.of(String::class.java))
            val listsByName = Codecs.mapOf(Codecs.of(String::class.java), texts)
            val isNull = "is null, which its codec 'cbor' cannot write"
            for ((place, declare) in mapOf<String, SoloState.() -> Unit>(
                "'v[1]' $isNull" to { value("v", texts, { names }, {}) },
                "'v[1]' $isNull." to { value("v", Codecs.of(Array<DoubleArray>::class.java), { rows }, {}) },
                "'v[null]' $isNull" to { value("v", listsByName, { keys }, {}) },
                "'v[two][1]' $isNull" to { value("v", listsByName, { lists }, {}) },
                "in 'v[1]', the component 'name' of a ${Listed::class.java.name} is null: let it be an Optional" to
                    {
                        value(
                            "v",
                            Codecs.listOf(Listed::class.java),
                            { listOf(Listed("a", listOf()), Listed(none, listOf())) },
                            {},
                        )
                    },
                "'v[0].names[1]' $isNull" to
                    { value("v", Codecs.listOf(Listed::class.java), { listOf(Listed("a", names)) }, {}) },
            )) {
                SoloCheckpoints.open(directory.resolve("null"), declare = declare).use {
                    shouldThrow<CheckpointException> { it.save(1) }.message shouldContain "'v' cannot be stored: $place"
                }
            }
        }
    })

@JvmRecord
private data class Listed(val name: String?, val names: List<String>)

private fun blocking(store: Path) = BlockingSoloCheckpoints.open(store) { it.value("n", Codecs.LONG, { 1L }, {}) }
