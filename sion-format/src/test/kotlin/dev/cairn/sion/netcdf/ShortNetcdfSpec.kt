package dev.cairn.sion.netcdf

import dev.cairn.sion.fixture.allocatedBytes
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.fixture.simulatedPlace
import dev.cairn.sion.stripe.Hyperslab
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.shouldBe
import java.nio.file.Path

/** Files that end before the last cells of what lies last in them. */
class ShortNetcdfSpec :
    FunSpec({
        val file = Path.of("/file.nc")
        val fixed = NetcdfSpec.builder(NetcdfFormat.CDF_1).dimension("x", 3)
        val twoVariables = fixed.variable("a", NetcdfType.SHORT, "x").variable("b", NetcdfType.INT, "x").build()
        val records =
            NetcdfSpec
                .builder(NetcdfFormat.CDF_5)
                .unlimited("t")
                .dimension("x", 3)
                .variable("f", NetcdfType.INT, "x")
                .variable("a", NetcdfType.SHORT, "t")
                .variable("b", NetcdfType.INT, "t", "x")
                .build()

        /** A file whose cells are all 5, cut behind [size] bytes. */
        fun cut(spec: NetcdfSpec, recordCount: Long, size: (NetcdfLayout) -> Long): BlockStore {
            val store = simulatedPlace().store
            val layout = NetcdfLayout.plan(spec)
            NetcdfWriter.create(store, file, layout).use { writer ->
                writer.raiseRecordCount(recordCount)
                for (variable in spec.variables()) {
                    val count = layout.valueCount(variable.name(), Hyperslab.WHOLE, recordCount).toInt()
                    writer.write(variable.name(), Hyperslab.WHOLE, Values.of(IntArray(count) { 5 }))
                }
            }
            store.open(file, Access.READ_WRITE).use { it.resize(size(layout)) }
            return store
        }

        fun <T> BlockStore.read(block: (NetcdfReader) -> T): T = NetcdfReader.open(this, file).use(block)

        fun <T> BlockStore.readStrictly(block: (NetcdfReader) -> T): T = NetcdfReader.openStrict(this, file).use(block)

        fun sentence(size: Long, names: String) =
            "/file.nc: the file ends at byte $size, before the last cells of $names. Nothing was written to them, " +
                "or the file was cut: compare it with another copy."

        test("cells that the last variable lacks are zeros, once said in a warning, and refused by the strict form") {
            for (there in 0L..12) {
                withClue("$there bytes of b") {
                    val store = cut(twoVariables, 0) { it.begin("b") + there }
                    val size = NetcdfLayout.plan(twoVariables).begin("b") + there
                    // The byte that is not 0 is the last one of a cell.
                    val expected = LongArray(3) { if (there >= 4 * it + 4) 5 else 0 }
                    val warnings =
                        NetcdfWarnings.of {
                            store.read { reader ->
                                reader.readLongs("a", Hyperslab.WHOLE) shouldBe longArrayOf(5, 5, 5)
                                repeat(2) { reader.readLongs("b", Hyperslab.WHOLE) shouldBe expected }
                                reader.missing().orElse(null) shouldBe if (there < 12) sentence(size, "b") else null
                            }
                        }
                    val said = if (there < 12) listOf(sentence(size, "b") + " They are read as zeros.") else emptyList()
                    warnings shouldContainExactly said
                    store.readStrictly { reader ->
                        reader.readLongs("a", Hyperslab.WHOLE) shouldBe longArrayOf(5, 5, 5)
                        if (there < 12) {
                            shouldThrow<NetcdfException.Truncated> { reader.readLongs("b", Hyperslab.WHOLE) }
                        } else {
                            reader.readLongs("b", Hyperslab.WHOLE) shouldBe longArrayOf(5, 5, 5)
                        }
                    }
                }
            }
        }

        test("a file that lacks cells before its last variable is refused") {
            val store = cut(twoVariables, 0) { it.begin("a") + 5 }
            store.read { reader ->
                reader.readLongs("a", Hyperslab.range(0, 2)) shouldBe longArrayOf(5, 5)
                shouldThrow<NetcdfException.Truncated> { reader.readLongs("a", Hyperslab.WHOLE) }.message shouldBe
                    "/file.nc: the last value asked for of variable a at byte ${reader.layout().begin(
                        "a",
                    ) + 4} should " +
                    "have 2 bytes, but the file ends at byte ${reader.layout().begin("a") + 5}. The file was cut, or " +
                    "nothing was written there: use another copy of it, or read other parts."
                shouldThrow<NetcdfException.Truncated> { reader.readLongs("b", Hyperslab.WHOLE) }
            }
        }

        test("cells that the last record lacks are zeros, and a missing record is refused") {
            val layout = NetcdfLayout.plan(records)
            val last = layout.begin("a") + 2 * layout.recordSize()
            NetcdfWarnings.of {
                cut(records, 3) { last + 2 }.read { reader ->
                    reader.readLongs("a", Hyperslab.WHOLE) shouldBe longArrayOf(5, 5, 5)
                    reader.readLongs("b", Hyperslab.at(2)) shouldBe longArrayOf(0, 0, 0)
                    reader.missing().get() shouldBe sentence(last + 2, "b")
                }
                cut(records, 3) { last + 1 }.read { it.missing().get() shouldBe sentence(last + 1, "a, b") }
            }
            NetcdfWarnings
                .of {
                    cut(records, 3) { last }.read { reader ->
                        reader.readLongs("a", Hyperslab.range(0, 2)) shouldBe longArrayOf(5, 5)
                        shouldThrow<NetcdfException.Truncated> { reader.readLongs("a", Hyperslab.WHOLE) }
                        shouldThrow<NetcdfException.Truncated> { reader.readLongs("b", Hyperslab.WHOLE) }
                    }
                }.shouldBeEmpty()
        }

        test("nothing is allocated for a variable that a damaged header makes vast") {
            val spec =
                NetcdfSpec
                    .builder(
                        NetcdfFormat.CDF_5,
                    ).dimension("x", 1L shl 30)
                    .variable("v", NetcdfType.BYTE, "x")
                    .build()
            val store = simulatedPlace().store
            store.create(file).use { it.write(0, NetcdfLayout.plan(spec).header(0)) }
            store.read { reader ->
                val before = allocatedBytes()
                shouldThrow<NetcdfException.Truncated> { reader.readDoubles("v", Hyperslab.WHOLE) }
                allocatedBytes() - before shouldBeLessThan (1L shl 20)
                NetcdfWarnings
                    .of {
                        reader.readDoubles("v", Hyperslab.range(12, 10_000)).all { it == 0.0 } shouldBe true
                    }.size shouldBe 1
            }
        }
    })
