package dev.cairn.options

import kotlin.reflect.KProperty

/**
 * One setting. Its [name] is its key in a file; the names of its environment variable and of its option are derived
 * from it.
 *
 * @property meaning its description, for a line of a list
 * @property default the value if no source sets it
 */
internal class Setting<T>(val name: String, val kind: ValueKind<T>, val default: T, val meaning: String) {
    val variable: String get() = VARIABLES + name.uppercase().replace('-', '_')
    val option: String get() = "--$name"

    /** `--keep-last N`, as it stands in a list of options. */
    val usage: String get() = "$option ${kind.placeholder}".trim()

    /** A property of the table is the setting itself. */
    operator fun getValue(table: Settings, property: KProperty<*>): Setting<T> = this

    fun print(value: T): String = kind.print(value)

    /** The value of [text]; an [IllegalArgumentException] describes the error and its position. */
    fun parse(text: String, origin: Origin): T {
        val value =
            try {
                kind.read(text)
            } catch (refused: LocaleRefusesException) {
                throw IllegalArgumentException("$origin: ${refused.message}", refused)
            } catch (_: IllegalArgumentException) {
                throw unfit(text, origin)
            }
        return require(value, text, origin)
    }

    fun require(value: T, text: String, origin: Origin): T =
        if (kind.isAllowed(value)) value else throw unfit(text, origin)

    private fun unfit(text: String, origin: Origin) =
        IllegalArgumentException("$origin: $name cannot be '$text'. It is ${kind.allowed}.")

    companion object {
        /** The prefix of Cairn's environment variables. */
        const val VARIABLES = "CAIRN_"
    }
}

/** The source of a value, for people. */
@JvmInline
internal value class Origin private constructor(private val text: String) {
    override fun toString(): String = text

    companion object {
        val DEFAULT = Origin("default")
        val PROGRAM = Origin("program")
        val COMMAND_LINE = Origin("command line")

        fun file(file: Any, line: Int) = Origin("file $file, line $line")

        /** A launcher by its own name, such as `mpirun`. */
        fun launcher(name: String) = Origin(name)

        fun environment(variable: String) = Origin("environment $variable")
    }
}
