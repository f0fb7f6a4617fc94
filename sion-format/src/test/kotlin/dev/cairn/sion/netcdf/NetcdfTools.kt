package dev.cairn.sion.netcdf

import dev.cairn.house.Need
import dev.cairn.house.isOnPath
import io.kotest.core.test.Enabled
import java.io.IOException
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.io.path.createTempFile
import kotlin.io.path.deleteExisting
import kotlin.io.path.readText
import kotlin.io.path.writeText

/** NetCDF's own programs, and its library in Python. They share nothing with Cairn. */
object NetcdfTools {
    /** Debian's own Python has the library, another one that comes first in the path may not. */
    private val python = listOf("/usr/bin/python3", "python3").firstOrNull { succeeds(it, "-c", "import netCDF4") }

    /** Whether they are there. */
    fun areThere(): Enabled = Need.NETCDF.given(python != null && listOf("ncdump", "ncgen", "nccopy").all(::isOnPath))

    /** Makes [file] of a description in NetCDF's own language. */
    fun ncgen(cdl: String, format: NetcdfFormat, file: Path) = ncgen(cdl, "-k", KINDS.getValue(format), "-o", "$file")

    /** The same without values, so that large variables take no room. */
    fun ncgenHeader(cdl: String, format: NetcdfFormat, file: Path) =
        ncgen(cdl, "-x", "-k", KINDS.getValue(format), "-o", "$file")

    private fun ncgen(cdl: String, vararg options: String) {
        val source = createTempFile("source", ".cdl")
        source.writeText(cdl)
        run("ncgen", *options, "$source")
        source.deleteExisting()
    }

    fun ncdump(vararg arguments: String): String = run("ncdump", *arguments)

    fun nccopy(vararg arguments: String): String = run("nccopy", *arguments)

    fun python(script: Path, vararg arguments: String): String = run(checkNotNull(python), "-B", "$script", *arguments)

    private val KINDS =
        mapOf(NetcdfFormat.CDF_1 to "classic", NetcdfFormat.CDF_2 to "64-bit offset", NetcdfFormat.CDF_5 to "cdf5")

    private fun run(vararg command: String): String {
        val complaint = createTempFile("netcdf", ".txt")
        val process = ProcessBuilder(*command).redirectError(complaint.toFile()).start()
        val output = process.inputStream.reader().readText()
        check(process.waitFor(1, TimeUnit.MINUTES)) { "${command[0]} does not end" }
        if (process.exitValue() != 0) throw AssertionError("${command.toList()} says: ${complaint.readText()}")
        complaint.deleteExisting()
        return output
    }

    private fun succeeds(vararg command: String): Boolean =
        try {
            run(*command)
            true
        } catch (_: IOException) {
            false
        } catch (_: AssertionError) {
            false
        }
}
