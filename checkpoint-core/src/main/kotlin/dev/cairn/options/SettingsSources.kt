package dev.cairn.options

import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.event.sentence
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.UndecodedName
import java.io.IOException
import java.lang.System.Logger.Level.WARNING
import java.nio.file.InvalidPathException
import java.nio.file.NoSuchFileException
import java.nio.file.Path

/** The sources of settings around a program: a file, and after it the environment. It owns nothing. */
internal class SettingsSources(private val environment: Map<String, String>, private val files: BlockStore) {
    /**
     * A program's settings from all sources: the [program], a file, the environment and the command [line]; the later
     * source wins. An [IllegalArgumentException] describes an invalid value and its position.
     */
    fun configure(program: Configuration, line: CommandLine = CommandLine.NONE): Configuration {
        val named = line.file ?: environment[CONFIG]?.let(::pathOf)
        return line.over(overEnvironment(if (named == null) overStandardAlone(program) else overFile(named, program)))
    }

    /** One that is not [named][isNamed] is missing only if its name does not exist: a broken link was meant to name a file. */
    private fun overFile(file: Path, configuration: Configuration, isNamed: Boolean = true): Configuration =
        try {
            SettingsFile(files, file).over(configuration)
        } catch (unreadable: IOException) {
            val isMissing = unreadable is NoSuchFileException && unreadable.reason == null
            if (isMissing && !isNamed) configuration else throw refusal(file, unreadable)
        }

    private fun overStandardAlone(configuration: Configuration): Configuration =
        overFile(STANDARD, configuration, isNamed = false).also { refuseFormerName() }

    /** Settings under the former name would have no effect. A file that cannot be opened, or a dangling link, is found as well. */
    private fun refuseFormerName() {
        try {
            files.open(FORMER, Access.READ).close()
        } catch (missing: NoSuchFileException) {
            if (missing.reason == null) return
        } catch (unreadable: IOException) {
            throw IllegalArgumentException(RENAME, unreadable)
        }
        throw IllegalArgumentException(RENAME)
    }

    private fun refusal(file: Path, failure: IOException): IllegalArgumentException {
        val sentence =
            if (failure is NoSuchFileException) {
                "there is no such file of settings${failure.reason?.let { ": $it" }.orEmpty()}. Check its name."
            } else {
                "this file of settings cannot be read: ${failure.sentence().removePrefix("$file: ")}"
            }
        return IllegalArgumentException("$file: $sentence", failure)
    }

    private fun overEnvironment(configuration: Configuration): Configuration {
        warnOfUnknown(configuration.settings)
        return configuration.settings.fold(configuration) { result, setting ->
            val text = environment[setting.variable] ?: return@fold result
            result.withText(setting, text, Origin.environment(setting.variable))
        }
    }

    /** Not refused: environment variables may be meant for other programs, too. */
    private fun warnOfUnknown(settings: List<Setting<*>>) {
        val known = settings.map { it.variable } + CONFIG
        val unknown = environment.keys.filter { it.startsWith(Setting.VARIABLES) && it !in known }.sorted()
        unknown.forEach { LOG.log(WARNING, "environment $it: there is no such setting.${didYouMean(it, known)}") }
    }

    companion object {
        /** The default file, in the working directory. */
        val STANDARD: Path = Path.of("cairn.conf")

        /** The former name of the standard file, whose grammar is not that of Java's properties. */
        private val FORMER: Path = Path.of("cairn.properties")

        private val RENAME =
            "$FORMER: settings are read from $STANDARD, and this file would have no effect. Rename it to $STANDARD; " +
                "if there is a $STANDARD already, move the valid lines into it, and delete $FORMER."

        /** The variable that names another file. */
        const val CONFIG = Setting.VARIABLES + "CONFIG"

        private val LOG: System.Logger = System.getLogger(SettingsSources::class.java.name)

        fun ofThisProcess(): SettingsSources = SettingsSources(System.getenv(), FileBlockStore())
    }
}

/** Runs [read]; settings that are not valid are refused as wrong declarations are. */
internal inline fun <T> readingSettings(read: () -> T): T =
    try {
        read()
    } catch (flaw: IllegalArgumentException) {
        throw InvalidDeclaration(Details(flaw.message.orEmpty(), cause = flaw))
    }

/** An [IllegalArgumentException] says that no file can have such a name. */
internal fun pathOf(text: String): Path {
    require(text.isNotBlank()) { "'$text' cannot be a path: it is empty" }
    if (UndecodedName.firstOf(text).isPresent) throw LocaleRefusesException(text)
    return try {
        Path.of(text)
    } catch (unfit: InvalidPathException) {
        if ('\u0000' in text) throw IllegalArgumentException("'$text' cannot be a path: ${unfit.reason}", unfit)
        throw LocaleRefusesException(text)
    }
}

/** A [name] has characters that the locale of this process does not have; the message says which variable to set. */
internal class LocaleRefusesException(name: String) : IllegalArgumentException(UndecodedName.sentence(name))
