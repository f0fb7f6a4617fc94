package dev.cairn.proof.output

import dev.cairn.Simulation
import dev.cairn.cli.CairnCommand
import dev.cairn.cli.Shell
import dev.cairn.event.ExitCode
import dev.cairn.proof.log.printedBy
import dev.cairn.runSimulation
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.BlockStore.Operation.Kind
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.ForwardingStore
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.runBlocking
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardOpenOption.APPEND
import java.nio.file.StandardOpenOption.CREATE
import kotlin.io.path.createDirectory
import kotlin.io.path.extension
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readText

/** The lines that the program of an [OutputRun] appends in [steps]. */
internal fun stepLines(steps: IntRange) = steps.joinToString("") { "step $it\n" }

/** A program that appends a line in each step, in a [directory] of its own. */
internal class OutputRun(private val directory: Path) {
    val file: Path = directory.resolve("out").createDirectory().resolve("log.txt")
    val text get() = file.readText()
    val store: Path = directory.resolve("store")

    /** Runs [body] as another process would, while the program of this one stands still. */
    fun <T> inAnother(body: suspend OutputRun.() -> T): T = runBlocking(Dispatchers.IO) { this@OutputRun.body() }

    fun cairn(vararg arguments: String): Int = CairnCommand.run(Shell.ofThisProcess(FileBlockStore()), *arguments)

    /** The files that were kept aside under numbers. */
    fun asides(): List<Path> =
        file.parent
            .listDirectoryEntries("${file.name}.*")
            .filter { it.extension.toIntOrNull() != null }
            .sorted()

    fun aside(number: Int): Path = file.resolveSibling("${file.name}.$number")

    suspend fun play(
        vararg options: String,
        until: Long = 20,
        hasOutput: Boolean = true,
        header: String? = null,
        footer: String? = null,
        files: BlockStore = FileBlockStore(),
        beforeFooter: () -> Unit = {},
        inStep: (Long) -> Unit = {},
    ): ExitCode =
        simulate(*options, files = files) {
            var sum by replicated(0L)
            val log = if (hasOutput) output(file).named("log").value else null
            header?.let { log?.line(it) }
            for (step in steps(until)) {
                if (rank == 0) inStep(step)
                sum += step
                log?.append(ByteBuffer.wrap(stepLines(step.toInt()..step.toInt()).encodeToByteArray()))
            }
            if (rank == 0) beforeFooter()
            footer?.let { log?.line(it) }
        }

    /** A program that opens the file itself, when it has been cut. */
    suspend fun playByHand(vararg options: String, inStep: (Long) -> Unit = {}): ExitCode =
        simulate(*options) {
            var sum by replicated(0L)
            appendedFile("log", file)
            val target by lazy { Files.newOutputStream(file, CREATE, APPEND) }
            for (step in steps(until = 20)) {
                sum += step
                if (rank != 0) continue
                inStep(step)
                target.write(stepLines(step.toInt()..step.toInt()).encodeToByteArray())
            }
        }

    /** Ends the program in [step] without a save, as a kill would. */
    suspend fun playUntilKilledIn(step: Long, vararg options: String, header: String? = null) {
        shouldThrow<Exception> {
            simulate(*options) {
                var sum by replicated(0L)
                val log by output(file)
                header?.let(log::line)
                for (now in steps(until = 20)) {
                    sum += now
                    log.append(ByteBuffer.wrap(stepLines(now.toInt()..now.toInt()).encodeToByteArray()))
                    if (now == step) error("killed")
                }
            }
        }
    }

    /** The message of a program that cannot append to [output]. */
    suspend fun refusalOf(output: Path): String =
        printedBy {
            simulate {
                val log by output(output)
                for (step in steps(until = 3)) error("step $step: ${log.file}")
            } shouldBe ExitCode.UNREADABLE
        }.lines().single { it.startsWith("lines: ") }.removePrefix("lines: ")

    suspend fun simulate(
        vararg options: String,
        files: BlockStore = FileBlockStore(),
        body: suspend Simulation.() -> Unit,
    ): ExitCode =
        runSimulation(
            "lines",
            arrayOf("--dir", "$store", "--ranks", "2", *options),
            files,
            body = body,
        )
}

/** While it [isFailing], writes to text files fail, after [tornBytes] bytes were written. */
internal class FailingText(private val tornBytes: Int = 0) : ForwardingStore(FileBlockStore()) {
    @Volatile var isFailing = false

    override fun onOperation(operation: BlockStore.Operation) {
        if (!isFailing || operation.kind() != Kind.WRITE || !operation.path().name.endsWith(".txt")) return
        if (tornBytes > 0) {
            FileBlockStore().open(operation.path(), Access.READ_WRITE).use {
                it.write(it.size(), ByteBuffer.allocate(tornBytes))
            }
        }
        throw IOException("planned: no space left")
    }
}
