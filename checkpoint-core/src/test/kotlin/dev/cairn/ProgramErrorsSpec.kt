package dev.cairn

import dev.cairn.concentrate.Concentrators
import dev.cairn.concentrate.dedicate
import dev.cairn.event.CheckpointException.Mismatch
import dev.cairn.event.CheckpointException.NotSaved
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.ExitCode
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.event.shouldThrowFor
import dev.cairn.grid.Shape
import dev.cairn.java.BlockingSimulation
import dev.cairn.options.SimulationOptions
import dev.cairn.options.Wait
import dev.cairn.proof.log.printedBy
import dev.cairn.ranks.ranks
import dev.cairn.run.FailureReport
import dev.cairn.sion.failure.SionException
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.Codecs
import dev.cairn.state.ElementType
import dev.cairn.state.PerRankRule
import dev.cairn.state.StreamRule
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import io.kotest.matchers.types.shouldBeInstanceOf
import java.io.EOFException
import java.io.IOException
import java.io.NotSerializableException
import java.io.ObjectOutputStream
import java.io.OutputStream
import java.io.UncheckedIOException
import java.nio.file.Path

/** What a program throws by itself: of types that Cairn has for disks and checkpoints, too. */
private val OWN_FAILURES =
    listOf(
        { NotSerializableException("dev.Mesh") },
        { UncheckedIOException(IOException("no answer")) },
        { RuntimeException("wrapped", IOException("no answer")) },
        { SionException.NotAMultifile(Path.of("own.sion"), "own ") },
        { IllegalStateException("no mesh") },
        { StackOverflowError("1024 objects") },
    )

private fun unsaved(item: String, thrown: Throwable) =
    "the $item cannot be saved: the program's own code for it threw ${"$thrown".removeSuffix(".")}. No disk has " +
        "failed, so a later save would end in the same way. Nothing was saved: correct that code, and start again."

private fun unrestored(item: String, thrown: Throwable) =
    "the $item cannot be restored: the program's own code for it threw ${"$thrown".removeSuffix(".")}. The " +
        "checkpoint is not damaged: let that code take what was saved, or declare removed(\"log\") and give the item another name."

/** All that a program can declare with functions of its own; each calls [get] when it is saved, and [set] when it is restored. */
private fun kinds(get: () -> Unit, set: () -> Unit): Map<String, StateBuilder.() -> Unit> =
    mapOf<String, StateBuilder.() -> Unit>(
        "replicated" to { replicated("log", Codecs.LONG, { 1L.also { get() } }, { set() }) },
        "perRank" to
            { perRank("log", Codecs.LONG, { 1L.also { get() } }, { set() }, PerRankRule.Merge { 1L.also { set() } }) },
        "accumulator" to { accumulator("log", Codecs.LONG, { 1L.also { get() } }, { set() }, 0L, Long::plus) },
        "table" to {
            table("log") {
                positionFree()
                column("id", { LongArray(2).also { get() } }, { set() })
            }
        },
        "stream" to
            { stream("log", { it.write(1).also { get() } }, { it.read().also { set() } }, StreamRule.Deal { set() }) },
    )

/** A disk on which no large write succeeds while it [isFull]. */
private class FilledDisk(files: BlockStore) : ForwardingStore(files) {
    var isFull = true

    override fun onOperation(operation: BlockStore.Operation) {
        val isLarge = operation.kind() == BlockStore.Operation.Kind.WRITE && operation.length() >= LARGE
        if (isFull && isLarge) throw IOException("the disk is full")
    }
}

private const val LARGE = 1L shl 20

/** Writers of three mebibytes that do not let the failure of the disk through as it is. */
private val HIDING: Map<String, (OutputStream) -> Unit> =
    mapOf<String, (OutputStream) -> Unit>(
        "swallows it" to { out -> repeat(3) { runCatching { out.write(ByteArray(LARGE.toInt())) } } },
        "throws it unchecked" to { out ->
            try {
                out.write(ByteArray(3 * LARGE.toInt()))
            } catch (failure: IOException) {
                throw UncheckedIOException(failure)
            }
        },
        "throws it as a cause" to { out ->
            runCatching {
                out.write(
                    ByteArray(3 * LARGE.toInt()),
                )
            }.onFailure { throw IllegalStateException("no log", it) }
        },
        "throws something else" to { out ->
            runCatching { out.write(ByteArray(3 * LARGE.toInt())) }.onFailure { error("no log") }
        },
    )

