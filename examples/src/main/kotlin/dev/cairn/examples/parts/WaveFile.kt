package dev.cairn.examples.parts

import dev.cairn.sion.netcdf.NetcdfFormat
import dev.cairn.sion.netcdf.NetcdfLayout
import dev.cairn.sion.netcdf.NetcdfReader
import dev.cairn.sion.netcdf.NetcdfSpec
import dev.cairn.sion.netcdf.NetcdfType
import dev.cairn.sion.netcdf.NetcdfWriter
import dev.cairn.sion.netcdf.Values
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.stripe.Hyperslab
import java.nio.file.Path

// The same file as that of WaveFileInJava, byte for byte.

private val store = FileBlockStore()

// region write
internal fun writeWave(path: Path) {
    val spec =
        NetcdfSpec
            .builder(NetcdfFormat.CDF_2)
            .unlimited("time")
            .dimension("x", 8)
            .attribute("title", "a wave")
            .variable("time", NetcdfType.INT, "time")
            .variable("height", NetcdfType.FLOAT, listOf("time", "x")) { it.attribute("units", "m") }
            .build()
    NetcdfWriter.create(store, path, NetcdfLayout.plan(spec)).use { file ->
        for (step in 0 until 3) {
            file.write("time", Hyperslab.at(step.toLong()), Values.of(intArrayOf(step)))
            file.write("height", Hyperslab.at(step.toLong()), Values.of(WaveFileInJava.heights(step)))
            file.force()
            file.raiseRecordCount(step + 1L) // from now on readers see the record
        }
        file.force()
    }
}
// endregion

// region read
internal fun readWave(path: Path): DoubleArray =
    NetcdfReader.open(store, path).use { it.readDoubles("height", Hyperslab.WHOLE) }
// endregion
