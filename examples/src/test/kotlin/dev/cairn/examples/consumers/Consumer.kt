package dev.cairn.examples.consumers

import java.nio.file.Path
import java.util.concurrent.TimeUnit.MINUTES
import kotlin.io.path.readText

/** A copy, in [folder], of a project in `examples/consumers`: far from our build, and from what is left of others. */
internal class Consumer(private val name: String, val folder: Path) {
    init {
        for (part in listOf("pom.xml", "src")) {
            Path.of("consumers", name, part).toFile().copyRecursively(folder.resolve(part).toFile())
        }
    }

    /** Compiles it, on the JDK of this process, and offline if we are. */
    fun build(repository: Path) {
        val maven = Path.of(System.getProperty("cairn.maven.home"), "bin", "mvn")
        val offline = listOf("-o").filter { System.getProperty("cairn.maven.settings") == "offline=true" }
        val command = listOf("$maven", "-B", "-q", "-Dmaven.repo.local=$repository", "compile") + offline
        val ended = run(command)
        check(ended.code == 0) { "the consumer '$name' cannot be built: $ended" }
    }

    /** With Open MPI's Java bindings, if they are there. */
    fun classPath(): String {
        val bindings = Path.of(System.getProperty("cairn.mpi.home"), "lib", "mpi.jar").toAbsolutePath()
        return "${folder.resolve("target/classes")}:${folder.resolve("target/lib")}/*:$bindings"
    }

    fun java(vararg arguments: String): Ended = run(listOf("$JAVA_HOME/bin/java") + arguments)

    private fun run(command: List<String>): Ended {
        val output = folder.resolve("output.txt")
        val errors = folder.resolve("errors.txt")
        val builder = ProcessBuilder(command).directory(folder.toFile())
        builder.environment()["JAVA_HOME"] = JAVA_HOME
        val process = builder.redirectOutput(output.toFile()).redirectError(errors.toFile()).start()
        if (!process.waitFor(5, MINUTES)) {
            process.destroyForcibly()
            error("does not end: $command")
        }
        return Ended(process.exitValue(), output.readText(), errors.readText())
    }

    private companion object {
        val JAVA_HOME: String = System.getProperty("java.home")
    }
}

/** How a process ended, and what it printed. */
internal data class Ended(val code: Int, val output: String, val errors: String)
