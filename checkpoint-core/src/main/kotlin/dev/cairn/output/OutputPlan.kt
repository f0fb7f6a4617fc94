package dev.cairn.output

import dev.cairn.concentrate.Concentrators
import dev.cairn.concentrate.Pattern
import dev.cairn.concentrate.Request
import dev.cairn.sion.netcdf.Dimension
import dev.cairn.sion.netcdf.NetcdfLayout
import dev.cairn.sion.netcdf.NetcdfReader
import dev.cairn.sion.netcdf.NetcdfSpec
import dev.cairn.sion.netcdf.Values
import dev.cairn.sion.stripe.Hyperslab
import java.nio.ByteBuffer
import java.nio.file.Path
import java.util.zip.CRC32C

/**
 * What a program puts into a NetCDF file. The same on all ranks, but for the cells of the [sources].
 *
 * @property sources what an append puts; other variables with records get only single puts
 * @property memory how many bytes a rank keeps in memory, on average, before an append flushes
 * @property stage the directory on each host for what waits; null if it waits in memory
 * @property room how many bytes a rank keeps there, on average, before an append flushes
 * @property constants the variables without records, which are put when the file is made
 */
internal class OutputPlan(
    val layout: NetcdfLayout,
    val variables: List<FileVariable>,
    val sources: List<CellSource>,
    val constants: List<MemoryPut>,
    val concentrators: Concentrators,
    val memory: Long,
    val stage: Path?,
    val room: Long,
) {
    private val appended = sources.map { it.variable }.toSet()

    /** The bytes of all cells of a record that is appended. */
    val recordBytes: Long = appended.sumOf { it.byteCount }

    /** The variables with records whose cells need not all be put. */
    val sparse: List<FileVariable> = variables.filter { it.hasRecords && it !in appended }

    init {
        val vast = sparse.find { it.byteCount > MOST_FILLED }
        require(vast == null) {
            "variable '${vast!!.name}' has ${vast.byteCount} bytes in each record, most of which would be fill " +
                "values, and at most $MOST_FILLED are filled. Declare a source for it, or make it smaller"
        }
    }

    /** What all ranks must declare alike, attributes and constants too. They flush together, when their room is used. */
    val inWords: List<String>
        get() {
            val crc = CRC32C().apply { update(layout.header(0)) }
            constants.forEach { crc.update(it.bytes.duplicate()) }
            return listOf(
                layout.spec().inWords(),
                "header and constants with the checksum %08x".format(crc.value),
                "$memory bytes of memory",
                if (stage == null) "no stage" else "$room bytes in $stage",
            )
        }

    /** How many records a file of [size] bytes has. */
    fun recordsIn(size: Long): Long =
        if (layout.recordSize() == 0L) 0 else (size - layout.size(0)) / layout.recordSize()

    fun variable(name: String): FileVariable =
        requireNotNull(variables.find { it.name == name }) {
            "there is no variable '$name', only ${variables.joinToString { "'${it.name}'" }}"
        }

    /** The share of [rank] in giving the cells of [sparse] variables in [records] their fill values. */
    fun fills(records: LongRange, rank: Int, rankCount: Int): List<Request> =
        sparse.flatMap { variable ->
            val cell = variable.variable.fillCell()
            val cells = variable.shape.cellCount()

            fun startOf(rank: Int) = cell.limit() * (cells / rankCount * rank + minOf(cells % rankCount, rank.toLong()))
            records.map { record ->
                val begin = variable.offset(record)
                Pattern(begin + startOf(rank), begin + startOf(rank + 1), cell)
            }
        }

    /** What lies between the variables in [records]: bytes of the fill value, as NetCDF has them. */
    fun paddings(records: LongRange): List<Request> =
        variables.filter { it.hasRecords && it.padding > 0 }.flatMap { variable ->
            records.map { record ->
                val end = variable.offset(record) + variable.byteCount
                Pattern(end, end + variable.padding, variable.variable.fillCell())
            }
        }
}

/** More would take a record minutes. */
private const val MOST_FILLED = 4L shl 30

/** For messages. */
internal fun NetcdfSpec.inWords(): String =
    "${format()} with " +
        variables().joinToString { variable ->
            "${variable.type()} ${variable.name()}" +
                variable.dimensions().joinToString(prefix = "(", postfix = ")") { it.inWords() }
        }

private fun Dimension.inWords() = if (isUnlimited) name() else "${name()} = ${length()}"

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
        file.read(variable.name, Hyperslab.WHOLE, Values.ofCells(variable.variable.type(), it))
    }
