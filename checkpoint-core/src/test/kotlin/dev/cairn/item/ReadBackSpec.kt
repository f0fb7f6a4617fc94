package dev.cairn.item

import dev.cairn.Checkpoints
import dev.cairn.StateBuilder
import dev.cairn.checkpoint.checkpointStore
import dev.cairn.checkpoints
import dev.cairn.concentrate.Concentrators
import dev.cairn.concentrate.DedicatedRanks
import dev.cairn.concentrate.dedicate
import dev.cairn.event.CheckpointException.NotSaved
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.CheckpointException.StateDiffers
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.event.shouldThrowFor
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.Wait
import dev.cairn.proof.local.LOCAL
import dev.cairn.proof.local.withScratch
import dev.cairn.proof.log.loggedBy
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ranks
import dev.cairn.run.FailureReport
import dev.cairn.runSimulation
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.Codecs
import dev.cairn.state.PerRankRule
import dev.cairn.state.StreamCodec
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import io.kotest.matchers.types.shouldBeInstanceOf
import java.io.BufferedOutputStream
import java.io.DataInputStream
import java.io.DataOutputStream
import java.io.IOException
import java.nio.file.Path
import java.util.concurrent.atomic.AtomicInteger

private val DIRECTORY = Path.of("read-back")

/** Writes a number through a buffer, which only [flushes] empties. */
private fun buffered(flushes: () -> Boolean): StreamCodec<Long> =
    Codecs.stream(
        { target, value: Long ->
            val out = DataOutputStream(BufferedOutputStream(target))
            out.writeLong(value)
            if (flushes()) out.flush()
        },
        { DataInputStream(it).readLong() },
    )

private const val REMEDY =
    "A restart would fail in the same way. Nothing was saved: let the codec read exactly what it writes, and flush " +
        "what it wraps around its stream."

private suspend fun Communicator.open(
    files: BlockStore,
    options: CheckpointOptions = CheckpointOptions(),
    dedicated: DedicatedRanks? = null,
    declare: StateBuilder.() -> Unit,
) = checkpoints(DIRECTORY, options, files, dedicated, declare)

private fun StateBuilder.log(codec: StreamCodec<Long>) = stream("log", codec, { 7L }, {}, PerRankRule.Drop())

private class Clock(val time: Long)

private fun savesIn(files: BlockStore): List<Int> = checkpointStore(files, DIRECTORY).survey().saves.map { it.number }

