package dev.cairn.sion.fuzz

import dev.cairn.sion.netcdf.NetcdfFormat
import dev.cairn.sion.netcdf.NetcdfModel
import dev.cairn.sion.netcdf.NetcdfReader
import dev.cairn.sion.netcdf.randomSpec
import dev.cairn.sion.store.fixture.bytesOf
import dev.cairn.sion.store.fixture.simulatedPlace
import java.nio.ByteBuffer
import java.nio.file.Path
import kotlin.io.path.writeBytes
import kotlin.random.Random

/** What the fuzzer starts from: small files of all formats, with and without records. */
object NetcdfSeeds {
    fun unpack(directory: Path) =
        all().forEachIndexed { number, bytes -> directory.resolve("seed-$number").writeBytes(bytes) }

    private fun all(): List<ByteArray> =
        files().flatMap { withoutRecordCount(it) + listOf(it, withLastBegin(it)) } + HDF5

    private fun files(): List<ByteArray> =
        NetcdfFormat.values().flatMap { format ->
            List(10) { seed ->
                val random = Random(seed)
                val spec = randomSpec(random, format)
                val place = simulatedPlace()
                val file = place.path("seed.nc")
                NetcdfModel(spec, if (spec.unlimitedDimension().isEmpty) 0 else 2).write(random, place.store, file)
                place.store.bytesOf(file)
            }
        }

    /** With as many records as the file has room for, and with more than any file has. */
    private fun withoutRecordCount(file: ByteArray): List<ByteArray> =
        listOf(-1L, -2L).map { count ->
            file.copyOf().also { bytes ->
                val field = ByteBuffer.wrap(bytes, 4, 8)
                if (bytes[3].toInt() == 5) field.putLong(count) else field.putInt(count.toInt())
            }
        }

    /** With the last variable at the largest position. */
    private fun withLastBegin(file: ByteArray): ByteArray {
        val place = simulatedPlace()
        val layout = NetcdfReader.open(place.store, place.file("seed.nc", file)).use { it.layout() }
        val end = layout.headerSize().toInt()
        if (layout.spec().format() == NetcdfFormat.CDF_1 || layout.spec().variables().isEmpty()) return file
        return file.copyOf().also { ByteBuffer.wrap(it, end - 8, 8).putLong(Long.MAX_VALUE) }
    }

    private val HDF5 = "\u0089HDF\r\n\u001a\n".toByteArray(Charsets.ISO_8859_1)
}
