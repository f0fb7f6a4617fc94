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
        val onTerminal = needs { Need.SCRIPT.given(Files.isExecutable(script)) }

        /** What [program] has written on its terminal when it has ended. */
        fun written(program: String, settings: Map<String, String> = emptyMap()): String {
            val java = Path.of(System.getProperty("java.home"), "bin", "java")
            val command = "$java -XX:TieredStopAtLevel=1 dev.cairn.proof.terminal.$program"
            val terminal = ProcessBuilder("$script", "-qec", command, "/dev/null").redirectErrorStream(true)
            terminal.environment() += settings + ("CLASSPATH" to System.getProperty("java.class.path"))
            val process = terminal.start()
            return process.inputReader().readText().also { process.waitFor() shouldBe 0 }
        }

        fun requireWhole(written: String, steps: IntRange) {
            Regex("shown\\.cairn {2}step").findAll(written).count() shouldBeGreaterThan 10
            val lines = written.split("\n").map { it.split("\r\u001b[K").last().removeSuffix("\r") }
            lines.filter { "shown.cairn  " in it }.shouldBeEmpty()
            lines shouldContainAll steps.map { "step $it is done" }
            lines.filter { "INFO: " in it && !it.startsWith("INFO: ") }.shouldBeEmpty()
        }

        test("what the program and the JDK's logger print stays whole, and the line is above nothing").config(
            enabledOrReasonIf = onTerminal,
        ) {
            val options = "--progress --time-limit 3600 --every 10 --dir ${tempdir()}/shown.cairn"
            requireWhole(written("ShownProgramKt $options"), 0..39)
        }

        test("so it is of a loop of the program's own, whose restore is logged before its first step").config(
            enabledOrReasonIf = onTerminal,
        ) {
            val program = "ShownOwnLoop ${tempdir()}/shown.cairn"
            val settings = mapOf("CAIRN_PROGRESS" to "true", "CAIRN_EVERY" to "10", "CAIRN_GO_ON" to "true")
            requireWhole(written("$program 20", settings), 0..19)
            requireWhole(written("$program 60", settings), 20..59)
        }
    })
