package dev.cairn.sion.fuzz

import dev.cairn.sion.netcdf.NetcdfException
import dev.cairn.sion.netcdf.NetcdfReader
import dev.cairn.sion.netcdf.NetcdfType
import dev.cairn.sion.netcdf.NetcdfWarnings
import dev.cairn.sion.netcdf.Variable
import dev.cairn.sion.stripe.Hyperslab

/**
 * Reads all that a NetCDF file holds. What is no refusal with a sentence, costs more than the size of the file explains,
 * or differs between two ways, is thrown.
 */
class NetcdfReadThrough(private val content: ByteArray) {
    private val path = HostileFiles.DIRECTORY.resolve("x.nc")
    private val bounds = Bounds.ofReading(content.size)
    private val store = HostileStore(mapOf(path to content), bounds)

    /** How the file was refused, or [ReaderTarget.READ_THROUGH]. */
    fun run(): String {
        val outcome =
            try {
                bounds.allocating(BYTES_PER_BYTE) { NetcdfReader.open(store, path) }.use(::readAll)
                ReaderTarget.READ_THROUGH
            } catch (refusal: NetcdfException) {
                requireSentence(refusal)
                refusal.javaClass.simpleName
            }
        if (store.openCount != 0) throw AssertionError("${store.openCount} files were left open")
        return outcome
    }

    private fun readAll(reader: NetcdfReader) {
        val header = reader.layout().headerSize()
        if (header > content.size) throw AssertionError("a header of $header bytes in a file of ${content.size}")
        (reader.spec().attributes() + reader.spec().variables().flatMap { it.attributes() }).forEach {
            if (it.type() == NetcdfType.CHAR) it.text() else it.doubles()
        }
        reader.spec().variables().forEach { variable ->
            requireSameHeader(reader)
            if (reader.layout().begin(variable.name()) < header) throw AssertionError("$variable begins in the header")
            read(reader, variable)
        }
    }

    /** A variable that the file is too short for, or whose numbers are no integers, is refused. */
    private fun read(reader: NetcdfReader, variable: Variable) =
        bounds.allocating(BYTES_PER_BYTE, MISSING_CELLS) {
            try {
                if (variable.type() == NetcdfType.CHAR) {
                    reader.readText(variable.name(), Hyperslab.WHOLE)
                } else {
                    reader.readDoubles(variable.name(), Hyperslab.WHOLE)
                    reader.readLongs(variable.name(), Hyperslab.WHOLE)
                }
            } catch (refusal: NetcdfException) {
                if (refusal is NetcdfException.Corrupt) throw AssertionError("the header was read before", refusal)
                requireSentence(refusal)
            }
        }

    /** But for padding, sizes and a missing number of records, the header can be written again. */
    private fun requireSameHeader(reader: NetcdfReader) {
        val again = reader.layout().header(reader.recordCount()).remaining()
        if (again.toLong() !=
            reader.layout().headerSize()
        ) {
            throw AssertionError("a header of $again bytes is written again")
        }
    }

    private fun requireSentence(refusal: NetcdfException) {
        val message = refusal.message.orEmpty()
        if (!message.startsWith("$path: ") || !message.endsWith('.') || "null" in message) {
            throw AssertionError("no sentence: $message", refusal)
        }
        if (refusal is NetcdfException.Corrupt && refusal.offset() !in 0..content.size) {
            throw AssertionError("no such byte: $message", refusal)
        }
    }

    private companion object {
        /** An attribute of 12 bytes takes some 300 in objects, half of them for a moment. */
        const val BYTES_PER_BYTE = 40

        /** Two arrays for the cells that a file may lack, and for each the largest piece that is read at once. */
        const val MISSING_CELLS = 2L * (65_536 * Long.SIZE_BYTES + 262_144)

        init {
            NetcdfWarnings.off()
        }
    }
}
