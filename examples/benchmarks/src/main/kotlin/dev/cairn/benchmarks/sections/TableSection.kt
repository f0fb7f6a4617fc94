package dev.cairn.benchmarks.sections

import dev.cairn.Checkpoints
import dev.cairn.StateBuilder
import dev.cairn.benchmarks.baseline.ParticleRecord
import dev.cairn.benchmarks.baseline.readKryoParticles
import dev.cairn.benchmarks.baseline.writeKryoParticles
import dev.cairn.checkpoints
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.DataFiles
import dev.cairn.ranks.runRanks
import dev.cairn.sion.ForcePolicy
import java.nio.file.Path
import kotlin.io.path.deleteExisting

/** Rows of six doubles and a long on four ranks, as columns and as records, against Kryo with a record for each row. */
internal fun benchTable(bench: Bench) {
    TableContest(bench).run {
        compareColumns()
        compareRecords()
    }
}

private class TableContest(private val bench: Bench) {
    private val directory: Path = bench.directory.resolve("table.cairn")
    private val rowsPerRank = (bench.scale.streamBytes / 4 / ROW_SIZE / RANK_COUNT).toInt()
    private val files = List(RANK_COUNT) { bench.directory.resolve("kryo.$it") }
    private val particles =
        List(RANK_COUNT) { rank -> List(rowsPerRank) { ParticleRecord(rank * rowsPerRank + it.toLong(), it * 0.5) } }
    private val size = "${RANK_COUNT * rowsPerRank} rows on $RANK_COUNT ranks"
    private val kryoWriting = Side({ writeKryoParticles(files, particles) }) { files.forEach { it.deleteExisting() } }

    fun compareColumns() {
        val columns = particles.map(::ColumnState)
        compare("columns", atLeast = 5.0) { columns[it].declare(this) }
        columns.flatMap { it.ids.asIterable() }.let { ids ->
            check(ids == ids.indices.map(Int::toLong)) { "other ids" }
        }
    }

    fun compareRecords() {
        val records = particles.map(::RecordState)
        compare("records", atLeast = 1.0) { records[it].declare(this) }
        check(records.map { it.rows } == particles) { "other particles" }
    }

    private fun compare(form: String, atLeast: Double, declare: StateBuilder.(rank: Int) -> Unit) {
        val saving = Side({ onRanks(declare) { it.save(1) } }) { directory.deleteAll() }
        bench.compare("save $size as $form, against Kryo", atLeast, saving, kryoWriting)
        onRanks(declare) { it.save(1) }
        writeKryoParticles(files, particles)
        val restoring = Side({ onRanks(declare) { checkNotNull(it.restore()) } })
        val kryoReading = Side({ check(readKryoParticles(files).all { it.size == rowsPerRank }) })
        bench.compare("restore $size as $form, against Kryo", atLeast, restoring, kryoReading)
        files.forEach { it.deleteExisting() }
        directory.deleteAll()
    }

    private fun onRanks(declare: StateBuilder.(rank: Int) -> Unit, use: suspend (Checkpoints) -> Unit) {
        val options =
            CheckpointOptions {
                files = DataFiles.count(RANK_COUNT)
                blockSize = Scale.BLOCK_SIZE
                durability = ForcePolicy.NEVER
            }
        runRanks(RANK_COUNT) { checkpoints(directory, options) { declare(rank) }.use { use(it) } }
    }

    private companion object {
        const val RANK_COUNT = 4
        const val ROW_SIZE = 7 * 8
    }
}

private class ColumnState(particles: List<ParticleRecord>) {
    var ids = LongArray(particles.size) { particles[it].id }
    private val columns = NAMES.associateWithTo(HashMap()) { DoubleArray(particles.size) { particles[it].x } }

    fun declare(state: StateBuilder) =
        state.table("particles") {
            column("id", { ids }, { ids = it })
            NAMES.forEach { name -> column(name, { columns.getValue(name) }, { columns[name] = it }) }
            positionFree()
        }

    private companion object {
        val NAMES = listOf("x", "y", "z", "u", "v", "w")
    }
}

private class RecordState(var rows: List<ParticleRecord>) {
    fun declare(state: StateBuilder) = state.rows("particles", { rows }, { rows = it }) { positionFree() }
}
