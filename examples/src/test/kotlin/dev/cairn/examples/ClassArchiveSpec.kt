package dev.cairn.examples

import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import picocli.AutoComplete
import java.nio.file.Path
import java.nio.file.attribute.FileTime
import kotlin.io.path.copyTo
import kotlin.io.path.getLastModifiedTime
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.setLastModifiedTime
import kotlin.io.path.toPath

/** The script with which `examples/run` starts programs sooner. */
class ClassArchiveSpec :
    FunSpec({
        val directory = tempdir().toPath()
        val program = AutoComplete::class.java.name
        val library =
            AutoComplete::class.java.protectionDomain.codeSource.location
                .toURI()
                .toPath()
        val jar = library.copyTo(directory.resolve("program.jar"))

        fun archives() = directory.listDirectoryEntries("*.jsa*")

        fun script(vararg arguments: String) =
            output(Path.of("class-archive").toAbsolutePath().toString(), "$directory", *arguments).trim()

        test("an archive is made once, and java takes it") {
            val option = script("$jar", program, "--help")
            val made = archives().single()
            option shouldBe "-XX:SharedArchiveFile=$made"
            val time = made.getLastModifiedTime()

            script("$jar", program, "--help") shouldBe option
            made.getLastModifiedTime() shouldBe time
            // With this option a java that cannot use the archive ends at once.
            output("java", "-Xshare:on", option, "-cp", "$jar", program, "--help")
        }

        test("a jar that has changed has a new archive, and the old one goes") {
            val before = script("$jar", program, "--help")
            jar.setLastModifiedTime(FileTime.fromMillis(0))

            script("$jar", program, "--help") shouldNotBe before
            archives() shouldHaveSize 1
        }

        test("where none can be made nothing is said, and nothing is left") {
            val other = library.copyTo(directory.resolve("other.jar"))

            script("$other", "no.such.Program") shouldBe ""
            archives() shouldHaveSize 0
        }
    })

/** What a command prints, unless it fails. */
private fun output(vararg command: String): String {
    val process = ProcessBuilder(*command).redirectErrorStream(true).start()
    val output = process.inputReader().readText()
    check(process.waitFor() == 0) { "${command.joinToString(" ")}: $output" }
    return output
}
