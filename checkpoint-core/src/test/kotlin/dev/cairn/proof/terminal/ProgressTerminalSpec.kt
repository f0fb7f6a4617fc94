package dev.cairn.proof.terminal

import dev.cairn.house.Need
import dev.cairn.house.needs
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import java.nio.file.Files
import java.nio.file.Path

/** The line about the progress of a real process on a real terminal, which the command `script` makes. */
class ProgressTerminalSpec :
    FunSpec({
        val script = Path.of("/usr/bin/script")

        test("what the program and the JDK's logger print stays whole, and the line is above nothing").config(
            enabledOrReasonIf = needs { Need.SCRIPT.given(Files.isExecutable(script)) },
        ) {
            val java = Path.of(System.getProperty("java.home"), "bin", "java")
            val options = "--progress --time-limit 3600 --every 10 --dir ${tempdir()}/shown.cairn"
            val command = "$java -XX:TieredStopAtLevel=1 dev.cairn.proof.terminal.ShownProgramKt $options"
            val terminal = ProcessBuilder("$script", "-qec", command, "/dev/null").redirectErrorStream(true)
            terminal.environment()["CLASSPATH"] = System.getProperty("java.class.path")
            val process = terminal.start()
            val written = process.inputReader().readText()
            process.waitFor() shouldBe 0

            Regex("shown\\.cairn {2}step").findAll(written).count() shouldBeGreaterThan 10
            val lines = written.split("\n").map { it.split("\r\u001b[K").last().removeSuffix("\r") }
            lines.filter { "shown.cairn  " in it }.shouldBeEmpty()
            lines shouldContainAll (0..39).map { "step $it is done" }
            lines.filter { "INFO: " in it && !it.startsWith("INFO: ") }.shouldBeEmpty()
        }
    })
