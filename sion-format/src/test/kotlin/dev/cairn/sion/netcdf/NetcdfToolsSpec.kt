package dev.cairn.sion.netcdf

import dev.cairn.house.needs
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.fixture.bytes
import dev.cairn.sion.store.fixture.bytesOf
import dev.cairn.sion.store.fixture.withRandom
import dev.cairn.sion.stripe.Hyperslab
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import java.nio.file.Path
import kotlin.random.Random

/** NetCDF's own programs and Cairn write the same bytes, and read each other's values. */
class NetcdfToolsSpec :
    FunSpec({
        val store = FileBlockStore()
        val directory = tempdir().toPath()

        fun header(file: Path): ByteArray {
            val size = NetcdfReader.open(store, file).use { it.layout().headerSize().toInt() }
            return store.open(file, Access.READ).use { it.bytes(0, size) }
        }

        NetcdfFormat.values().forEach { format ->
            test("$format: ncgen makes the same file of the same description")
                .config(enabledOrReasonIf = needs { NetcdfTools.areThere() }) {
                    withRandom { random ->
                        repeat(DESCRIPTIONS) { number ->
                            val spec = randomSpec(random, format, TYPES_OF_NCGEN.filter(format::has))
                            val theirs = directory.resolve("$format-theirs-$number.nc")
                            NetcdfTools.ncgen(cdl(spec), format, theirs)

                            val ours = directory.resolve("$format-ours-$number.nc")
                            NetcdfWriter.create(store, ours, NetcdfLayout.plan(spec)).use { file ->
                                spec.variables().forEach { file.fill(it.name(), Hyperslab.WHOLE) }
                            }
                            withClue(cdl(spec)) {
                                store.bytesOf(ours) shouldBe store.bytesOf(theirs)
                                NetcdfReader.open(store, theirs).use { it.spec() shouldBe spec }
                            }
                        }
                    }
                }

            test("$format: Python reads what Cairn writes, and Cairn what Python writes")
                .config(enabledOrReasonIf = needs { NetcdfTools.areThere() }) {
                    withRandom { random ->
                        val models = List(25) { randomModel(random, format) }
                        val files = List(models.size) { directory.resolve("$format-$it.nc") }
                        models.zip(files).forEach { (model, file) -> model.write(random, store, file) }

                        val lines =
                            NetcdfTools
                                .python(
                                    COPY_IN_PYTHON,
                                    *files.map(Path::toString).toTypedArray(),
                                ).lines()
                        models.indices.forEach { number ->
                            val copy = Path.of("${files[number]}.copy")
                            withClue(files[number]) {
                                models[number].shouldBeHeldBy(valuesIn(lines[number]))
                                NetcdfReader.open(store, copy).use { reader ->
                                    reader.spec().format() shouldBe format
                                    models[number].shouldBeHeldBy { reader.texts(it, Hyperslab.WHOLE) }
                                }
                            }
                        }
                    }
                }
        }

        test(
            "ncdump and nccopy read a file while it grows",
        ).config(enabledOrReasonIf = needs { NetcdfTools.areThere() }) {
            val spec =
                NetcdfSpec
                    .builder(NetcdfFormat.CDF_5)
                    .unlimited("step")
                    .dimension("x", 3)
                    .attribute("title", "a wave, “höher”")
                    .variable("h", NetcdfType.UBYTE, "step", "x")
                    .build()
            val file = directory.resolve("growing.nc")
            val layout = NetcdfLayout.plan(spec, NetcdfSpec.Spacing.NONE.withHeaderReserve(2000))
            NetcdfWriter.create(store, file, layout).use { writer ->
                writer.write("h", Hyperslab.range(0, 3), numbers(1, 2, 3, 4, 5, 255, 7, 8, 9))
                writer.force()
                writer.raiseRecordCount(2)

                NetcdfTools.ncdump("$file") shouldContain "h =\n  1, 2, 3,\n  4, 5, 255 ;"
                val copy = directory.resolve("copy.nc")
                NetcdfTools.nccopy("-k", "cdf5", "$file", "$copy")
                NetcdfReader
                    .open(
                        store,
                        copy,
                    ).use { it.readLongs("h", Hyperslab.at(1)) shouldBe longArrayOf(4, 5, 255) }
            }
        }

        test("ncgen makes the same file of the same values, with the same padding")
            .config(enabledOrReasonIf = needs { NetcdfTools.areThere() }) {
                val theirs = directory.resolve("padded-theirs.nc")
                NetcdfTools.ncgen(PADDED, NetcdfFormat.CDF_2, theirs)
                val ours = directory.resolve("padded-ours.nc")
                val spec = NetcdfReader.open(store, theirs).use { it.spec() }
                NetcdfWriter.create(store, ours, NetcdfLayout.plan(spec)).use { file ->
                    file.write("b", Hyperslab.WHOLE, numbers(1, 2, 3, 4, 5))
                    file.write("s", Hyperslab.WHOLE, numbers(1, 2, 3))
                    file.write("c", Hyperslab.WHOLE, Values.ofText("abc"))
                    for (record in 0 until 2) {
                        file.write("rb", Hyperslab.at(record.toLong()), numbers(1, 2, 3))
                        file.write("rs", Hyperslab.at(record.toLong()), numbers(7))
                        file.write("ri", Hyperslab.at(record.toLong()), numbers(8))
                    }
                    file.raiseRecordCount(2)
                }
                store.bytesOf(ours) shouldBe store.bytesOf(theirs)
            }

        test("cells that a file is too short for are the zeros that ncdump prints")
            .config(enabledOrReasonIf = needs { NetcdfTools.areThere() }) {
                val file = directory.resolve("short.nc")
                NetcdfTools.ncgen(PADDED, NetcdfFormat.CDF_2, file)
                val layout = NetcdfReader.open(store, file).use { it.layout() }
                val cut = layout.begin("rs") + layout.recordSize()
                store.open(file, Access.READ_WRITE).use { it.resize(cut) }
                NetcdfTools.ncdump("-v", "rs,ri", "$file") shouldContain "rs = 7, 0 ;\n\n ri = 8, 0 ;"
                NetcdfReader.open(store, file).use { reader ->
                    reader.readLongs("rs", Hyperslab.WHOLE) shouldBe longArrayOf(7, 0)
                    reader.readLongs("ri", Hyperslab.WHOLE) shouldBe longArrayOf(8, 0)
                }
            }

        test("ncgen saturates the same sizes").config(enabledOrReasonIf = needs { NetcdfTools.areThere() }) {
            val lengths = listOf(NetcdfFormat.CDF_1 to (1L shl 30), NetcdfFormat.CDF_2 to (1L shl 30))
            for ((format, length) in lengths + (NetcdfFormat.CDF_2 to (1L shl 30) - 1)) {
                val spec =
                    NetcdfSpec
                        .builder(format)
                        .dimension("x", length)
                        .variable("before", NetcdfType.INT)
                        .variable("large", NetcdfType.INT, "x")
                        .build()
                val theirs = directory.resolve("large-$format-$length.nc")
                NetcdfTools.ncgenHeader(cdl(spec), format, theirs)
                val header = NetcdfLayout.plan(spec).header(0)
                ByteArray(header.remaining()).also(header::get) shouldBe header(theirs)
            }
        }
    })

