package dev.cairn.output

import dev.cairn.concentrate.Concentrators
import dev.cairn.grid.Box
import dev.cairn.grid.Shape
import dev.cairn.sion.netcdf.NetcdfType
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

class RankLogSpec :
    FunSpec({
        val (few, many) =
            Declaration()
                .apply {
                    for (name in listOf("few", "many")) {
                        add(name, NetcdfType.DOUBLE, Shape.of(1L shl 28), listOf("x"), emptyList(), CellOrigin.Puts)
                    }
                }.plan("time", null, Concentrators.perHost(1), memory = 1, stage = null, room = 1)
                .variables

        fun put(variable: FileVariable, bytes: Long) =
            PutPlace(variable, 0, Box.of(longArrayOf(0), longArrayOf(bytes / 8)))

        test("puts of one variable make a record together, up to 1,024 of them or 1 MiB") {
            RankLog.countOfNext(List(3) { put(few, 8) } + put(many, 8)) shouldBe 3
            RankLog.countOfNext(List(5_000) { put(few, 8) }) shouldBe 1_024
            RankLog.countOfNext(List(5_000) { put(few, 64L shl 10) }) shouldBe 16
        }

        test("a large put is a record of its own, so never more is packed than an array can have") {
            RankLog.countOfNext(List(3) { put(few, 1L shl 30) }) shouldBe 1
            RankLog.countOfNext(listOf(put(few, 8), put(few, 1L shl 30))) shouldBe 1
        }
    })
