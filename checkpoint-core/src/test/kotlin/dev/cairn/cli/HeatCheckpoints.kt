package dev.cairn.cli

import dev.cairn.StateBuilder
import dev.cairn.checkpoint.FramePool
import dev.cairn.checkpoint.checkpointStore
import dev.cairn.grid.Box
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.Wait
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.broadcastLong
import dev.cairn.ranks.ranks
import dev.cairn.ranks.worker
import dev.cairn.save.AgreedSave
import dev.cairn.save.LoopPosition
import dev.cairn.save.NumberedSave
import dev.cairn.save.Route
import dev.cairn.save.SaveContext
import dev.cairn.save.Saver
import dev.cairn.save.manifest
import dev.cairn.sion.FileMapping
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.ElementType
import dev.cairn.stateBuilder
import dev.cairn.store.Lineage
import dev.cairn.store.Manifest
import dev.cairn.store.OwnedStore
import dev.cairn.store.Owner
import dev.cairn.store.SaveNumbers
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonObject
import java.io.ByteArrayOutputStream
import java.io.PrintStream
import java.nio.ByteBuffer
import java.nio.file.Path
import java.time.Clock
import java.time.Instant
import java.util.Optional
import kotlin.time.TimeSource

val SHAPE: Shape = Shape.of(37, 23)

val HEAT: Path = Path.of("heat.cairn")

/** The temperature of the cell with a global number. */
fun cell(index: Long): Double = index * 0.5 + 1.0 / (index + 3)

/**
 * A disk with checkpoints of a program, the same bytes in every run: the field `u`, the replicated `time`, and the private
 * `seen` of each rank.
 */
internal class HeatCheckpoints(
    val files: BlockStore = SimulatedDisk().host("node0"),
    /** What the manifests of later saves say; all else is consistent with it. */
    var change: (Manifest) -> Manifest = { it },
) {
    suspend fun save(
        rankCount: Int,
        step: Long,
        directory: Path = HEAT,
        fileCount: Int = 1,
        blocks: (Int) -> Decomposition = { Decomposition.rows(SHAPE, it) },
        seen: (Int) -> String = { "rank $it" },
        temperature: (Long) -> Double = ::cell,
    ) {
        save(rankCount, step, directory, fileCount) { rank, size ->
            heat(blocks(size).boxes(rank), step, seen(rank), temperature)
        }
    }

    /** Saves what each rank declares. */
    suspend fun save(
        rankCount: Int,
        step: Long,
        directory: Path,
        fileCount: Int,
        declare: StateBuilder.(rank: Int, size: Int) -> Unit,
    ) {
        own(directory).use { owned ->
            ranks(rankCount) {
                save(owned, step, fileCount, stateBuilder().also { it.declare(rank, size) })
            }
        }
    }

    fun own(directory: Path = HEAT): OwnedStore {
        val clock = Clock.systemUTC()
        return checkpointStore(files, directory).own(Owner.here(clock.instant()), clock)
    }

    private suspend fun Communicator.save(owned: OwnedStore, step: Long, fileCount: Int, state: StateBuilder) {
        val underWay = if (rank == 0) owned.begin() else null
        val number = broadcastLong(0, underWay?.number?.toLong() ?: 0).toInt()
        val directory = owned.store.directory
        val mapping = FileMapping.contiguous(fileCount)
        val context =
            SaveContext(
                this,
                files,
                directory,
                CheckpointOptions { blockSize = 512 },
                mapping,
                state.state.declared,
                FramePool(1),
                worker(),
                local = null,
                dedicated = null,
            )
        val lineage = Lineage("5d1c0a52-heat", SaveNumbers.upTo((number - 1).takeIf { it > 0 }))
        val position = LoopPosition(step, "main")
        val save =
            NumberedSave(
                AgreedSave(number, position, Wait.COMMITTED, emptyList()),
                Wait.COMMITTED,
                position,
                TimeSource.Monotonic.markNow(),
                underWay,
                manifestOf = {
                    change(
                        context.manifest(lineage, number, position, it).copy(
                            time = MORNING.plusSeconds(number * 60L),
                            provenance = mapOf("host" to "node0", "java" to "17.0.9"),
                        ),
                    )
                },
            )
        Saver(context).begin(save, Route.Direct).untilCommitted()
    }

    private fun StateBuilder.heat(boxes: List<Box>, step: Long, seen: String, temperature: (Long) -> Double) {
        field("u", SHAPE, ElementType.DOUBLE) {
            for (box in boxes) {
                block(box, DoubleArray(box.cellCount().toInt()) { temperature(SHAPE.index(*box.cell(it.toLong()))) })
            }
        }
        replicated("time", { step * 0.5 }, {})
        perRank("seen", { seen }, {})
    }

    /** Runs the command on this disk. */
    fun cairn(vararg arguments: String): CommandRun {
        val out = ByteArrayOutputStream()
        val err = ByteArrayOutputStream()
        val exitCode = CairnCommand.run(Shell(files, out, PrintStream(err, true), Optional.empty()), *arguments)
        return CommandRun(exitCode, out.toString(Charsets.UTF_8), err.toString(Charsets.UTF_8).trimEnd('\n'))
    }

    fun read(file: Path): ByteBuffer =
        files.open(file, Access.READ).use { opened ->
            ByteBuffer.allocate(opened.size().toInt()).also { opened.readFully(0, it) }.flip()
        }

    /** Flips a bit in the first place where [value] is stored, little-endian, in the data of a save. */
    fun damage(number: Int, value: Double, directory: Path = HEAT) {
        val file = directory.resolve("%06d/data.sion".format(number))
        val bytes = read(file)
        val bits = java.lang.Long.reverseBytes(value.toRawBits())
        val at = (0..bytes.limit() - Long.SIZE_BYTES).first { bytes.getLong(it) == bits }
        files.open(file, Access.READ_WRITE).use {
            it.write(at.toLong(), ByteBuffer.wrap(byteArrayOf((bytes.get(at).toInt() xor 1).toByte())))
        }
    }

    /** Cuts the end off a file. */
    fun cut(file: Path) = files.open(file, Access.READ_WRITE).use { it.resize(it.size() - 1) }

    private companion object {
        val MORNING: Instant = Instant.parse("2025-01-31T09:00:00Z")
    }
}

/** What a run of the command left behind. */
class CommandRun(val exitCode: Int, val text: String, val complaint: String) {
    val lines: List<String> get() = text.trimEnd('\n').lines()
    val json: JsonObject get() = Json.parseToJsonElement(text).jsonObject
}
