package dev.cairn.cli

import dev.cairn.proof.log.quietly
import dev.cairn.proof.state.RowsState
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.nio.file.Path

private val ESTATE = Path.of("estate.cairn")

/** What `cairn info`, `cairn diff` and `cairn extract` show of rows that are objects, and lead to each other. */
class RowsVerbsSpec :
    FunSpec({
        quietly()

        suspend fun HeatCheckpoints.saveEstate(step: Long) =
            save(2, step, ESTATE, fileCount = 1) { rank, _ ->
                RowsState(rank).also { it.advanceTo(step) }.declare(this)
            }

        test("info lists the lists of a table as tables of their own") {
            val run = HeatCheckpoints().apply { saveEstate(1) }.cairn("info", "estate.cairn")
            run.exitCode shouldBe 0
            val items = run.lines.filter { " table " in it }.map { it.substringBefore(' ') }
            items shouldBe listOf("tenants", "tenants.suppliers", "farms", "farms.crew", "deeds", "sheds")
            run.text shouldContain
                "class byte of farmer, miller; rule: refuse; ids: number; to:friend: number of tenants; " +
                "to:farm: # of farms; to:suppliers: how many there are"
        }

        test("diff matches rows by their ids, and shows which reference differs") {
            val heat = HeatCheckpoints().apply { for (step in listOf(1L, 1L, 2L)) saveEstate(step) }
            heat.cairn("diff", "estate.cairn/1", "estate.cairn/2").exitCode shouldBe 0
            val run = heat.cairn("diff", "estate.cairn/1", "estate.cairn/3")
            run.exitCode shouldBe 1
            run.lines.single { it.startsWith("tenants ") } shouldContain "id 0: trust, friend, herd"
        }

        test("plan deals the rows of lists with those that hold them, and no others so") {
            class Row(val id: Int) {
                var row: Row? = null
                var all = emptyList<Row>()
            }
            val rows = List(3, ::Row).onEach { it.all = listOf(it) }
            val heat = HeatCheckpoints()
            heat.save(1, 1, ESTATE, fileCount = 1) { _, _ ->
                rows("seats", { rows }, {}) {
                    uniqueIds("id")
                    positionFree()
                    elsewhere { Row(it.toInt()) }
                }
            }
            val run = heat.cairn("plan", "estate.cairn", "--ranks", "2")
            run.text shouldContain "seats: 4 frames, each read once; the rows are dealt in order"
            run.text shouldContain "seats.all: 1 frame, each read once; the rows are dealt with those that hold them"
        }

        test("extract gives NumPy the references as numbers, and the classes as names") {
            val heat = HeatCheckpoints().apply { saveEstate(1) }
            heat.cairn("extract", "estate.cairn", "tenants", "tenants.npy").exitCode shouldBe 0
            heat.cairn("extract", "estate.cairn", "farms.crew", "crew.npy").exitCode shouldBe 0
            heat
                .read(Path.of("tenants.npy"))
                .array()
                .decodeToString(10, 350)
                .substringBefore('\n')
                .trim() shouldBe
                "{'descr': [('number', '<i8'), ('name', '|S16'), ('trust', '|S6'), ('friend', '<i8'), " +
                "('farm', '<i8'), ('herd', '<i4'), ('flour', '<f8'), ('suppliers', '<i4'), " +
                "('suppliers.checksum', '<i8'), ('class', '|S6')], " +
                "'fortran_order': False, 'shape': (8,), }"
            val crew = heat.read(Path.of("crew.npy")).order(LITTLE_ENDIAN).position(128)
            val none = Long.MIN_VALUE
            List(12) { crew.getLong() } shouldBe
                listOf(14L, 21, none, 14, 21, none, 1014, 1021, none, 1014, 1021, none)
        }
    })
