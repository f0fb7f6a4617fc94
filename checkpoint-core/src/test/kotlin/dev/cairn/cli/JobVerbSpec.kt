package dev.cairn.cli

import dev.cairn.run.Commands
import dev.cairn.run.JobSurroundings
import dev.cairn.run.timeText
import dev.cairn.store.writeNew
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import picocli.CommandLine
import java.io.ByteArrayOutputStream
import java.nio.file.Path
import java.time.Clock
import java.time.Instant
import java.time.ZoneOffset
import java.util.Optional
import kotlin.io.path.createDirectory
import kotlin.io.path.exists
import kotlin.io.path.readText
import kotlin.io.path.writeText

private val NOW = Instant.parse("2026-11-24T10:00:00Z")

/** `cairn job`, and the scripts that it prints. */
class JobVerbSpec :
    FunSpec({
        val parent = tempdir().toPath()

        test("outside of a job it says so, and that a simulation runs without an end") {
            JobHere(emptyMap()).text() shouldContain "job system  none  no variable of one is set"
            JobHere(emptyMap()).text() shouldContain "runs as if its job had no end"
        }

        test("under Slurm it shows each fact with its source, and what a simulation does about the end") {
            val text = JobHere(SLURM).text()
            text shouldContain Regex("job +17 +SLURM_JOB_ID\n")
            text shouldContain Regex("end +${Regex.escape(timeText(NOW.plusSeconds(7200)))} +SLURM_JOB_END_TIME\n")
            text shouldContain Regex("time left +2h +the clock\n")
            text shouldContain Regex("nodes +4 +SLURM_JOB_NUM_NODES\n")
            text shouldContain Regex("restarts +not known *\n")
            text shouldContain "(SLURM_JOB_END_TIME) for the end of its job, which is in 2h."
        }

        test("settings of the environment and of a file decide what a simulation does") {
            JobHere(SLURM + ("CAIRN_ENDS_AT" to "none")).text() shouldContain "runs as if its job had no end"
            val here = JobHere(SLURM)
            here.heat.files.writeNew(Path.of("cairn.conf"), "ends-at = ${NOW.epochSecond + 60}".encodeToByteArray())
            here.text() shouldContain "(ends-at) for the end of its job, which is in 1m."
        }

        test("Slurm is asked once") {
            var count = 0
            val asked = JobHere(mapOf("SLURM_JOB_ID" to "17")) { "17|1|${NOW.epochSecond + 60}|1:00".also { count++ } }
            asked.text() shouldContain "(squeue, job 17) for the end of its job, which is in 1m."
            count shouldBe 1
        }

        test("scripts read the same facts as JSON") {
            val facts =
                Json
                    .parseToJsonElement(
                        JobHere(SLURM).text("--json"),
                    ).jsonObject
                    .getValue("facts")
                    .jsonArray
                    .map {
                        it.jsonObject
                    }
            facts.first { it["name"] == JsonPrimitive("nodes") }["value"] shouldBe JsonPrimitive("4")
        }

        test("PBS and LSF are recognised, and their ends are not known") {
            for ((variable, title) in listOf("PBS_JOBID" to "PBS", "LSB_JOBID" to "LSF")) {
                val text = JobHere(mapOf(variable to "9")).text()
                text shouldContain Regex("job system +$title +$variable\n")
                text shouldContain Regex("end +not known *\n")
            }
        }

        test("a script for another system is wrong usage") {
            HeatCheckpoints().cairn("job", "--script", "cron").exitCode shouldBe ExitCodes.WRONG_USAGE
        }

        for (script in JobScript.entries) {
            test("bash understands the script for $script") {
                val file = parent.resolve("$script.sh").apply { writeText(script.text()) }
                ProcessBuilder("bash", "-n", "$file").start().waitFor() shouldBe 0
            }
        }

        test("the script for Slurm puts the job back into the queue on 75 and 205, and on no other code") {
            for (code in listOf(0, 64, 74, 75, 205)) {
                withClue("exit code $code") {
                    val job = PlayedScript(parent.resolve("code$code").createDirectory(), "exit $code")
                    job.end() shouldBe code
                    job.requeued shouldBe if (code == 75 || code == 205) "requeue 17" else null
                }
            }
        }

        test("after a hundred restarts the script for Slurm says that it does not requeue the job") {
            val job = PlayedScript(parent.resolve("often").createDirectory(), "exit 75", restarts = 100)
            job.complaint() shouldBe "heat: not requeued after 100 restarts. Submit this script again to continue."
            job.end() shouldBe 75
            job.requeued shouldBe null
        }

        test("USR1 to the script for Slurm, again and again, asks for a save, and the script waits for the end") {
            val save = "${await("heat.cairn.save")}; rm heat.cairn.save; echo saved"
            val program = "echo ready; $save; $save; $save; exit 75"
            val directory = parent.resolve("signal").createDirectory()
            val job = PlayedScript(directory, program)
            job.awaitLine() shouldBe "ready"
            repeat(3) {
                job.signal()
                job.awaitLine() shouldBe "saved"
            }
            job.end() shouldBe 75
            job.requeued shouldBe "requeue 17"
        }
    })

