package dev.cairn.cli

import dev.cairn.grid.Box
import dev.cairn.grid.Shape
import dev.cairn.state.ElementType
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path

/** What the command says of fields of which only some cells were stored. */
class SparseFieldsCommandSpec :
    FunSpec({
        val shape = Shape.of(4, 5)
        val left = Shape.of(4, 2).box()
        val right = Shape.of(2, 2).at(1, 3)

        /** A save of two ranks, of which each has one box; a cell is its number plus [offset]. */
        suspend fun HeatCheckpoints.save(boxes: List<Box>, offset: Int = 1) =
            save(2, step = 1, HEAT, fileCount = 1) { rank, _ ->
                field("level", shape, ElementType.INT) {
                    sparse()
                    val box = boxes[rank]

                    fun cellAt(index: Int) = shape.index(*box.cell(index.toLong())).toInt() + offset
                    block(box, IntArray(box.cellCount().toInt(), ::cellAt))
                }
            }

        test("verify, info and plan take a sparse field for what it is") {
            val heat = HeatCheckpoints().apply { save(listOf(left, right)) }
            heat.cairn("verify", "heat.cairn").exitCode shouldBe 0
            heat.cairn("info", "heat.cairn").text shouldContain
                Regex("level +field +int +4x5 +12 +48 .*; coverage: sparse")
            heat.cairn("plan", "heat.cairn", "--ranks", "3").text shouldContain
                "each read once; then every rank gets what was stored of its rows"
        }

        test("extract writes no zeros for what was not stored") {
            val heat = HeatCheckpoints().apply { save(listOf(left, right)) }
            heat.cairn("extract", "heat.cairn", "level", "level.npy").run {
                exitCode shouldBe 3
                complaint shouldBe
                    "cairn: 'level' is sparse, and 8 of its 20 cells were stored by no rank, such as [0..1)x[2..5). " +
                    "Give a value for them with --missing, such as --missing 0."
            }
            heat.cairn("extract", "heat.cairn", "level", "level.npy", "--missing", "NaN").complaint shouldBe
                "cairn: --missing: 'NaN' is no int, which the cells of 'level' are."
            heat.cairn("extract", "heat.cairn", "level", "level.npy", "--missing", "-7").text shouldBe
                "level.npy: 208 bytes of 'level' of heat.cairn/000001\n" +
                "8 cells that no rank stored, written as -7\n"
            val bytes =
                heat
                    .read(Path.of("level.npy"))
                    .position(128)
                    .slice()
                    .order(java.nio.ByteOrder.LITTLE_ENDIAN)
            List(20) { bytes.getInt(it * 4) } shouldBe
                List(20) { cell -> if (isStored(shape, cell, left, right)) cell + 1 else -7 }
        }

        test("diff counts cells that only one of two saves holds, also where they are zero") {
            val heat =
                HeatCheckpoints().apply {
                    save(listOf(left, right), offset = 0)
                    save(listOf(right, left), offset = 0)
                    save(listOf(Shape.of(3, 2).at(1, 0), right), offset = 0)
                }
            heat.cairn("diff", "heat.cairn/1", "heat.cairn/2").run {
                exitCode shouldBe 0
                text shouldContain Regex("level +12 +0 +sparse")
            }
            heat.cairn("diff", "heat.cairn/2", "heat.cairn/3").run {
                exitCode shouldBe 1
                text shouldContain Regex("level +12 +2 +0.0 +\\(0, 0\\) +sparse")
            }
        }
    })

private fun isStored(shape: Shape, cell: Int, vararg boxes: Box) = boxes.any { it.contains(*shape.cell(cell.toLong())) }
