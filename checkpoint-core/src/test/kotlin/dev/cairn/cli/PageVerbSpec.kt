package dev.cairn.cli

import dev.cairn.options.CheckpointOptions
import dev.cairn.options.SimulationOptions
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.ranks
import dev.cairn.report.ReportServer
import dev.cairn.simulate
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.SaveNames
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.kotest.matchers.string.shouldStartWith
import java.io.IOException
import java.net.HttpURLConnection
import java.net.Socket
import java.net.URI
import java.nio.ByteBuffer
import java.nio.file.Path

/** `cairn report` writes a page, or shows it, of what programs left in a store. */
class PageVerbSpec :
    FunSpec({
        quietly()

        val heat = HeatCheckpoints()

        suspend fun count(rankCount: Int, until: Long, options: CheckpointOptions = CheckpointOptions()) =
            ranks(rankCount) {
                simulate(
                    "count",
                    options =
                        SimulationOptions {
                            checkpoints(options)
                            directory = HEAT
                            every = 2
                        },
                    files = heat.files,
                ) {
                    var n by replicated(0L)
                    for (step in steps(until)) n = step
                }
            }

        fun page(file: String = "heat.cairn.html") = Charsets.UTF_8.decode(heat.read(Path.of(file))).toString()

        test("a run keeps its events in its store, and a report shows it and its restart") {
            count(3, until = 4)
            count(2, until = 10)
            heat.files.list(HEAT).map { "${it.fileName}" } shouldContain SaveNames.EVENTS
            val run = heat.cairn("report", "heat.cairn")
            run.complaint shouldBe ""
            run.exitCode shouldBe 0
            run.text shouldStartWith "heat.cairn.html: a report of heat.cairn, "
            page() shouldContain "Program 1, 3 ranks: finished"
            page() shouldContain "Program 2, 2 ranks: finished"
            page() shouldContain "save 2, step 4 of 3 ranks"
            page() shouldContain "A restart continues from save 5."
            page() shouldContain "keep-events"
            page() shouldNotContain "Unknown:"
        }

        test("a report replaces an older one, and no other file") {
            heat.cairn("report", "heat.cairn").exitCode shouldBe 0
            val run = heat.cairn("report", "heat.cairn", "-o", "heat.cairn/000005/data.sion")
            run.exitCode shouldBe 3
            run.complaint shouldBe
                "cairn: heat.cairn/000005/data.sion: it is no report, and not overwritten. Choose another name."
            val thesis = Path.of("thesis.html")
            heat.files
                .create(
                    thesis,
                ).use { it.write(0, ByteBuffer.wrap("<!DOCTYPE html><p>my thesis".encodeToByteArray())) }
            heat.cairn("report", "heat.cairn", "-o", "$thesis").exitCode shouldBe 3
            heat.cairn("verify", "heat.cairn/5").exitCode shouldBe 0
            heat.files.list(Path.of("")).map { "$it" } shouldNotContain "heat.cairn.html.new"
        }

        test("a directory that is not there is refused in a sentence") {
            val run = heat.cairn("report", "cold.cairn")
            run.exitCode shouldBe 3
            run.complaint shouldBe "cairn: cold.cairn: there is no such directory. Check the name."
        }

        test("a directory that is no store is refused as by other verbs, to write as to watch, and no page is made") {
            val disk = HeatCheckpoints()
            disk.files.makeDirectory(Path.of("thesis"))
            disk.files.create(Path.of("thesis/chapter.tex")).close()
            disk.files.makeDirectory(Path.of("empty"))
            for (directory in listOf("thesis", "empty")) {
                for (arguments in listOf(listOf(directory), listOf(directory, "--watch"))) {
                    val run = disk.cairn("report", *arguments.toTypedArray())
                    run.exitCode shouldBe disk.cairn("info", directory).exitCode
                    run.complaint shouldBe
                        "cairn: $directory: it holds no checkpoint, and nothing else of a store. Check the name."
                    run.text shouldBe ""
                }
                disk.files.exists(Path.of("$directory.html")) shouldBe false
            }
        }

        test("a store without a save yet has a report") {
            val disk = HeatCheckpoints()
            disk.own().use { disk.cairn("report", "heat.cairn").exitCode shouldBe 0 }
        }

        test("--port without --watch is wrong usage") {
            heat.cairn("report", "heat.cairn", "--port", "8080").exitCode shouldBe 2
            heat.cairn("report", "heat.cairn", "--watch", "--port", "99999").exitCode shouldBe 2
            heat.cairn("report", "heat.cairn", "--watch", "--port", "-1").exitCode shouldBe 2
        }

        test("with keep-events at 0 a store keeps no events, and its report says so") {
            val disk = HeatCheckpoints(SimulatedDisk().host("node0"))
            ranks(1) {
                val options =
                    SimulationOptions {
                        checkpoints { keepEvents = 0 }
                        directory = HEAT
                        every = 2
                    }
                simulate("count", options = options, files = disk.files) {
                    var n by replicated(0L)
                    for (step in steps(4)) n = step
                }
            }
            disk.files.list(HEAT).map { "${it.fileName}" } shouldNotContain SaveNames.EVENTS
            disk.cairn("report", "heat.cairn").exitCode shouldBe 0
            Charsets.UTF_8.decode(disk.read(Path.of("heat.cairn.html"))).toString() shouldContain
                "The store holds no events"
        }

        test("the server shows the page as it is now, to this machine only, and tells of trouble") {
            var content = { "first" }
            ReportServer(port = 0) { content() }.use { server ->
                server.address shouldStartWith "http://127.0.0.1:"
                get(server.address) shouldBe (200 to "first")
                content = { "second" }
                get(server.address) shouldBe (200 to "second")
                get(server.address + "etc/passwd").first shouldBe 404
                content = { throw IOException("the disk is gone") }
                get(server.address).first shouldBe 500
            }
        }

        test("the server refuses requests under the name of another host") {
            ReportServer(port = 0) { "secret" }.use { server ->
                val port = URI(server.address).port
                Socket("127.0.0.1", port).use { socket ->
                    val request = "GET / HTTP/1.1\r\nHost: evil.example:$port\r\nConnection: close\r\n\r\n"
                    socket.getOutputStream().write(request.encodeToByteArray())
                    socket.getInputStream().reader().readText() shouldStartWith "HTTP/1.1 403"
                }
            }
        }
    })

private fun get(address: String): Pair<Int, String> {
    val connection = URI(address).toURL().openConnection() as HttpURLConnection
    val code = connection.responseCode
    val body = if (code == 200) connection.inputStream else connection.errorStream
    return code to body.reader().readText()
}
