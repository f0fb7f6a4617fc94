package dev.cairn.sion.pnetcdf

import dev.cairn.sion.log.LogIdentity
import dev.cairn.sion.log.LogWriter
import dev.cairn.sion.log.Region
import dev.cairn.sion.netcdf.NetcdfReader
import dev.cairn.sion.netcdf.NetcdfSpec
import dev.cairn.sion.store.BlockStore
import java.nio.ByteBuffer
import java.nio.file.Path

/** Writes what the logs of PnetCDF in [from] hold for [file] as logs of our own, one for each rank in [directory]. */
fun BlockStore.writeOwnLogs(file: Path, directory: Path, from: Path = BurstFixture.DIRECTORY) =
    BurstLogSet.open(this, BurstLogName.listIn(this, from)).use { set ->
        val spec = NetcdfReader.open(this, file).use { it.spec() }
        if (!exists(directory)) makeDirectory(directory)
        for (log in set.logs()) {
            val place = directory.resolve("${log.rank()}").also(::makeDirectory)
            val identity = LogIdentity(log.rank() + 1L, 0, log.rank(), log.header().get().rankCount())
            LogWriter.create(this, place, identity).use { writer ->
                writer.note("cells for $file")
                log.puts().forEach { put -> OwnPut(log, put, spec).writeTo(writer) }
            }
        }
    }

/** A put of PnetCDF as cells of the file; it becomes one record, or one for each box if there are no dimensions. */
private class OwnPut(private val log: BurstLog, private val put: StagedPut, private val spec: NetcdfSpec) {
    private val variable = spec.variables()[put.variable()]
    private val boxes = List(put.boxes().boxCount(), put.boxes()::box).filterNot { it.isEmpty }

    fun writeTo(writer: LogWriter) {
        val perRecord = if (put.boxes().dimensionCount() == 0) 1 else maxOf(1, boxes.size)
        val cells = cells()
        for (some in boxes.chunked(perRecord)) {
            val region = Region(put.variable(), variable.type().size(), some)
            val size = region.byteCount().toInt()
            writer.put(region, cells.slice(cells.position(), size))
            cells.position(cells.position() + size)
        }
    }

    private fun cells(): ByteBuffer {
        val bytes = ByteBuffer.wrap(log.valuesOf(put)).order(log.header().get().order())
        val type = PutValues.typeFor(put.type(), variable.type(), spec.format())
        return PutValues.of(type, bytes).encodedFor(variable) { }
    }
}
