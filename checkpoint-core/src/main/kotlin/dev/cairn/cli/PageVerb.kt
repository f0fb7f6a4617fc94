package dev.cairn.cli

import dev.cairn.command.Refusal
import dev.cairn.report.HtmlWriter
import dev.cairn.report.ReportPage
import dev.cairn.report.ReportServer
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.store.deleteIfThere
import picocli.CommandLine.Command
import picocli.CommandLine.Option
import picocli.CommandLine.Parameters
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.file.NoSuchFileException
import java.nio.file.Path
import java.time.Instant
import java.util.concurrent.Callable
import java.util.concurrent.CountDownLatch

/** `cairn report`: a page about a run, for people. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    versionProvider = Version::class,
    description = [
        "Writes a page about the programs that saved here: a timeline with their saves and restarts, sizes and " +
            "rates, the slowest ranks and hosts, what a restart would do, the settings, and the checkpoints.",
        "It is one file of HTML, which needs nothing else. It comes from the events that the store keeps, the " +
            "manifests and the saves, and the program may be running.",
    ],
    footer = ["", "Example: cairn report heat.cairn"],
)
internal class PageVerb(private val shell: Shell, private val now: () -> Instant = Instant::now) : Callable<Int> {
    @Parameters(paramLabel = "DIR", description = ["A directory of checkpoints."])
    private lateinit var directory: Path

    @Option(names = ["-o"], paramLabel = "FILE", description = ["Into this file, not into DIR.html."])
    private var output: Path? = null

    @Option(
        names = ["--watch"],
        description = ["Shows the page to browsers of this machine, always as it is now, until Ctrl-C is pressed."],
    )
    private var isWatched = false

    @Option(names = ["--port"], paramLabel = "N", description = ["With --watch: the port, not any that is free."])
    private var port = 0

    override fun call(): Int {
        if (port != 0 && !isWatched) throw Misuse("--port is the port of --watch: add that, or leave --port out.")
        if (port !in 0..MOST_PORT) throw Misuse("--port is a number from 1 to $MOST_PORT, not $port.")
        shell.requireStore(directory)
        if (isWatched) watch() else write()
        return ExitCodes.YES
    }

    private fun write() {
        val page = ReportPage(shell.factsOf(directory, now)).html().encodeToByteArray()
        val file =
            output ?: directory.toAbsolutePath().normalize().let { directory.resolveSibling("${it.fileName}.html") }
        requireReport(file)
        val prepared = file.resolveSibling("${file.fileName}.new")
        shell.store().deleteIfThere(prepared)
        create(prepared).use { it.write(0, ByteBuffer.wrap(page)) }
        shell.store().rename(prepared, file)
        shell.out().write("$file: a report of $directory, ${page.size} bytes\n".encodeToByteArray())
    }

    private fun create(file: Path): BlockFile =
        try {
            shell.store().create(file)
        } catch (missing: NoSuchFileException) {
            throw Refusal("$file: its directory does not exist. Make it first.", missing)
        }

    /** A slip in a name must not replace a file that is worth more than a report. */
    private fun requireReport(file: Path) {
        if (!shell.store().exists(file)) return
        val isReport =
            shell.store().open(file, Access.READ).use {
                val beginning = ByteBuffer.allocate(minOf(it.size(), MOST_BEGINNING).toInt())
                it.readFully(0, beginning)
                HtmlWriter.MARK in beginning.array().decodeToString()
            }
        if (!isReport) throw Refusal("$file: it is no report, and not overwritten. Choose another name.")
    }

    private fun watch() {
        val server =
            try {
                ReportServer(port) { ReportPage(shell.factsOf(directory, now)).html(REFRESH_SECONDS) }
            } catch (failure: IOException) {
                throw Refusal(
                    "port $port of this machine cannot be used: ${failure.message}. Choose another one.",
                    failure,
                )
            }
        server.use {
            shell.out().write("${it.address} shows $directory. Ctrl-C ends it.\n".encodeToByteArray())
            CountDownLatch(1).await()
        }
    }
}

/** A report has its mark in these bytes. */
private const val MOST_BEGINNING = 1024L

private const val MOST_PORT = 65_535
private const val REFRESH_SECONDS = 5