private val SLURM =
    mapOf(
        "SLURM_JOB_ID" to "17",
        "SLURM_JOB_START_TIME" to "${NOW.epochSecond - 60}",
        "SLURM_JOB_END_TIME" to "${NOW.epochSecond + 7200}",
        "SLURM_JOB_NUM_NODES" to "4",
    )

/** The verb in a job with an [environment], at [NOW]. */
private class JobHere(
    private val environment: Map<String, String>,
    private val commands: Commands = Commands { error("nothing is to be asked") },
) {
    val heat = HeatCheckpoints()

    fun text(vararg arguments: String): String {
        val out = ByteArrayOutputStream()
        val shell = Shell(heat.files, out, System.err, Optional.empty())
        val verb =
            JobVerb(shell, environment) {
                JobSurroundings(it, Clock.fixed(NOW, ZoneOffset.UTC), NOW, commands)
            }
        CommandLine(verb).execute(*arguments) shouldBe ExitCodes.YES
        return "$out"
    }
}

/** Lines of a shell that wait for a file. */
private fun await(file: String) = "until [ -e $file ]; do sleep 0.02; done"

/** The script for Slurm, with a [program] in the place of `mpirun`, and a `scontrol` that only notes what it is told. */
private class PlayedScript(private val directory: Path, program: String, restarts: Int = 0) {
    private val process: Process

    init {
        val commands = directory.resolve("bin").createDirectory()
        command(commands.resolve("mpirun"), program)
        command(commands.resolve("scontrol"), "echo \"\$@\" > $directory/requeued")
        val script = directory.resolve("heat.job").apply { writeText(JobScript.SLURM.text()) }
        val builder = ProcessBuilder("bash", "$script").directory(directory.toFile())
        builder.environment() +=
            mapOf(
                "PATH" to "$commands:${System.getenv("PATH")}",
                "SLURM_JOB_ID" to "17",
                "SLURM_RESTART_COUNT" to "$restarts",
            )
        process = builder.start()
    }

    fun complaint(): String? = process.errorReader().readLine()

    /** What `scontrol` was told; null if it was not called. */
    val requeued: String? get() =
        directory
            .resolve("requeued")
            .takeIf { it.exists() }
            ?.readText()
            ?.trim()

    fun awaitLine(): String = process.inputReader().readLine()

    fun signal() = check(ProcessBuilder("kill", "-USR1", "${process.pid()}").start().waitFor() == 0)

    fun end(): Int = process.waitFor()

    private fun command(file: Path, text: String) {
        file.writeText("#!/bin/bash\n$text\n")
        check(file.toFile().setExecutable(true))
    }
}
