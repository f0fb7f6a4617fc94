package dev.cairn.sion.netcdf

import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.fixture.bytesOf
import dev.cairn.sion.store.fixture.simulatedPlace
import dev.cairn.sion.stripe.Hyperslab
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.nio.file.FileAlreadyExistsException
import java.nio.file.Path

class NetcdfWriterSpec :
    FunSpec({
        val file = Path.of("/file.nc")
        val spec =
            NetcdfSpec
                .builder(NetcdfFormat.CDF_5)
                .unlimited("time")
                .dimension("x", 3)
                .dimension("name", 8)
                .variable("height", NetcdfType.SHORT, "x")
                .variable("label", NetcdfType.CHAR, "name")
                .variable(
                    "flag",
                    NetcdfType.UBYTE,
                    listOf("time", "x"),
                ) { it.fillValue(Values.ofUnsigned(byteArrayOf(7))) }
                .variable("depth", NetcdfType.DOUBLE, "time")
                .build()

        fun created(store: BlockStore = simulatedPlace().store): BlockStore =
            store.also { NetcdfWriter.create(it, file, NetcdfLayout.plan(spec)).close() }

        fun BlockStore.write(block: (NetcdfWriter) -> Unit) = NetcdfWriter.open(this, file).use(block)

        fun <T> BlockStore.read(block: (NetcdfReader) -> T): T = NetcdfReader.open(this, file).use(block)

        test("a value that does not fit is refused before any is written") {
            val store = created()
            val before = store.bytesOf(file)

            store.write { writer ->
                val refusal =
                    shouldThrow<NetcdfException.OutOfRange> {
                        writer.write(
                            "height",
                            Hyperslab.WHOLE,
                            numbers(1, 40_000, 70_000),
                        )
                    }
                refusal.message shouldBe
                    "/file.nc: variable height has at [1] the value 40000, which is no SHORT. Nothing was written: " +
                    "correct it, or give the variable a wider type."
                refusal.variable() shouldBe "height"
                refusal.indices() shouldBe longArrayOf(1)

                shouldThrow<NetcdfException.OutOfRange> {
                    val section = Hyperslab.of(longArrayOf(4, 0), longArrayOf(2, 2), longArrayOf(3, 2))
                    writer.write("flag", section, numbers(1.0, 2.0, 3.0, Double.NaN))
                }.indices() shouldBe longArrayOf(7, 2)
            }
            store.bytesOf(file) shouldBe before
        }

        test("records count when the record count is raised, and not before") {
            val store = created()
            store.write { writer ->
                writer.write("depth", Hyperslab.range(0, 4), numbers(0, 1, 2, 3))
                store.read { it.recordCount() } shouldBe 0

                writer.raiseRecordCount(2)
                writer.recordCount() shouldBe 2
                store.read { it.readDoubles("depth", Hyperslab.WHOLE) } shouldBe doubleArrayOf(0.0, 1.0)
                writer.write("depth", Hyperslab.WHOLE, numbers(5, 6))

                shouldThrow<IllegalArgumentException> { writer.raiseRecordCount(1) }.message shouldBe
                    "/file.nc has 2 records, which cannot become 1."
                writer.raiseRecordCount(4)
            }
            store.read { it.readLongs("depth", Hyperslab.WHOLE) } shouldBe longArrayOf(5, 6, 2, 3)
        }

        test("a file is as long as its records, also if nothing was written to them") {
            val store = created()
            store.write { it.raiseRecordCount(3) }
            store.read { reader ->
                store.bytesOf(file).size.toLong() shouldBe reader.layout().size(3)
                reader.readLongs("flag", Hyperslab.at(2)) shouldBe longArrayOf(0, 0, 0)
            }
        }

        test("fill writes the variable's own value or that of its type, and behind the cells, too") {
            val store = created()
            store.write { writer ->
                writer.fill("height", Hyperslab.WHOLE)
                writer.fill("flag", Hyperslab.range(0, 2))
                writer.write("flag", Hyperslab.at(1), numbers(1, 2, 3))
                writer.raiseRecordCount(2)
            }
            store.read { reader ->
                reader.readLongs("height", Hyperslab.WHOLE) shouldBe longArrayOf(-32767, -32767, -32767)
                reader.readLongs("flag", Hyperslab.WHOLE) shouldBe longArrayOf(7, 7, 7, 1, 2, 3)
                val end = reader.layout().begin("height").toInt() + 6
                store.bytesOf(file).copyOfRange(end, end + 2) shouldBe byteArrayOf(0x80.toByte(), 1)
            }
        }

        test("writing the last cell writes the padding behind it, unless the file is open for cells only") {
            for (isForCells in listOf(false, true)) {
                val store = created()
                val open = if (isForCells) NetcdfWriter::openForCells else NetcdfWriter::open
                open(store, file).use { writer ->
                    writer.write("height", Hyperslab.range(0, 2), numbers(1, 2))
                    writer.write("height", Hyperslab.at(2), numbers(3))
                    writer.write("flag", Hyperslab.of(longArrayOf(0, 1), longArrayOf(2, 2)), numbers(1, 2, 3, 4))
                    writer.raiseRecordCount(2)
                }
                val layout = NetcdfReader.open(store, file).use { it.layout() }
                val height = layout.begin("height").toInt() + 6
                val flag = layout.begin("flag").toInt() + 3
                val bytes = store.bytesOf(file)
                val record = layout.recordSize().toInt()
                bytes.copyOfRange(height, height + 2) shouldBe
                    if (isForCells) byteArrayOf(0, 0) else byteArrayOf(0x80.toByte(), 1)
                bytes.size.toLong() shouldBe if (isForCells) flag + record.toLong() else layout.size(2)
                bytes[flag] shouldBe if (isForCells) 0.toByte() else 7.toByte()
                if (!isForCells) bytes[flag + record] shouldBe 7.toByte()
            }
        }

        test("text is written and read in UTF-8, and without the zeros behind it") {
            val store = created()
            store.write { it.write("label", Hyperslab.range(0, 5), Values.ofText("Höhe")) }
            store.read { it.readText("label", Hyperslab.WHOLE) } shouldBe "Höhe"
        }

        test("wrong sections, wrong counts and wrong types are refused") {
            val store = created()
            store.write { writer ->
                mapOf(
                    { writer.write("h", Hyperslab.WHOLE, numbers(1)) } to
                        "there is no variable h, only [height, label, flag, depth].",
                    { writer.write("height", Hyperslab.WHOLE, numbers(1, 2)) } to
                        "the hyperslab of variable height has 3 values, but the array has 2.",
                    { writer.write("height", Hyperslab.range(1, 3), numbers(1, 2, 3)) } to
                        "variable height has 3 indices in dimension 0, but the hyperslab has 3 from 1 on, 1 apart.",
                    { writer.write("height", Hyperslab.of(longArrayOf(0, 0), longArrayOf(1, 1)), numbers(1)) } to
                        "variable height has 1 dimensions, but the hyperslab names 2.",
                    { writer.write("label", Hyperslab.range(0, 1), numbers(65)) } to
                        "variable label is of type CHAR and the array of type INT: text and numbers are " +
                        "not converted into each other.",
                    { writer.write("flag", Hyperslab.at(Long.MAX_VALUE - 1), numbers(1, 2, 3)) } to
                        "variable flag has 768614336404564615 indices in dimension 0, but the hyperslab has 1 " +
                        "from 9223372036854775806 on, 1 apart.",
                    {
                        Hyperslab.of(longArrayOf(0), longArrayOf(1), longArrayOf(0))
                        Unit
                    } to
                        "dimension 0 of a hyperslab has start 0, count 1, stride 0; start and count are at least 0, " +
                        "a stride is at least 1, and no index nor number of cells exceeds 2^63 - 1.",
                ).forEach { (attempt, sentence) ->
                    val refusal = shouldThrow<IllegalArgumentException> { attempt() }
                    refusal.message shouldBe sentence
                }
            }
        }

        test("a file of the same name is not overwritten") {
            val store = created()
            shouldThrow<FileAlreadyExistsException> { NetcdfWriter.create(store, file, NetcdfLayout.plan(spec)) }
        }
    })
