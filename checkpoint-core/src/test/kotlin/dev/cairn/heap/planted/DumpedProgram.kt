package dev.cairn.heap.planted

import java.nio.file.Path
import kotlin.io.path.absolutePathString

/** Runs the main class [program] in a virtual machine of its own, which ends by itself. */
internal fun run(program: String, vararg args: String) {
    val java = Path.of(System.getProperty("java.home"), "bin", "java").absolutePathString()
    val options = listOf("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"))
    val process = ProcessBuilder(listOf(java) + options + program + args).redirectErrorStream(true).start()
    val output = process.inputReader().readText()
    check(process.waitFor() == 0) { "$program failed: $output" }
}
