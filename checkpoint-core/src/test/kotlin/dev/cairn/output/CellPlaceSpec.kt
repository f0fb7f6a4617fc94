package dev.cairn.output

import dev.cairn.concentrate.Concentrators
import dev.cairn.grid.Shape
import dev.cairn.item.CellBlock
import dev.cairn.redistribution.Cells
import dev.cairn.sion.netcdf.NetcdfType
import dev.cairn.state.ElementType
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

/** Places follow from the sizes alone: a header of H bytes, constants, and records of the variables one behind the other. */
class CellPlaceSpec :
    FunSpec({
        fun Declaration.constant(name: String, values: ByteArray) {
            val box = Shape.of(values.size.toLong()).box()
            val block = CellBlock(box, box, Cells.of(values))
            add(
                name,
                NetcdfType.BYTE,
                Shape.of(5),
                listOf(name),
                emptyList(),
                CellOrigin.Constant(ElementType.BYTE, block),
            )
        }

        fun Declaration.inRecords(name: String, type: NetcdfType, shape: Shape?) =
            add(name, type, shape, null, emptyList(), CellOrigin.Puts)

        fun planOf(declare: Declaration.() -> Unit) =
            Declaration()
                .apply(
                    declare,
                ).plan("time", null, Concentrators.perHost(1), memory = 1, stage = null, room = 1)

        fun OutputPlan.named(position: Long) = placeOf(position)?.toString()

        test("a byte of a file belongs to a cell, to the padding behind cells, or to nothing that has a name") {
            val plan =
                planOf {
                    constant("y", ByteArray(5))
                    inRecords("time", NetcdfType.DOUBLE, null)
                    inRecords("u", NetcdfType.SHORT, Shape.of(3, 5))
                }
            val header = plan.layout.headerSize()
            // 5 bytes and 3 of padding; then records of 8 bytes, and 30 with 2 of padding.
            val records = header + 8
            plan.named(0) shouldBe null
            plan.named(header - 1) shouldBe null
            plan.named(header) shouldBe "cell [0] of variable 'y'"
            plan.named(header + 4) shouldBe "cell [4] of variable 'y'"
            plan.named(header + 5) shouldBe null
            plan.named(records) shouldBe "record 0 of variable 'time'"
            plan.named(records + 7) shouldBe "record 0 of variable 'time'"
            plan.named(records + 8) shouldBe "cell [0, 0] of record 0 of variable 'u'"
            plan.named(records + 8 + 2 * 7 + 1) shouldBe "cell [1, 2] of record 0 of variable 'u'"
            plan.named(records + 8 + 30) shouldBe "the padding behind record 0 of variable 'u'"
            plan.named(records + 3 * 40 + 39) shouldBe "the padding behind record 3 of variable 'u'"
            plan.named(records + 4 * 40) shouldBe "record 4 of variable 'time'"
            plan.named(records + 4 * 40 + 8 + 29) shouldBe "cell [2, 4] of record 4 of variable 'u'"
        }

        test("records of a single variable have no padding") {
            val plan = planOf { inRecords("few", NetcdfType.BYTE, Shape.of(5)) }
            val records = plan.layout.headerSize()
            plan.named(records + 4) shouldBe "cell [4] of record 0 of variable 'few'"
            plan.named(records + 5) shouldBe "cell [0] of record 1 of variable 'few'"
            plan.named(records + 5 * 1_000_000_000L + 2) shouldBe "cell [2] of record 1000000000 of variable 'few'"
        }
    })
