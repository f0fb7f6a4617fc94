package dev.cairn.examples

import java.nio.file.Path

/** Starts the program [name] in a JVM of its own, whose working directory is [folder]. */
internal fun program(
    name: String,
    folder: Path,
    vararg environment: Pair<String, String>,
    arguments: Array<String> = emptyArray(),
): Process {
    val java = Path.of(System.getProperty("java.home"), "bin", "java").toString()
    val builder = ProcessBuilder(java, "-XX:TieredStopAtLevel=1", "-cp", absoluteClassPath(), name, *arguments)
    builder.environment() += environment
    return builder.directory(folder.toFile()).start()
}

private fun absoluteClassPath() =
    System.getProperty("java.class.path").split(":").joinToString(":") { "${Path.of(it).toAbsolutePath()}" }

/** What it has printed, once it has ended with this [code]. */
internal fun Process.ended(code: Int): String {
    val errors = errorReader().readText()
    val printed = inputReader().readText()
    check(waitFor() == code) { "it should end with $code, but has ended with ${exitValue()}:\n$errors" }
    return printed
}
