package dev.cairn.sion.cli

import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import java.nio.file.Path

/** Names outside ASCII, in the locales of terminals and of batch jobs. */
class FileNameSpec :
    FunSpec({
        val directory = tempdir().toPath()
        val java = Path.of(System.getProperty("java.home"), "bin", "java")

        /** Runs the command under a locale. Only a shell can name files whose names are no characters here. */
        fun run(locale: String, verb: String, name: String): Pair<Int, String> {
            val script = "f=$(printf '$name'); cp '${bundled("s01-one-task.sion")}' \"\$f\"; exec \"$0\" \"$@\" \"\$f\""
            val command =
                listOf("$java", "-cp", System.getProperty("java.class.path"), "dev.cairn.sion.cli.SionCommand", verb)
            val process =
                ProcessBuilder(listOf("sh", "-c", script) + command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .apply { environment()["LC_ALL"] = locale }
                    .start()
            val output = process.inputReader(Charsets.UTF_8).readText()
            return process.waitFor() to output
        }

        test("a name in UTF-8 works in a locale of UTF-8") {
            val (exitCode, output) = run("C.UTF-8", "verify", "w\\303\\244rme.sion")
            exitCode shouldBe 0
            output shouldStartWith "w"
        }

        test("in the locale of batch jobs one sentence says which variable to set") {
            val (exitCode, output) = run("C", "verify", "w\\303\\244rme.sion")
            exitCode shouldBe 1
            output shouldBe
                "sion: w??rme.sion: this name has characters that are not in ANSI_X3.4-1968, the character set of " +
                "the locale. Set LC_ALL=C.UTF-8, or another locale that has them.\n"
        }

        test("of a name that is not UTF-8 it is said that it is not, and not that there is no such file") {
            val (exitCode, output) = run("C.UTF-8", "verify", "w\\344rme.sion")
            exitCode shouldBe 1
            output shouldBe
                "sion: w\uFFFDrme.sion: this name has bytes that are not UTF-8, the character set of the locale. Set " +
                "LC_ALL to a locale with the name's character set ('locale -a' lists them), or rename the file.\n"
        }

        test("no file is made under another name than the one that was asked for") {
            val out = directory.resolve("none").toFile().apply { mkdir() }
            sion("cat", "-o", "$out/w\uFFFDrme.bin", bundled("s01-one-task.sion").toString()).exitCode shouldBe 1
            out.list()!!.toList() shouldBe emptyList<String>()
        }
    })
