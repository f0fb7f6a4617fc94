package dev.cairn.output

import dev.cairn.sion.netcdf.NetcdfReader
import dev.cairn.sion.netcdf.Section
import dev.cairn.sion.netcdf.Values
import java.nio.ByteBuffer

/** What the header and the constants of the file [found] have otherwise than declared, as a continuation of "the file"; null if nothing. */
internal fun OutputPlan.differenceFrom(found: NetcdfReader): String? {
    if (found.layout().header(0) != layout.header(0)) {
        val (its, own) = found.spec().inWords() to layout.spec().inWords()
        if (its != own) return "has $its, and the program declares $own"
        return "has other attributes than the program declares"
    }
    val changed = constants.find { it.storedIn(found) != it.bytes }
    return changed?.let { "has other values of the constant '${it.variable.name}' than the program declares" }
}

private fun MemoryPut.storedIn(file: NetcdfReader): ByteBuffer =
    ByteBuffer.allocate(bytes.capacity()).also {
        file.read(variable.name, Section.WHOLE, Values.ofCells(variable.variable.type(), it))
    }