class ReadBackSpec :
    FunSpec({
        val ways =
            mapOf<String, suspend (Checkpoints) -> Unit>(
                "save" to { it.save(1) },
                "trySave" to { it.trySave(1) },
                "saveAsync" to { it.saveAsync(1) },
            )

        for ((way, save) in ways) {
            for (wait in listOf(Wait.COMMITTED, Wait.COPIED, Wait.LOCAL)) {
                test("$way with $wait fails, and commits nothing, if what one rank has written cannot be read") {
                    val disk = SimulatedDisk().withScratch()
                    val options =
                        CheckpointOptions {
                            this.wait = wait
                            local = LOCAL
                        }
                    ranks(3) {
                        open(disk.host("node0"), options) { log(buffered { rank != 1 }) }.use {
                            val failure = shouldThrowFor<NotSaved>(Reason.PROGRAM) { save(it) }
                            failure.items shouldBe listOf("log")
                            failure.failures.single().rank shouldBe 1
                            failure.message shouldBe
                                "the stream 'log' cannot be read back: on rank 1 its codec threw " +
                                "java.io.EOFException. $REMEDY"
                            FailureReport.codeOf(failure) shouldBe null
                        }
                    }
                    savesIn(disk.host("node0")).shouldBeEmpty()
                }
            }
        }

        test("with dedicated ranks the first save is read back, too") {
            val disk = SimulatedDisk()
            ranks(3) {
                dedicate(Concentrators.ranks(2), disk.host("node0")) { dedicated ->
                    open(disk.host("node0"), dedicated = dedicated) { log(buffered { false }) }.use {
                        shouldThrowFor<NotSaved>(Reason.PROGRAM) { it.saveAsync(1) }
                    }
                    open(disk.host("node0"), dedicated = dedicated) { log(buffered { true }) }.use {
                        it.saveAsync(1)
                        it.lastSave.shouldBeInstanceOf<Saved>()
                        it.saveAsync(2)
                        it.lastSave.shouldBeInstanceOf<SaveOutcome.Copied>()
                    }
                }
            }
        }

        test("a codec that reads another value than it wrote fails the first save, if their equals can tell") {
            val unflushed =
                Codecs.stream(
                    {
                        target,
                        lines: List<String>,
                        ->
                        target.bufferedWriter().apply { lines.forEach { write("$it\n") } }
                    },
                    { source -> source.bufferedReader().readLines() },
                )
            val own =
                Codecs.dataStream(
                    { out, clock: Clock -> out.writeLong(clock.time) },
                    { Clock(it.readLong() + 1) },
                )
            val (first, second) = List(2) { SimulatedDisk().host("node0") }
            ranks(2) {
                open(first) {
                    stream("log", unflushed, { listOf("a", "b") }, {}, PerRankRule.Drop())
                }.use {
                    shouldThrowFor<NotSaved>(Reason.PROGRAM) { it.save(1) }.message shouldContain
                        "the stream 'log' cannot be read back: on rank "
                }
                open(second) { stream("log", own, { Clock(7) }, {}, PerRankRule.Drop()) }.use {
                    it.save(1) // Its class has no equals(), so nothing can be told.
                }
            }
        }

        test("bytes that a codec leaves fail the first save") {
            val files = SimulatedDisk().host("node0")
            val codec =
                Codecs.stream({ target, _: Long -> target.write(ByteArray(9)) }, {
                    DataInputStream(it).readInt().toLong()
                })
            ranks(2) {
                open(files) { log(codec) }.use {
                    shouldThrowFor<NotSaved>(Reason.PROGRAM) { it.save(1) }.message shouldBe
                        "the stream 'log' cannot be read back: its codec left 5 of the 9 bytes of rank 0. $REMEDY"
                }
            }
        }

        test("each run reads back its first save, and no other one") {
            val files = SimulatedDisk().host("node0")
            val reads = AtomicInteger()
            val counting =
                Codecs.dataStream(
                    { out, value: Long -> out.writeLong(value) },
                    { it.readLong().also { reads.incrementAndGet() } },
                )
            ranks(2) {
                open(files) { log(counting) }.use { for (step in 1L..3L) it.save(step) }
            }
            reads.getAndSet(0) shouldBe 2
            ranks(2) {
                open(files) { log(counting) }.use {
                    it.restore()
                    for (step in 4L..6L) it.saveAsync(step).await()
                }
            }
            reads.getAndSet(0) shouldBe 4
        }

        test("a disk that cannot be read fails the save, which is read back again at the next one") {
            val disk = SimulatedDisk()
            val unreadable =
                object : ForwardingStore(disk.host("node0")) {
                    var isBroken = true

                    override fun onOperation(operation: BlockStore.Operation) {
                        val isLarge = operation.kind() == BlockStore.Operation.Kind.READ && operation.length() > 8192
                        if (isBroken && isLarge) throw IOException("no answer")
                    }
                }
            val reads = AtomicInteger()
            val codec =
                Codecs.stream(
                    { target, _: Long -> target.write(ByteArray(2 * FRAME)) },
                    { source ->
                        source.readAllBytes()
                        reads.incrementAndGet()
                        7L
                    },
                )
            ranks(1) {
                open(unreadable) { log(codec) }.use {
                    it.trySave(1).shouldBeInstanceOf<SaveOutcome.Failed>()
                    savesIn(disk.host("node0")).shouldBeEmpty()
                    unreadable.isBroken = false
                    it.trySave(2).shouldBeInstanceOf<Saved>()
                    it.trySave(3).shouldBeInstanceOf<Saved>()
                }
            }
            reads.get() shouldBe 1
        }

        test("a simulation whose codec forgets to flush ends with 1 at its first save") {
            val directory = tempdir().toPath()
            val walked = mutableListOf<Long>()
            val failure =
                runCatching {
                    runSimulation("x", arrayOf("--dir", "$directory/x", "--every", "1")) {
                        val log by stream(7L, buffered { false })
                        for (step in steps(3)) walked += step + 0 * log
                    }
                }.exceptionOrNull()
            walked shouldBe listOf(0L)
            FailureReport.codeOf(checkNotNull(failure)) shouldBe null
            FailureReport.text(failure, launch = null) shouldStartWith
                "the stream 'log' cannot be read back: its codec threw java.io.EOFException. $REMEDY\n\tat "
        }

        test("a run with a stream that no save reads back is warned of it once") {
            val files = SimulatedDisk().host("node0")
            val logged =
                loggedBy {
                    ranks(2) {
                        open(files) {
                            stream("log", { it.write(1) }, { it.read() })
                            log(buffered { true }, "coded")
                        }.use { for (step in 1L..2L) it.save(step) }
                    }
                }
            logged.filter { it.startsWith("WARNING") } shouldBe listOf("WARNING: read-back: ${unchecked("log")}")
        }

        test("check-restart restores streams with a codec, and warns of those without one") {
            val files = SimulatedDisk().host("node0")
            val logged =
                loggedBy {
                    ranks(2) {
                        var value = 0L
                        open(files, CheckpointOptions { checkRestart = true }) {
                            stream("log", buffered { true }, { value }, { value = it }, PerRankRule.Drop())
                            stream("plain", { it.write(1) }, { error("it is not read") })
                        }.use {
                            for (step in 1L..2L) {
                                value = step
                                it.save(step)
                            }
                        }
                        value shouldBe 2
                    }
                }
            logged.filter { "check-restart" in it } shouldBe
                listOf(
                    "INFO: check-restart: save 1 (step 1) and save 2 (step 2) were restored and compared: " +
                        "'log' can be read",
                    "WARNING: check-restart: ${unchecked("plain")}",
                )
        }

        test("check-restart finds a setter that does nothing, and bears a codec that writes other bytes each time") {
            val first = SimulatedDisk().host("node0")
            ranks(2) {
                var value = 0L
                open(first, CheckpointOptions { checkRestart = true }) {
                    stream("log", buffered { true }, { value }, {}, PerRankRule.Drop())
                }.use {
                    it.save(1)
                    value = 2
                    shouldThrowFor<StateDiffers>(Reason.NOT_RESTORED) { it.save(2) }.items shouldBe listOf("log")
                }
            }
            val second = SimulatedDisk().host("node0")
            ranks(2) {
                var value = 0L
                val other =
                    Codecs.dataStream(
                        { out, number: Long ->
                            out.writeLong(number)
                            out.writeLong(System.nanoTime())
                        },
                        { source -> source.readLong().also { source.readLong() } },
                    )
                open(second, CheckpointOptions { checkRestart = true }) {
                    stream("log", other, { value }, { value = it }, PerRankRule.Drop())
                }.use {
                    it.save(1)
                    value = 2
                    it.save(2)
                    value shouldBe 2
                }
            }
        }
    })

private fun StateBuilder.log(codec: StreamCodec<Long>, name: String) =
    stream(name, codec, { 7L }, {}, PerRankRule.Drop())

private fun unchecked(name: String) =
    "whether the stream '$name' can be read is not checked before a restart, since reading changes the program. " +
        "Declare it with a StreamCodec, such as Codecs.textStream."

private const val FRAME = 1 shl 20
