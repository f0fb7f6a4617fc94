package dev.cairn.mpi

import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe
import java.nio.file.Path

internal fun hasCompiler() =
    runCatching { ProcessBuilder("cc", "--version").start().waitFor() == 0 }.getOrDefault(false)

/** Makes a shared library of a [source] in `src/test/c`, on top of another [library]. */
internal fun compile(source: String, target: Path, vararg options: String, library: String = "libmpich.so.12") {
    val command = listOf("cc", "-shared", "-fPIC", *options, "-o", "$target", "src/test/c/$source", "-l:$library")
    val compiler = ProcessBuilder(command).redirectErrorStream(true).start()
    val complaint = compiler.inputReader().readText()
    withClue(complaint) { compiler.waitFor() shouldBe 0 }
}
