package dev.cairn.cli

import dev.cairn.options.Configuration
import dev.cairn.options.Settings
import dev.cairn.options.SettingsSources
import dev.cairn.run.Deadline
import dev.cairn.run.JobEnd
import dev.cairn.run.JobSurroundings
import dev.cairn.run.JobSystem
import dev.cairn.run.Known
import dev.cairn.run.ProcessCommands
import dev.cairn.run.endOfJob
import dev.cairn.run.spanText
import dev.cairn.run.timeText
import kotlinx.serialization.Serializable
import picocli.CommandLine.Command
import picocli.CommandLine.ITypeConverter
import picocli.CommandLine.Option
import picocli.CommandLine.TypeConversionException
import java.time.Clock
import java.time.Duration
import kotlin.time.toKotlinDuration

/** `cairn job`: what is known about the job in which it runs, and a script to start from. */
@Command(
    name = "job",
    description = [
        "Shows what is known about the job in which it runs, from which variable or command, and what a simulation " +
            "does about its end. Settings of a file and the environment count, too.",
    ],
    footer = ["", "Example: cairn job --script slurm > heat.job"],
)
internal class JobVerb(
    shell: Shell,
    private val environment: Map<String, String> = System.getenv(),
    surroundings: (Map<String, String>) -> JobSurroundings = ::surroundingsNow,
) : ReportVerb<JobReport>(shell, JobReport.serializer()) {
    /** One, since it asks the job system at most once. */
    private val told by lazy { surroundings(environment) }

    @Option(
        names = ["--script"],
        paramLabel = "slurm|pbs|lsf",
        description = ["Prints a job script to start from instead."],
        converter = [ScriptName::class],
    )
    private var script: JobScript? = null

    override fun report(): JobReport {
        val wanted = script ?: return JobReport(facts = facts(), plan = plan())
        return JobReport(script = wanted.text())
    }

    override fun lines(report: JobReport): List<String> {
        if (report.script != null) return report.script.lines()
        val rows = report.facts.map { listOf(it.name, it.value, it.source) }
        return columns(listOf(HEAD) + rows) + "" + report.plan
    }

    private fun facts(): List<JobFact> {
        val system = JobSystem.of(environment) ?: return listOf(NO_SYSTEM)
        val end = told.toldEnd
        val left = end?.let { Duration.between(told.now, it.time).toKotlinDuration() }
        return listOf(
            JobFact("job system", system.title, system.id(environment)),
            JobFact("job", system.id(environment)),
            JobFact("start", told.toldStart),
            JobFact("end", end),
            JobFact("time left", left?.let { Known(if (it.isPositive()) spanText(it) else "none", "the clock") }),
            JobFact("nodes", system.nodes(environment)),
            JobFact("restarts", system.restarts(environment)),
        )
    }

    private fun plan(): List<String> {
        val sources = SettingsSources(environment, shell.store())
        val end = refusing { told.endOfJob(sources.configure(Configuration.of(Settings.ALL))) }
        return if (end == null) listOf(ENDLESS) else planFor(end)
    }

    private fun planFor(end: JobEnd): List<String> {
        val total = Duration.between(told.now, end.time).toKotlinDuration()
        val kept = Deadline(total).keptUntried
        return listOf(
            "A simulation that is started now takes $end for the end of its job, which is in ${spanText(total)}.",
            "Before that it saves and ends with exit code 75; the time for it follows from its saves and steps. If " +
                "none was made ${spanText(kept)} before the end, it makes one then, to see how long that takes.",
        )
    }
}

private val HEAD = listOf("", "", "from")
private val NO_SYSTEM = JobFact("job system", "none", "no variable of one is set")
private const val ENDLESS =
    "A simulation that is started now runs as if its job had no end. Set time-limit or ends-at to let it " +
        "save and stop before."

/** What `cairn job` shows: facts with their sources, and sentences; or else a job script. */
@Serializable
internal class JobReport(
    val facts: List<JobFact> = emptyList(),
    val plan: List<String> = emptyList(),
    val script: String? = null,
)

/** One thing that is known about a job, or that is not known. */
@Serializable
internal class JobFact(val name: String, val value: String, val source: String) {
    constructor(name: String, known: Known?) : this(name, known?.value ?: "not known", known?.source.orEmpty())

    constructor(name: String, value: String, known: Known?) : this(name, value, known?.source.orEmpty())

    constructor(name: String, time: JobEnd?) : this(name, time?.let { Known(timeText(it.time), it.source) })
}

private fun surroundingsNow(environment: Map<String, String>): JobSurroundings {
    val clock = Clock.systemUTC()
    return JobSurroundings(environment, clock, clock.instant(), ProcessCommands())
}

private class ScriptName : ITypeConverter<JobScript> {
    override fun convert(text: String): JobScript =
        JobScript.entries.find { it.name.lowercase() == text }
            ?: throw TypeConversionException("'$text' is no job system with a script: slurm, pbs or lsf")
}
