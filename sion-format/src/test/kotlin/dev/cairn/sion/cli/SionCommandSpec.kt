package dev.cairn.sion.cli

import dev.cairn.command.Shell
import dev.cairn.command.StandardOutput
import dev.cairn.sion.store.FileBlockStore
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldMatch
import io.kotest.matchers.string.shouldStartWith
import java.io.ByteArrayOutputStream
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.writeText

class SionCommandSpec :
    FunSpec({
        val directory = tempdir().toPath()
        val good = bundled("s03-five-mixed.sion")
        val verbs = listOf("dump", "cat", "split", "defrag", "map", "verify", "repair", "subfiles", "log", "version")

        verbs.forEach { verb ->
            test("$verb has a help with an example") {
                listOf("--help", "-h").forEach { option ->
                    val run = sion(verb, option)

                    run.exitCode shouldBe 0
                    run.text shouldStartWith "Usage: sion $verb "
                    run.text shouldContain "Example: sion $verb"
                    run.complaint shouldBe ""
                }
            }
        }

        test("the help of sion names every verb and the exit codes") {
            val run = sion("--help")

            run.exitCode shouldBe 0
            verbs.forEach { run.text shouldContain "\n  $it " }
            run.text shouldContain "Exit codes: 0 done; 1 "
        }

        test("a verb is built only if it is called, and all for what only all of them can answer") {
            val command = SionCommand(Shell.ofThisProcess(FileBlockStore()))
            verbs.forEach { command.verbsFor(it, "x.sion") shouldBe listOf(it) }
            command.verbsFor("--version") shouldBe emptyList()
            listOf(arrayOf(), arrayOf("--help"), arrayOf("dmp"), arrayOf("-V", "dump"), arrayOf("@file")).forEach {
                command.verbsFor(*it) shouldBe verbs
            }
        }

        test("the version is one line, by a verb and by an option of each") {
            val expected = "sion .*, writes SION format 5 as SIONlib 1\\.7\\.6 does, reads formats 2 to 5\n"
            sion("version").text shouldMatch expected
            sion("-V").text shouldMatch expected
            sion("dump", "--version").text shouldMatch expected
        }

        test("wrong usage is one sentence and exit code 2") {
            mapOf(
                emptyList<String>() to
                    "sion: Which verb? dump, cat, split, defrag, map, verify, repair, subfiles, log or version. " +
                    "Try 'sion --help'.",
                listOf("dump") to
                    "sion dump: Missing required parameter: 'FILE'. Try 'sion dump --help'.",
                listOf("dump", "-S", "x.sion") to
                    "sion dump: Unknown option: '-S'. Try 'sion dump --help'.",
                listOf("dump", "-t", "0", "x.sion") to
                    "sion dump: Unknown option: '-t'. Try 'sion dump --help'.",
                listOf("split", "x.sion") to
                    "sion split: Missing required parameter: 'PREFIX'. Try 'sion split --help'.",
                listOf("split", "-d", "0", "x.sion", "p") to
                    "sion split: -d takes 1 to 255, but not 0. Try 'sion split --help'.",
                listOf("repair", "--search", "-1", "x.sion") to
                    "sion repair: --search takes 1 or more bytes, but not -1. Try 'sion repair --help'.",
                listOf("cat", "-t", "one", "x.sion") to
                    "sion cat: Invalid value for option '-t': 'one' is not an int. Try 'sion cat --help'.",
            ).forEach { (arguments, sentence) ->
                val run = sion(*arguments.toTypedArray())

                run.complaint shouldBe sentence
                run.exitCode shouldBe 2
                run.text shouldBe ""
            }
        }

        test("options may stand anywhere before the files, as in C") {
            val expected = sion("dump", "-a", "-l", good.toString()).text

            sion("dump", "-l", "-a", good.toString()).text shouldBe expected
            sion("dump", "-al", good.toString()).text shouldBe expected
        }

        test("a file that is not there is one sentence and exit code 1") {
            val missing = directory.resolve("missing.sion")
            listOf("dump", "cat", "verify").forEach { verb ->
                val run = sion(verb, missing.toString())

                run.complaint shouldBe "sion: $missing: there is no such file. Check the name."
                run.exitCode shouldBe 1
            }
        }

        test("a file that is something else is one sentence and exit code 1") {
            val other = directory.resolve("other.txt")
            other.writeText("hello, world")
            val run = sion("dump", other.toString())

            run.complaint shouldStartWith "sion: $other: the first 4 bytes should be 'sion', but are "
            run.complaint.lines().size shouldBe 1
            run.exitCode shouldBe 1
        }

        test("a name that is empty is said to be empty") {
            listOf("dump", "cat", "verify", "repair").forEach { verb ->
                val run = sion(verb, "")

                run.complaint shouldBe
                    "sion: the name of a file is empty. Give one; a variable of the shell may have no value."
                run.exitCode shouldBe 1
            }
        }

        test("a link that leads nowhere is told from a name that does not exist") {
            val link = Files.createSymbolicLink(directory.resolve("link.sion"), Path.of("away.sion"))
            val run = sion("dump", "$link")

            run.complaint shouldBe "sion: $link: it is a symbolic link to away.sion, which does not exist."
            run.exitCode shouldBe 1
        }

        test("a copy is not given the name of a directory") {
            for (out in listOf(".", "..", "$directory/.")) {
                for (verb in listOf("defrag", "repair")) {
                    val run = sion(verb, good.toString(), out)

                    run.complaint shouldBe
                        "sion: $out: it is a directory: end the name of a new multifile with that of a file."
                    run.exitCode shouldBe 1
                }
            }
        }

        test("a directory is one sentence and exit code 1") {
            val run = sion("dump", directory.toString())

            run.complaint.lines().size shouldBe 1
            run.complaint shouldContain "directory"
            run.exitCode shouldBe 1
        }

        test("a full disk behind standard output is not taken for success") {
            val full = StandardOutput(failing("No space left on device"))
            listOf(arrayOf("dump"), arrayOf("cat"), arrayOf("verify")).forEach { verb ->
                val err = ByteArrayOutputStream()

                sion(FileBlockStore(), full, err, *verb, good.toString()) shouldBe 1
                err.toString() shouldBe "sion: standard output: No space left on device.\n"
            }
        }

        test("a help that could not be written is no success") {
            mapOf("No space left on device" to 1, "Broken pipe" to 141).forEach { (words, exitCode) ->
                listOf(arrayOf("--help"), arrayOf("dump", "--help"), arrayOf("-V"), arrayOf("version")).forEach {
                    sion(FileBlockStore(), StandardOutput(failing(words)), ByteArrayOutputStream(), *it) shouldBe
                        exitCode
                }
            }
        }

        test("a pipe or a device is refused at once, in one sentence") {
            val pipe = directory.resolve("pipe.sion")
            ProcessBuilder("mkfifo", "$pipe").start().waitFor() shouldBe 0
            val reason = "it is a pipe or a device: a file is needed, which can be read at any position."
            for (file in listOf("$pipe", "/dev/zero")) {
                for (verb in listOf("dump", "cat", "verify", "map", "repair")) {
                    val run = sion(verb, file)

                    run.complaint shouldBe "sion: $file: $reason"
                    run.exitCode shouldBe 1
                }
            }
        }

        test("dump takes siondump's -v, which changes nothing") {
            sion("dump", "-v", "-a", good.toString()).text shouldBe sion("dump", "-a", good.toString()).text
        }

        test("a reader that leaves early ends the command quietly") {
            val left = StandardOutput(failing("Broken pipe"))
            listOf("dump", "cat", "verify").forEach { verb ->
                val err = ByteArrayOutputStream()

                sion(FileBlockStore(), left, err, verb, good.toString()) shouldBe 141
                err.toString() shouldBe ""
            }
        }

        test("a fault of the command itself asks for a report, without a stack trace") {
            val faulty = OnOperation { error("out of order") }
            val run = sion("dump", good.toString(), store = faulty)

            run.complaint shouldBe
                "sion: this is a fault of sion itself, please report it: " +
                "java.lang.IllegalStateException: out of order"
            run.exitCode shouldBe 1
        }
    })
