package dev.cairn.cli

import dev.cairn.Checkpoints
import dev.cairn.checkpoint.checkpointStore
import dev.cairn.checkpoints
import dev.cairn.event.CheckpointEvent
import dev.cairn.event.CheckpointEvent.Restored
import dev.cairn.event.ExitCode
import dev.cairn.options.CheckpointOptions
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ranks
import dev.cairn.runSimulation
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.fixture.content
import dev.cairn.sion.store.fixture.write
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.SaveNames
import io.kotest.assertions.throwables.shouldThrow
import java.nio.file.Path
import java.util.Collections

private val newest: suspend Checkpoints.() -> Restored? = { this.restore() }

/** A program of two ranks whose state is one number, which tells the step, on a disk of its own. */
internal class Counting(
    val files: BlockStore = SimulatedDisk().host("node0"),
    private val options: CheckpointOptions = CheckpointOptions { keepLast = 9 },
) {
    val rejected: MutableList<CheckpointEvent.Rejected> = Collections.synchronizedList(mutableListOf())
    private val command = HeatCheckpoints(files)

    /** Restores as [restore] says, and saves at [steps]; returns what was restored. */
    suspend fun run(
        vararg steps: Long,
        options: CheckpointOptions = this.options,
        restore: suspend Checkpoints.() -> Restored? = newest,
    ): Restored? = ranks(2) { run(steps, options, restore) }.first()

    /** Why nothing is restored. */
    suspend fun refusal(restore: suspend Checkpoints.() -> Restored? = newest): Throwable? =
        ranks(2) { shouldThrow<Exception> { run(longArrayOf(), options, restore) } }.first()

    private suspend fun Communicator.run(
        steps: LongArray,
        options: CheckpointOptions,
        restore: suspend Checkpoints.() -> Restored?,
    ): Restored? {
        var n = -1L
        val listening = CheckpointOptions(options) { listener { if (it is CheckpointEvent.Rejected) rejected += it } }
        return checkpoints(HEAT, listening, files) { replicated("n", { n }, { n = it }) }.use { checkpoints ->
            val restored = restore(checkpoints)
            if (restored != null) check(n == restored.step) { "step ${restored.step} came back as $n" }
            for (step in steps) {
                n = step
                checkpoints.save(step)
            }
            restored
        }
    }

    /** The numbers of the checkpoints, oldest first. */
    fun numbers(): List<Int> =
        checkpointStore(files, HEAT)
            .survey()
            .saves
            .map { it.number }
            .reversed()

    fun file(number: Int, name: String): Path = HEAT.resolve(SaveNames.directory(number)).resolve(name)

    /** Cuts the data of a save; its manifest stays whole. */
    fun damage(number: Int) = cut(file(number, SaveNames.DATA))

    fun cut(file: Path) = files.open(file, Access.READ_WRITE).use { it.resize(it.size() / 2) }

    /** Puts the file [name] of one save into the place of that of another. */
    fun misplace(name: String, from: Int, to: Int) = take(this, name, to, from)

    /** Puts the file [name] of a save of another disk into the place of that of save [number]. */
    fun take(other: Counting, name: String, number: Int, from: Int = number) {
        val bytes = other.files.open(file(from, name), Access.READ).use { it.content() }
        files.delete(file(number, name))
        files.create(file(number, name)).use { it.write(0, bytes) }
    }

    /** Turns the lowest bit of one byte. */
    fun flip(file: Path, position: Int) =
        files.open(file, Access.READ_WRITE).use {
            val byte = it.content()[position].toInt() xor 1
            it.write(position.toLong(), byteArrayOf(byte.toByte()))
        }

    fun loseManifest(number: Int) = files.delete(file(number, SaveNames.MANIFEST))

    fun cairn(vararg arguments: String) = command.cairn(*arguments)

    /** A simulation that counts its steps up to [until]; returns how it ended, and the first step that it walked. */
    suspend fun simulate(until: Long, vararg arguments: String): Pair<ExitCode, Long?> {
        var first: Long? = null
        val code =
            runSimulation("count", arrayOf("--dir", "$HEAT", "--keep-last", "9", *arguments), files) {
                var n by replicated(-1L)
                for (step in steps(until)) {
                    if (first == null) first = step
                    n = step + 1
                }
            }
        return code to first
    }
}
