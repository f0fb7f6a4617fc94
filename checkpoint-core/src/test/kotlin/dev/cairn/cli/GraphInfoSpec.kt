package dev.cairn.cli

import dev.cairn.proof.log.quietly
import dev.cairn.sion.store.Access
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import java.nio.ByteBuffer

private class Home(val place: Int, val people: Array<String>)

/** What `cairn info` and `cairn diff` show of graphs. */
class GraphInfoSpec :
    FunSpec({
        quietly()

        suspend fun saved() =
            HeatCheckpoints().apply {
                save(2, step = 1, HEAT, fileCount = 1) { rank, _ ->
                    graph("homes", { Array(3) { Home(it, arrayOf("a", "b$rank")) } }, {})
                }
            }

        test("the classes of all objects are shown, those of all ranks together") {
            val run = saved().cairn("info", "heat.cairn")
            run.exitCode shouldBe 0
            run.lines.takeLast(5).map { it.trim().replace(Regex(" +"), " ") } shouldBe
                listOf(
                    "objects in 'homes' count bytes",
                    "java.lang.String 8 22",
                    "dev.cairn.cli.Home 6 30",
                    "[Ldev.cairn.cli.Home; 2 8",
                    "[Ljava.lang.String; 6 18",
                )
        }

        test("--json has their fields, too") {
            val classes =
                saved()
                    .cairn("info", "--json", "heat.cairn")
                    .json
                    .getValue("classes")
                    .jsonArray
                    .single()
                    .jsonObject
            "${classes.getValue("classes").jsonArray[1]}" shouldContain
                """"name":"dev.cairn.cli.Home","count":6"""
            "${classes.getValue("classes").jsonArray[1]}" shouldContain """"[Ljava.lang.String; Home.people""""
        }

        test("bytes that no graph has make no room, and are said to be none") {
            val heat = HeatCheckpoints()
            heat.change = { saved -> saved.copy(items = saved.items.map { it.copy(kind = "graph") }) }
            heat.save(1, step = 1, HEAT, fileCount = 1) { _, _ ->
                stream("homes", { it.write(byteArrayOf(-1, -1, -1, 127, 1)) }, {})
            }
            val run = heat.cairn("info", "heat.cairn")
            run.exitCode shouldBe 0
            run.lines.last() shouldContain "the classes of 'homes' cannot be read: its table cannot be read: "
        }

        test("of a damaged graph nothing is shown but that") {
            val heat = saved()
            val file = HEAT.resolve("000001/data.sion")
            val bytes = heat.read(file)
            val at =
                (0 until bytes.limit()).first {
                    bytes.get(it) == 'H'.code.toByte() &&
                        bytes.get(it + 1) == 'o'.code.toByte()
                }
            heat.files.open(file, Access.READ_WRITE).use { it.write(at.toLong(), ByteBuffer.wrap(byteArrayOf(0))) }
            val run = heat.cairn("info", "heat.cairn")
            run.exitCode shouldBe 0
            run.lines.last() shouldContain "the classes of 'homes' cannot be read: "
        }

        suspend fun HeatCheckpoints.save(homes: Any) =
            save(1, step = 1, HEAT, fileCount = 1) { _, _ ->
                graph("homes", {
                    homes
                }, {})
            }

        test("diff shows the path to the first difference of two graphs, and other counts, without their classes") {
            val heat = HeatCheckpoints()
            heat.save(Array(2) { Home(it, arrayOf("a", "b")) })
            heat.save(Array(2) { Home(it, if (it == 0) arrayOf("a", "b") else arrayOf("a", "b", "c")) })
            heat.save(Array(2) { Home(it + 1, arrayOf("a", "b")) })
            val longer = heat.cairn("diff", "heat.cairn/1", "heat.cairn/2")
            longer.exitCode shouldBe 1
            longer.lines.map { it.trim().replace(Regex(" +"), " ") }.drop(1) shouldBe
                listOf(
                    "homes 343 23 homes[1].people a [Ljava.lang.String; of the length 2 in A, one of 3 in B",
                    "",
                    "objects in 'homes' in A in B",
                    "java.lang.String 2 3",
                    "",
                    "different",
                )
            val moved = heat.cairn("diff", "heat.cairn/1", "heat.cairn/3")
            moved.lines[1] shouldContain "homes[0].place  0 in A, 1 in B"
        }

        test("diff takes graphs for the same whose sets have another order") {
            val heat = HeatCheckpoints()
            repeat(2) {
                val homes = List(99) { Home(it, emptyArray()) }
                heat.save(arrayOf<Any>(homes.toTypedArray(), HashSet(homes)))
            }
            val run = heat.cairn("diff", "heat.cairn/1", "heat.cairn/2")
            run.lines[1] shouldContain "the same objects, in other places of the files"
            run.exitCode shouldBe 0
        }
    })