class ProgramErrorsSpec :
    FunSpec({
        for (wait in listOf(Wait.COMMITTED, Wait.COPIED, Wait.LOCAL)) {
            test("$wait: a run whose writer throws an IOException of its own ends at its first save with 1") {
                val directory = tempdir().toPath()
                val args =
                    arrayOf("--dir", "$directory/x", "--every", "1", "--ranks", "2", "--wait", wait.name.lowercase())
                val local = if (wait == Wait.LOCAL) arrayOf("--local", "$directory/local") else emptyArray()
                val walked = mutableListOf<Long>()
                val declare: StateBuilder.() -> Unit = {
                    stream("log", { out -> ObjectOutputStream(out).use { it.writeObject(Any()) } }, {})
                }
                val failures =
                    listOf(
                        runCatching {
                            runSimulation("x", args + local) {
                                declare()
                                for (step in steps(5)) if (rank == 0) walked += step
                            }
                        },
                        runCatching {
                            BlockingSimulation.run("x", args + local) { sim ->
                                sim.declare()
                                for (step in sim.steps(5)) if (sim.rank == 0) walked += step
                            }
                        },
                    )
                walked shouldBe listOf(0L, 0L)
                for (failure in failures.map { checkNotNull(it.exceptionOrNull()) }) {
                    FailureReport.codeOf(failure) shouldBe null
                    FailureReport.text(failure, launch = null) shouldStartWith
                        unsaved("stream 'log'", NotSerializableException("java.lang.Object")) + "\n\tat "
                }
            }
        }

        for (thrown in OWN_FAILURES) {
            test("no way of an own loop to save goes on after ${thrown()}, and no disk is blamed") {
                val saves =
                    mapOf<String, suspend (Checkpoints) -> Unit>(
                        "save" to { it.save(1) },
                        "trySave" to { it.trySave(1) },
                        "saveAsync" to { it.saveAsync(1) },
                    )
                for ((way, save) in saves) {
                    for ((kind, declare) in kinds({ throw thrown() }, {})) {
                        withClue("$way of a $kind") {
                            val disk = SimulatedDisk()
                            ranks(2) {
                                checkpoints(Path.of("own"), files = disk.host("node0"), declare = declare).use {
                                    val failure = shouldThrowFor<NotSaved>(Reason.PROGRAM) { save(it) }
                                    failure.items shouldBe listOf("log")
                                    failure.message shouldBe unsaved("$kind 'log'", thrown())
                                    it.lastSave.shouldBeInstanceOf<SaveOutcome.Failed>()
                                }
                            }
                        }
                    }
                }
            }

            test("a restore into a program that throws ${thrown()} is refused with 64, and the checkpoint is good") {
                for ((kind, declare) in kinds({}, { throw thrown() })) {
                    for (count in listOf(1, 2)) {
                        withClue("a $kind on $count ranks") {
                            val disk = SimulatedDisk()
                            ranks(2) {
                                checkpoints(
                                    Path.of("own"),
                                    files = disk.host("node0"),
                                    declare = declare,
                                ).use { it.save(1) }
                            }
                            ranks(count) {
                                checkpoints(Path.of("own"), files = disk.host("node0"), declare = declare).use {
                                    val failure = shouldThrowFor<Mismatch>(Reason.PROGRAM) { it.restore() }
                                    failure.message shouldBe unrestored("$kind 'log'", thrown())
                                    FailureReport.codeOf(failure) shouldBe ExitCode.REFUSED
                                }
                            }
                        }
                    }
                }
            }
        }

        test("blocks that cannot be named are an error of the program, in a save and in a restore") {
            val disk = SimulatedDisk()
            ranks(1) {
                var isBroken = false
                val cells = LongArray(3)
                checkpoints(Path.of("own"), files = disk.host("node0")) {
                    field("u", Shape.of(3), ElementType.LONG) {
                        if (isBroken) throw IOException("no mesh")
                        block(Shape.of(3).box(), cells)
                    }
                }.use {
                    it.save(1)
                    isBroken = true
                    shouldThrowFor<NotSaved>(Reason.PROGRAM) { it.trySave(2) }.message shouldBe
                        unsaved("field 'u'", IOException("no mesh"))
                    shouldThrowFor<Mismatch>(Reason.PROGRAM) { it.restore() }.message shouldStartWith
                        "the field 'u' cannot be restored: the program's own code for it threw java.io.IOException: no mesh."
                }
            }
        }

        test("dedicated ranks write nothing of a program that cannot be saved") {
            val disk = SimulatedDisk()
            ranks(3) {
                dedicate(Concentrators.ranks(0), disk.host("node0")) { dedicated ->
                    checkpoints(Path.of("own"), files = disk.host("node0"), dedicated = dedicated) {
                        stream("log", {
                            if (rank ==
                                1
                            ) {
                                throw NotSerializableException("dev.Mesh")
                            }
                        }, {}, StreamRule.Drop)
                    }.use {
                        val failure = shouldThrowFor<NotSaved>(Reason.PROGRAM) { it.saveAsync(1) }
                        failure.message shouldBe unsaved("stream 'log'", NotSerializableException("dev.Mesh"))
                        failure.failures.single().rank shouldBe 1
                    }
                }
            }
        }

        test("a simulation whose reader meets an early end is refused with 64, whose message names the item") {
            val directory = tempdir().toPath()

            suspend fun run(read: (java.io.InputStream) -> Unit) =
                runSimulation("x", arrayOf("--dir", "$directory/x")) {
                    stream("log", { it.write(1) }, { read(it) })
                    for (step in steps(3)) check(step < 3)
                }
            run {} shouldBe ExitCode.FINISHED
            var code: ExitCode? = null
            val printed = printedBy { code = run { throw EOFException() } }
            code shouldBe ExitCode.REFUSED
            printed shouldContain "x: ${unrestored("stream 'log'", EOFException())}\n\tat "
        }

        for ((way, write) in HIDING) {
            test("a full disk stays one where the writer $way: the run goes on and ends with 74") {
                for (wait in listOf(Wait.COMMITTED, Wait.COPIED)) {
                    val directory = tempdir().toPath()
                    val disk = FilledDisk(FileBlockStore())
                    val args = arrayOf("--dir", "$directory/x", "--every", "1", "--wait", wait.name.lowercase())
                    val walked = mutableListOf<Long>()
                    val reasons = mutableListOf<String>()
                    val options =
                        SimulationOptions {
                            checkpoints {
                                snapshotMemory = 0
                                listener {
                                    if (it is SaveOutcome.Failed) reasons += it.reason
                                }
                            }
                        }
                    runSimulation("x", args, disk, options) {
                        stream("log", { write(it) }, {})
                        for (step in steps(3)) walked += step
                    } shouldBe ExitCode.UNSAVED
                    walked shouldBe listOf(0L, 1L, 2L)
                    val step = if (wait == Wait.COMMITTED) "write" else "copy"
                    // The last save waits until it is committed.
                    reasons.first() shouldStartWith "'$step 'log'' failed: "
                    reasons.last() shouldStartWith "'write 'log'' failed: "
                    reasons.forEach { it shouldContain "data.sion: the disk is full" }
                    reasons.size shouldBeGreaterThanOrEqual 2
                }
            }
        }

        test("the failure of a write names the item that was being written") {
            val disk = FilledDisk(SimulatedDisk().host("node0"))
            ranks(2) {
                checkpoints(Path.of("full"), files = disk) {
                    replicated("n", { 1 }, {})
                    stream("log", { out -> if (rank == 1) out.write(ByteArray(LARGE.toInt() + 1)) }, {})
                }.use {
                    val sentence =
                        "was abandoned on all ranks, because rank 1 on host1 failed: full/00000N/data.sion: the disk is full"
                    val failed = it.trySave(1).shouldBeInstanceOf<SaveOutcome.Failed>()
                    failed.reason.replace(HOST, "host1").replace(SAVE, "00000N") shouldBe "'write 'log'' $sentence"
                    it.saveAsync(2)
                    while (it.isSaveUnderWay) it.progress()
                    val later = it.lastSave.shouldBeInstanceOf<SaveOutcome.Failed>()
                    later.reason.replace(HOST, "host1").replace(SAVE, "00000N") shouldBe "'write 'log'' $sentence"
                    disk.isFull = false
                    it.trySave(3).shouldBeInstanceOf<Saved>()
                }
            }
        }
    })

private val HOST = Regex("host\\d+|world\\S*")
private val SAVE = Regex("\\d{6}")
