package dev.cairn.testing

import dev.cairn.heap.ProgramClasses
import java.net.URLClassLoader
import java.nio.file.Path
import java.util.jar.Attributes.Name.MAIN_CLASS
import java.util.jar.Manifest

/**
 * A command line that starts a program in Java: `java`, options of the virtual machine, the program, and its arguments. It can be
 * started in any working directory, since its class path has absolute names.
 *
 * @property arguments those of the program, and its system properties
 * @throws IllegalArgumentException if [words] are no such command line
 */
internal class JavaCommand(words: List<String>) {
    val arguments = mutableListOf<String>()
    private val classPath = mutableListOf<Path>()
    private val started = mutableListOf<String>()
    private val mainClass: String

    init {
        val rest = ArrayDeque(words)
        val java = rest.removeFirstOrNull().orEmpty()
        require(java.substringAfterLast('/') !in LAUNCHERS) {
            "the command begins with '$java', and a program of several processes is not tried: let it begin " +
                "with java. In a test, RestartTrial.withLauncher tries it"
        }
        require(java.substringAfterLast('/') == "java") {
            "the command begins with '$java': let it begin with java, followed by its options and the program"
        }
        started += if ('/' in java) "${Path.of(java).toAbsolutePath()}" else java
        mainClass = takeProgram(rest)
        arguments += rest
        started += rest
    }

    val command get() = ProgramCommand(mainClass, started)

    /** No class of it is initialized. */
    val program get() = ProgramClasses(mainClass, loader())

    private fun loader(): URLClassLoader {
        val entries = classPath.map { it.toUri().toURL() }
        return URLClassLoader(entries.toTypedArray(), ClassLoader.getPlatformClassLoader())
    }

    /** Takes all words up to the program's arguments, and returns its main class. */
    private fun takeProgram(rest: ArrayDeque<String>): String {
        while (true) {
            val word = rest.removeFirstOrNull()
            requireNotNull(word) { "the command names no program: add -jar FILE, or a main class" }
            val value = if (word in WITH_VALUE) rest.removeFirstOrNull().orEmpty() else null
            when {
                word == "-jar" -> return mainOfJar(value.orEmpty())
                word == "-m" || word == "--module" -> return mainOfModule(word, value.orEmpty())
                value != null -> started += listOf(word, if (word in PATHS) absolute(value) else value)
                word.startsWith("-") -> started += word.also { if (it.startsWith("-D")) arguments += it }
                else -> return word.also(started::add)
            }
        }
    }

    private fun absolute(paths: String): String {
        val separator = System.getProperty("path.separator")
        val entries = paths.split(separator).map { Path.of(it).toAbsolutePath() }
        classPath += entries
        return entries.joinToString(separator)
    }

    private fun mainOfJar(jar: String): String {
        started += listOf("-jar", absolute(jar))
        val main =
            loader().use { loader ->
                val manifest = loader.findResource("META-INF/MANIFEST.MF")
                manifest?.openStream()?.use { Manifest(it).mainAttributes.getValue(MAIN_CLASS) }
            }
        return requireNotNull(main) { "$jar: it is no jar with a Main-Class in its manifest. Check its name." }
    }

    private fun mainOfModule(word: String, module: String): String {
        started += listOf(word, module)
        require('/' in module) { "$word $module names no class: write $word MODULE/CLASS" }
        return module.substringAfter('/')
    }
}

private val LAUNCHERS = setOf("mpirun", "mpiexec", "srun")
private val PATHS = setOf("-cp", "-classpath", "--class-path", "-p", "--module-path", "--upgrade-module-path")
private val OF_MODULES = setOf("--add-modules", "--add-opens", "--add-exports", "--add-reads", "--limit-modules")
private val WITH_VALUE = PATHS + OF_MODULES + setOf("-jar", "-m", "--module")