/** Variables that end off a multiple of 4, with and without records. */
private const val PADDED = """netcdf padded {
dimensions: t = UNLIMITED ; five = 5 ; three = 3 ;
variables:
  byte b(five) ; short s(three) ; char c(three) ; byte rb(t, three) ; short rs(t) ; int ri(t) ;
  s:_FillValue = 9s ;
data:
  b = 1, 2, 3, 4, 5 ; s = 1, 2, 3 ; c = "abc" ; rb = 1, 2, 3, 1, 2, 3 ; rs = 7, 7 ; ri = 8, 8 ;
}
"""

private fun randomModel(random: Random, format: NetcdfFormat): NetcdfModel {
    val spec = randomSpec(random, format)
    val isGrowing = spec.variables().any { it.isRecordVariable }
    return NetcdfModel(spec, if (isGrowing) random.nextLong(4) else 0)
}

/** What Python printed of a file. */
private fun valuesIn(line: String): (Variable) -> List<String> {
    val variables = Json.parseToJsonElement(line).jsonObject
    return { variable -> variables.getValue(variable.name()).jsonArray.map { it.jsonPrimitive.content } }
}

private fun NetcdfModel.shouldBeHeldBy(found: (Variable) -> List<String>) =
    spec.variables().forEach { variable ->
        withClue(variable) {
            found(variable).map(variable::normal) shouldContainExactly
                values.getValue(variable.name()).map(variable::normal)
        }
    }

/** Python prints floating numbers in other ways, and those of 4 bytes with the digits of 8. */
private fun Variable.normal(text: String): String =
    when (type()) {
        NetcdfType.FLOAT -> "${text.toFloat()}"
        NetcdfType.DOUBLE -> "${text.toDouble()}"
        else -> text
    }

/** Each takes a process. */
private const val DESCRIPTIONS = 12

/** The ncgen of NetCDF 4.9.0 makes variables of type int64 into int in CDF-5. */
private val TYPES_OF_NCGEN = NetcdfType.values().toList() - NetcdfType.INT64

private val COPY_IN_PYTHON = Path.of("src/test/python/copy_netcdf.py")
