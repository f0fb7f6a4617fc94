package dev.cairn.cli

import dev.cairn.command.Refusal
import dev.cairn.options.CommandLine
import dev.cairn.options.Configuration
import dev.cairn.options.ConfiguredValue
import dev.cairn.options.Settings
import dev.cairn.options.SettingsSources
import dev.cairn.options.recordedSettings
import kotlinx.serialization.Serializable
import picocli.CommandLine.Command
import picocli.CommandLine.Option
import picocli.CommandLine.Parameters
import java.nio.file.Path

/** `cairn config`: each setting with its value and its source. */
@Command(
    name = "config",
    description = [
        "Shows each setting with its value and its source.",
        "With a checkpoint they are the settings with which it was saved; without one, those that a file and the " +
            "environment give in this directory. Settings made by a program are known only from its checkpoints.",
    ],
    footer = ["", "Example: cairn config heat.cairn"],
)
internal class ConfigVerb(shell: Shell, private val environment: Map<String, String> = System.getenv()) :
    ReportVerb<Settled>(shell, Settled.serializer()) {
    @Parameters(
        arity = "0..1",
        paramLabel = "DIR[/NUMBER]",
        description = ["A checkpoint; the newest good one if there is no number."],
    )
    private var place: Place? = null

    @Option(names = ["--config"], paramLabel = "FILE", description = ["The file of settings to read."])
    private var file: Path? = null

    override fun report(): Settled = place?.let(::recorded) ?: here()

    override fun lines(report: Settled): List<String> =
        columns(listOf(HEAD) + report.settings.map { listOf("${it.name} = ${it.value}", it.origin) })

    private fun recorded(place: Place): Settled {
        val candidate = shell.checkpointsIn(place.directory).candidate(place.number)
        val settings = recordedSettings(candidate.manifest.provenance)
        if (settings.isEmpty()) {
            throw Refusal("${candidate.path}: it does not record the settings with which it was saved.")
        }
        return Settled("${candidate.path}", settings)
    }

    private fun here(): Settled {
        val sources = SettingsSources(environment, shell.store())
        val configured = refusing { sources.configure(Configuration.of(Settings.ALL), CommandLine.naming(file)) }
        return Settled(null, configured.values())
    }
}

private val HEAD = listOf("setting", "from")

/** The settings of [checkpoint], or those that hold here. */
@Serializable
internal class Settled(val checkpoint: String?, val settings: List<ConfiguredValue>)
