package dev.cairn.sion.netcdf

import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.stripe.Hyperslab
import java.nio.file.Path
import kotlin.random.Random

/** What a file should hold: for each variable the values in row-major order, as texts. */
internal class NetcdfModel(val spec: NetcdfSpec, val recordCount: Long) {
    val values: Map<String, Array<String>> =
        spec.variables().associate { variable ->
            val fill = variable.fillValue().text(0)
            variable.name() to Array(variable.shape(recordCount).fold(1L, Long::times).toInt()) { fill }
        }

    /** Fills everything, then writes random values to random sections, in the model and in [path]. */
    fun write(random: Random, store: BlockStore, path: Path, layout: NetcdfLayout = NetcdfLayout.plan(spec)) =
        NetcdfWriter.create(store, path, layout).use { file ->
            spec.variables().forEach { file.fill(it.name(), all(it)) }
            repeat(if (spec.variables().isEmpty()) 0 else WRITES) {
                val variable = spec.variables().random(random)
                val section = randomSection(random, variable.shape(recordCount))
                val written = randomValues(random, variable.type(), section.cellCount().toInt())
                file.write(variable.name(), section, written)
                assign(variable, section, written)
            }
            file.force()
            file.raiseRecordCount(if (layout.mostRecords() == 0L) 0 else recordCount)
        }

    private fun all(variable: Variable) =
        if (variable.isRecordVariable) Hyperslab.range(0, recordCount) else Hyperslab.WHOLE

    private fun assign(variable: Variable, section: Hyperslab, written: Values) =
        cells(variable, section).forEachIndexed { index, cell ->
            values.getValue(variable.name())[cell] = written.text(index)
        }

    /** The values of [section], which names all dimensions. */
    fun valuesOf(variable: Variable, section: Hyperslab): List<String> =
        cells(variable, section).map { values.getValue(variable.name())[it] }

    private fun cells(variable: Variable, section: Hyperslab): List<Int> {
        val shape = variable.shape(recordCount)
        return cellsOf(LongArray(section.dimensionCount(), section::count)).map { cell ->
            shape.indices
                .fold(0L) { number, it ->
                    number * shape[it] + section.start(it) +
                        cell[it] * section.stride(it)
                }.toInt()
        }
    }

    private companion object {
        const val WRITES = 8
    }
}

/** Some indices in each dimension of an array, perhaps none. */
internal fun randomSection(random: Random, shape: LongArray): Hyperslab {
    val stride = LongArray(shape.size) { random.nextLong(1, 3) }
    val start = LongArray(shape.size) { random.nextLong(shape[it] + 1) }
    val count = LongArray(shape.size) { random.nextLong((shape[it] - start[it] + stride[it] - 1) / stride[it] + 1) }
    return Hyperslab.of(start, count, stride)
}

/** The values of [section], as the texts of the variable's own type. */
internal fun NetcdfReader.texts(variable: Variable, section: Hyperslab): List<String> {
    val count = layout().valueCount(variable.name(), section, recordCount()).toInt()
    val values = emptyValues(variable.type(), count)
    read(variable.name(), section, values)
    return List(count) { values.text(it) }
}

/** Room for values of a type. */
internal fun emptyValues(type: NetcdfType, count: Int): Values = randomValues(Random(0), type, count)
