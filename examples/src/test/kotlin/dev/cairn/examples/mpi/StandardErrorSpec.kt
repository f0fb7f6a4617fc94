package dev.cairn.examples.mpi

import dev.cairn.house.Need
import dev.cairn.house.needs
import dev.cairn.mpi.MpiRun
import io.kotest.assertions.nondeterministic.eventually
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import java.io.File
import java.net.InetAddress
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.writeText
import kotlin.time.Duration.Companion.minutes

private const val FAILING = "dev.cairn.examples.mpi.FailingKt"
private const val FAILED = 1
private const val REFUSED = 64
private const val DAMAGED = 65
private const val SIGKILLED = 137
private const val JAVA_OF_LIBMPI = 22

/** All that users see of a failure: one sentence, whether ranks share a process or not. */
class StandardErrorSpec :
    FunSpec({
        val directory = tempdir().toPath()
        val host = InetAddress.getLocalHost().hostName
        var runs = 0

        fun newStore() = directory.resolve("${runs++}.cairn")

        fun Way.fail(how: String, code: Int = FAILED, store: Path = newStore()): List<String> =
            said(start(FAILING, listOf(how, "--dir", "$store", "--every", "1")).output(code))

        test("coroutines: a rank that throws alone") {
            Way.COROUTINES.fail("alone") shouldBe
                listOf("failing: rank 1 of 3 failed: java.lang.IllegalStateException: there is no mesh")
        }

        test("mpirun: a rank that throws alone").config(enabledOrReasonIf = needs { MpiRun.isThere }) {
            Way.MPI.fail("alone") shouldBe
                listOf(
                    "rank 1 on $host failed and ends the job, while others continue: " +
                        "java.lang.IllegalStateException: there is no mesh",
                )
        }

        test("coroutines: ranks that fail in what they do together") {
            Way.COROUTINES.fail("together") shouldBe
                listOf(
                    "failing: 'read the mesh' was abandoned on all ranks, because rank 1 on $host failed: " +
                        "java.lang.IllegalStateException: there is no mesh; rank 2 failed too",
                )
        }

        test("mpirun: ranks that fail in what they do together").config(enabledOrReasonIf = needs { MpiRun.isThere }) {
            Way.MPI.fail("together") shouldBe
                listOf(
                    "failing: 'read the mesh' was abandoned on all ranks, because rank 1 on $host failed: " +
                        "java.lang.IllegalStateException: there is no mesh" +
                        if (PROCESSES == 4) "; ranks 2-3 failed too" else "",
                )
        }

        for (way in listOf(Way.COROUTINES, Way.MPI)) {
            test("$way: ranks that declare different state").config(enabledOrReasonIf = needs { way.isThere }) {
                way.fail("declarations", REFUSED).single() shouldStartWith
                    "failing: rank 1 and rank 0 do not declare the same state. Rank 0 declares the replicated 'time' of "
            }

            test("$way: nothing but damaged checkpoints").config(enabledOrReasonIf = needs { way.isThere }) {
                val store = newStore()
                Way.ALONE.start(FAILING, listOf("not at all", "--dir", "$store")).output()
                store.listDirectoryEntries("0*").forEach { it.resolve("manifest.json").writeText("{}") }
                way.fail("not at all", DAMAGED, store).single() shouldStartWith "failing: $store: it holds 1 checkpoint"
            }
        }

        test(
            "mpirun: a rank that is killed, of which mpirun tells",
        ).config(enabledOrReasonIf = needs { MpiRun.isThere }) {
            val store = newStore()
            val program = Way.MPI.start(FAILING, listOf("never", "--dir", "$store", "--every", "1"))
            eventually(1.minutes) { newestSave(store) shouldBeGreaterThan 2 }
            MpiRun.processOf(rank = 1, program).destroyForcibly()
            said(program.output(SIGKILLED)).shouldBeEmpty()
        }

        test("a launcher, Java 17, and no mpi.jar").config(
            enabledOrReasonIf = needs { Need.OLD_JDK.given(Runtime.version().feature() < JAVA_OF_LIBMPI) },
        ) {
            launched { it.name != "mpi.jar" } shouldBe
                listOf(
                    "failing: mpirun started this process as rank 0 of 2. There is no transport for messages to the " +
                        "other processes. libmpi: Java 22 or later is needed to call libmpi, and this is " +
                        "Java ${Runtime.version().feature()}. mpi.jar: Open MPI's mpi.jar, of the same Open MPI as " +
                        "mpirun, is not on the class path. Or start the program without mpirun.",
                )
        }

        test("a launcher without Cairn's mpi module") {
            launched { "/mpi/target/" !in it.path && !it.name.startsWith("mpi") && "cairn-mpi" !in it.name } shouldBe
                listOf(
                    "failing: mpirun started this process as rank 0 of 2. There is no transport for messages to the " +
                        "other processes. Put Cairn's mpi module on the class path. Or start the program " +
                        "without mpirun.",
                )
        }
    })

/**
 * What the program says, without stack traces, and without logs and blocks between lines of dashes, which mpirun adds before or
 * behind it. A process may come to say that mpirun has sent it TERM before it is killed.
 */
private fun said(output: String): List<String> {
    var isOfMpirun = false
    return output.lines().filterNot { line ->
        val isDashes = line.startsWith("-----")
        if (isDashes) isOfMpirun = !isOfMpirun
        isDashes || isOfMpirun || line.startsWith("\tat ") || line.isBlank() || "ORTE_ERROR_LOG" in line ||
            "asked to end (TERM)" in line
    }
}

/** A process that believes that mpirun has started it, with some of the class path. */
private fun launched(has: (File) -> Boolean): List<String> {
    val classPath =
        System
            .getProperty("java.class.path")
            .split(File.pathSeparator)
            .filter { has(File(it)) }
    val java = Path.of(System.getProperty("java.home"), "bin", "java").toString()
    val process = ProcessBuilder(java, "-cp", classPath.joinToString(File.pathSeparator), FAILING, "not at all")
    process.environment() += mapOf("OMPI_COMM_WORLD_RANK" to "0", "OMPI_COMM_WORLD_SIZE" to "2")
    return said(process.redirectErrorStream(true).start().output(FAILED))
}
