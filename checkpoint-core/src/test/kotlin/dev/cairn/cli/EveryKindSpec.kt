package dev.cairn.cli

import dev.cairn.StateBuilder
import dev.cairn.proof.log.quietly
import dev.cairn.proof.state.DustState
import dev.cairn.reading.StoredCheckpoints
import dev.cairn.reading.StoredTable
import dev.cairn.state.ElementType
import dev.cairn.state.StreamRule
import dev.cairn.store.Manifest
import dev.cairn.store.ManifestFormat
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldEndWith
import io.kotest.matchers.string.shouldStartWith
import kotlinx.serialization.json.boolean
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.long
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.nio.file.Path

/** The verbs on state of every kind: rows, sums, objects, random numbers, streams and outputs. */
class EveryKindSpec :
    FunSpec({
        quietly()
        val names = listOf("dust", "hits", "mass", "marks", "note", "noise", "log", "energies")

        test("info shows columns, rules and the bytes that each rank wrote of all columns together") {
            val items =
                HeatCheckpoints()
                    .apply { saveDust(3, step = 1) }
                    .cairn("info", "dust.cairn")
                    .lines
                    .takeLast(8)

            // Rows of 8 + 8 + 1 bytes, of which 4, 4 and 3 are on the ranks; hits of 4 + 1 bytes, 1, 2 and 0 of them.
            items[0] shouldStartWith "dust      table          row                         11    187  "
            items[0] shouldEndWith "3 ranks, 51 to 68 bytes each; id long, x double, kind byte; rule: owner; ids: id"
            items[1] shouldEndWith "2 ranks, 5 to 10 bytes each; cell int, isSeen boolean; rule: positionFree"
            items[2] shouldEndWith "; rule: merge"
            items[5] shouldStartWith "noise     randomStreams  philox4x32-10"
            items[5] shouldEndWith "  1 rank, 8 bytes"
            items[6] shouldEndWith "; rule: deal"
            items[7] shouldStartWith "energies  output         mark"
            items[7] shouldContain "; file: ${Path.of("energies.txt").toAbsolutePath()}"
        }

        test("verify and explain find every kind good, from any number of ranks") {
            for (rankCount in listOf(1, 2, 5, 17)) {
                val dust = HeatCheckpoints().apply { saveDust(rankCount, step = 1) }
                dust.cairn("verify", "dust.cairn").run {
                    text shouldStartWith "save 1: good; ranks $rankCount, items 8, bytes "
                    exitCode shouldBe 0
                }
                dust.cairn("explain", "dust.cairn").exitCode shouldBe 0
            }
        }

        test("a value that was changed together with all its checksums is found by its digest, of every kind") {
            val dust = HeatCheckpoints().apply { saveDust(3, step = 1) }
            val before = dust.manifest(1).items.associate { it.name to it.digest }
            dust.change = { saved ->
                saved.copy(items = saved.items.map { it.copy(digest = before.getValue(it.name)) })
            }
            dust.saveDust(3, step = 3)

            val run = dust.cairn("verify", "dust.cairn", "2")
            run.exitCode shouldBe 1
            run.lines.size shouldBe names.size
            run.lines.zip(names) { line, name ->
                line shouldStartWith "save 2: damaged; dust.cairn/000002/data.sion: '$name' should have the digest "
            }
            dust.cairn("explain", "dust.cairn").lines.last() shouldBe "A restart continues from save 1."
        }

        test("an item with an unknown kind or unknown cells is verified frame by frame, and reported as such") {
            val dust = HeatCheckpoints()
            dust.change = { saved ->
                val (table, rest) = saved.items.first() to saved.items.drop(1)
                val wide = table.columns.map { if (it.name == "x") it.copy(elementType = "quad") else it }
                saved.copy(items = listOf(table.copy(columns = wide)) + rest.map { it.copy(kind = "new ${it.kind}") })
            }
            dust.saveDust(2, step = 1)
            dust.cairn("verify", "dust.cairn").exitCode shouldBe 0
            dust.cairn("plan", "dust.cairn", "--ranks", "3").lines[1] shouldBe
                "dust: a table, a kind that only a newer version can read"
            dust.cairn("extract", "dust.cairn", "dust", "dust.npy").run {
                complaint shouldBe "cairn: 'dust' is a table, a kind that only a newer version can read: extract " +
                    "it with that version."
                exitCode shouldBe 3
            }
        }

        test("diff finds the same rows, streams and shared values across rank counts") {
            val dust =
                HeatCheckpoints().apply {
                    saveDust(4, step = 1)
                    resaveDust(6)
                }
            dust.cairn("diff", "dust.cairn/1", "dust.cairn/2").lines shouldBe
                listOf(
                    "item      elements  differing  largest difference  first  note",
                    "dust            11          0",
                    "hits             4          0                             the same rows in any order",
                    "mass                                                      private to each rank, of 4 and of 6 ranks",
                    "marks                                                     private to each rank, of 4 and of 6 ranks",
                    "note                                                      private to each rank, of 4 and of 6 ranks",
                    "noise            8          0",
                    "log             22          0                             the streams of all ranks one after another",
                    "energies        24          0",
                    "different",
                )
        }

        test("diff counts rows that differ, rank by rank what is private, and bytes of streams") {
            val dust =
                HeatCheckpoints().apply {
                    saveDust(3, step = 1)
                    saveDust(3, step = 2)
                }
            val run = dust.cairn("diff", "--json", "dust.cairn/1", "dust.cairn/2")
            val items =
                run.json
                    .getValue("items")
                    .jsonArray
                    .map { it.jsonObject }

            fun fact(item: String, name: String) =
                items
                    .single { it.getValue("name").jsonPrimitive.content == item }
                    .getValue(name)
                    .jsonPrimitive.content
            run.exitCode shouldBe 1
            fact("dust", "differingCount") shouldBe "11"
            fact("dust", "largestDifference") shouldBe
                "${(0L..10L).maxOf { DustState.xOf(it, 2) - DustState.xOf(it, 1) }}"
            fact("dust", "first") shouldBe "id 0: x, kind"
            fact("hits", "note") shouldBe "other rows; only a column of unique ids could identify them"
            // 100, 101, 102 and 200, 201, 202 in CBOR: a byte of type, and a byte that differs.
            fact("mass", "differingCount") shouldBe "3"
            fact("mass", "first") shouldBe "byte 1 of rank 0"
            // "rank 0 at step 1": the last letter of each rank.
            fact("note", "first") shouldBe "byte 15 of rank 0"
            fact("note", "differingCount") shouldBe "3"
            // At step 1 rank 0 has a byte that it has not at step 2, and so for the others, whose bytes all differ.
            fact("log", "first") shouldBe "byte 0 of rank 0"
            fact("log", "differingCount") shouldBe "${1 + 4 + 7}"
        }

        test("diff matches rows by their ids, wherever they are, in as many parts as the memory allows") {
            suspend fun HeatCheckpoints.saveRows(rankCount: Int, ids: LongRange, x: (Long) -> Double) =
                save(rankCount, 1, DUST, fileCount = 1) { rank, size ->
                    val own = ids.reversed().filter { it % size == rank.toLong() }.toLongArray()
                    rows(own, x)
                }
            val dust =
                HeatCheckpoints().apply {
                    saveRows(3, 0L..19L) { it * 0.5 }
                    saveRows(5, 1L..20L) { if (it == 7L) 4.25 else it * 0.5 }
                }
            dust.cairn("diff", "dust.cairn/1", "dust.cairn/2").lines[1] shouldBe
                "t           20          3                0.75  id 0: is only in A"
            dust.table(1) { a ->
                dust.table(2) { b ->
                    for (mostBytes in listOf(100L, 500L, 1000L, 10_000L)) {
                        RowComparison(a, b, ids = 0, mostBytes).run().cells() shouldBe
                            listOf("t", "20", "3", "0.75", "id 0: is only in A", "")
                    }
                }
            }
        }

        test("extract makes an array of records of a table, and the bytes of all else") {
            val dust = HeatCheckpoints().apply { saveDust(3, step = 1) }
            dust.cairn("extract", "dust.cairn", "dust", "dust.npy").text shouldBe
                "dust.npy: 315 bytes of 'dust' of dust.cairn/000001\n"
            val array = dust.read(Path.of("dust.npy")).order(LITTLE_ENDIAN)
            ByteArray(128).also { array.get(it) }.toString(Charsets.ISO_8859_1).substring(10) shouldBe
                (
                    "{'descr': [('id', '<i8'), ('x', '<f8'), ('kind', '|i1')], 'fortran_order': False, " +
                        "'shape': (11,), }"
                ).padEnd(117) + "\n"
            val ids = (0 until 3).flatMap { DustState.idsOf(it, 3) }
            ids.forEach { id ->
                array.getLong() shouldBe id
                array.getDouble() shouldBe DustState.xOf(id, 1)
                array.get() shouldBe DustState.kindOf(id, 1)
            }

            dust.cairn("extract", "dust.cairn", "log", "log.2", "--rank", "2").exitCode shouldBe 0
            dust.read(Path.of("log.2")).array() shouldBe DustState.logOf(2, 1)
            dust.cairn("extract", "dust.cairn", "note", "note.1", "--rank", "1").exitCode shouldBe 0
            dust.read(Path.of("note.1")).array().decodeToString() shouldBe "rank 1 at step 1"
            dust.cairn("extract", "dust.cairn", "noise", "noise").exitCode shouldBe 0
            dust.read(Path.of("noise")).order(LITTLE_ENDIAN).getLong() shouldBe DustState.seedAt(1)
            dust.cairn("extract", "dust.cairn", "energies", "mark").exitCode shouldBe 0
            dust.read(Path.of("mark")).order(LITTLE_ENDIAN).getLong() shouldBe "step 1\n".length
            dust.cairn("extract", "dust.cairn", "log", "log").complaint shouldBe
                "cairn: each rank has its own 'log': choose one with --rank, 0 to 2."
        }

        test("names of columns stand in the head of a NumPy file as Python writes them") {
            recordType(listOf("it's" to cellType(ElementType.INT), "Größe\\" to cellType(ElementType.BYTE))) shouldBe
                "[('it\\u0027s', '<i4'), ('Gr\\u00f6\\u00dfe\\u005c', '|i1')]"
        }

        test("columns of many frames are read row by row") {
            val count = 300_000L
            val dust =
                HeatCheckpoints().apply {
                    save(2, 1, DUST, fileCount = 1) { rank, _ ->
                        rows(LongArray(count.toInt()) { it + rank * count }) { it * 0.25 }
                    }
                }
            dust.cairn("verify", "dust.cairn").exitCode shouldBe 0
            dust.cairn("extract", "dust.cairn", "t", "t.npy").exitCode shouldBe 0
            val rows =
                dust
                    .read(Path.of("t.npy"))
                    .position(128)
                    .slice()
                    .order(LITTLE_ENDIAN)
            rows.remaining() shouldBe 2 * count * 17
            for (row in 0 until 2 * count.toInt()) {
                check(rows.getLong() == row.toLong() && rows.getDouble() == row * 0.25 && rows.get() == row.toByte())
            }
        }

        test("plan shows the reads of each rank for every kind, and each byte is read once") {
            val dust = HeatCheckpoints().apply { saveDust(3, step = 1) }
            val run = dust.cairn("plan", "dust.cairn", "--ranks", "2")

            run.exitCode shouldBe 0
            run.lines.subList(1, 9) shouldBe
                listOf(
                    "dust: 9 frames, each read once; the rows are dealt and sent on to owners that the program names",
                    "hits: 4 frames, each read once; the rows are dealt in order",
                    "mass: those of 3 ranks read and merged by rank 0",
                    "marks: those of 3 ranks dealt in order, and merged",
                    "note: those of 3 ranks dealt in order, and merged",
                    "noise: read by rank 0, and sent to all",
                    "log: those of 3 ranks dealt in order, and read",
                    "energies: read by rank 0, which cuts the file back",
                )
            for (rankCount in listOf(1, 2, 3, 7)) {
                val report = dust.cairn("plan", "dust.cairn", "--json", "--ranks", "$rankCount").json
                report
                    .getValue(
                        "readers",
                    ).jsonArray
                    .sumOf {
                        it.jsonObject
                            .getValue("readBytes")
                            .jsonPrimitive.long
                    } shouldBe
                    dust.manifest(1).items.sumOf { it.byteCount }
                report
                    .getValue(
                        "items",
                    ).jsonArray
                    .none {
                        it.jsonObject
                            .getValue("isRefused")
                            .jsonPrimitive.boolean
                    } shouldBe
                    true
            }
        }

        test("plan says which items would be refused, which are dropped, and what it does not know") {
            val dust = HeatCheckpoints()

            suspend fun save() =
                dust.save(3, 1, DUST, fileCount = 1) { rank, _ ->
                    table("rows") { column("n", { intArrayOf(rank) }, {}) }
                    stream("log", { it.write(rank) }, {}, StreamRule.Drop)
                    perRank("seen", { rank }, {})
                }
            save()
            val run = dust.cairn("plan", "dust.cairn", "--ranks", "4")
            run.exitCode shouldBe 1
            run.lines.subList(1, 4) shouldBe
                listOf(
                    "rows: refused: it is private to each of 3 ranks, and the program that saved it had no rule for 4",
                    "log: not read: on another number of ranks it is dropped",
                    "seen: refused: it is private to each of 3 ranks, and the program that saved it had no rule for 4",
                )
            dust.cairn("plan", "dust.cairn", "--ranks", "3").exitCode shouldBe 0
            dust.change = { saved -> saved.copy(items = saved.items.map { it.copy(layout = emptyMap()) }) }
            save()
            dust.cairn("plan", "dust.cairn", "--ranks", "4").lines[2] shouldContain
                "the program must have a rule for 4, which is not in the checkpoint"
        }
    })

private fun StateBuilder.rows(ids: LongArray, x: (Long) -> Double) =
    table("t") {
        column("id", { ids }, {})
        column("x", { DoubleArray(ids.size) { x(ids[it]) } }, {})
        column("low", { ByteArray(ids.size) { ids[it].toByte() } }, {})
        uniqueIds("id")
        positionFree()
    }

private fun HeatCheckpoints.manifestFile(number: Int) = DUST.resolve("%06d/manifest.json".format(number))

private fun HeatCheckpoints.manifest(number: Int): Manifest = ManifestFormat.read(files, manifestFile(number)).manifest

private fun HeatCheckpoints.table(number: Int, use: (StoredTable) -> Unit) =
    StoredCheckpoints(DUST, files).open(number).use { use(it.table("t")) }
