package dev.cairn.cli

import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.ForwardingStore
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldMatch
import io.kotest.matchers.string.shouldStartWith
import java.nio.file.Path

class CairnCommandSpec :
    FunSpec({
        val empty = HeatCheckpoints()
        val verbs =
            listOf(
                "ls",
                "info",
                "verify",
                "explain",
                "diff",
                "extract",
                "plan",
                "config",
                "job",
                "report",
                "save",
                "stop",
                "drain",
                "adopt",
                "recover",
                "pin",
                "unpin",
                "rm",
                "trial",
            )

        verbs.forEach { verb ->
            test("$verb has a help with an example") {
                val run = empty.cairn(verb, "--help")

                run.exitCode shouldBe 0
                run.text shouldStartWith "Usage: cairn $verb "
                run.text shouldContain
                    when (verb) {
                        "job" -> "cairn job --script slurm"
                        "trial" -> "cairn trial --input model.ini -- java -jar model.jar"
                        else -> "cairn $verb heat.cairn"
                    }
            }
        }

        test("the help of cairn names every verb and the exit codes") {
            val run = empty.cairn("--help")

            run.exitCode shouldBe 0
            verbs.forEach { run.text shouldContain "\n  $it " }
            listOf("  0 ", "  1 ", "  2 ", "  3 ", "  141 ").forEach { run.text shouldContain "\n$it" }
        }

        test("a verb is built only if it is called, and all for what only all of them can answer") {
            verbs.forEach { CairnCommand.verbsFor(it, "heat.cairn") shouldBe listOf(it) }
            CairnCommand.verbsFor("--version") shouldBe emptyList()
            listOf(arrayOf(), arrayOf("--help"), arrayOf("sl"), arrayOf("-V", "ls"), arrayOf("@file")).forEach {
                CairnCommand.verbsFor(*it) shouldBe verbs
            }
        }

        test("a name outside the locale is one sentence that says which variable to set") {
            val run = empty.cairn("ls", "../d\uFFFDn")

            run.complaint shouldBe
                "cairn: ../d\uFFFDn: this name has bytes that are not UTF-8, the character set of the locale. Set " +
                "LC_ALL to a locale with the name's character set ('locale -a' lists them), or rename the file."
            run.exitCode shouldBe 3
        }

        test("an empty name is not taken for the working directory") {
            val run = empty.cairn("ls", "")

            run.complaint shouldBe
                "cairn: the name of a directory is empty: give one, or '.' for the working directory."
            run.exitCode shouldBe 3
        }

        test("the version is one line") {
            empty.cairn("--version").text shouldMatch "cairn .*\n"
            empty.cairn("ls", "-V").text shouldMatch "cairn .*\n"
        }

        test("wrong usage is one sentence and exit code 2") {
            mapOf(
                emptyList<String>() to
                    "cairn: Which verb? ${verbs.joinToString(", ")}. Try 'cairn --help'.",
                listOf("ls") to "cairn ls: Missing required parameter: 'DIR'. Try 'cairn ls --help'.",
                listOf("plan", "heat.cairn") to
                    "cairn plan: Missing required option: '--ranks=M'. Try 'cairn plan --help'.",
                listOf("ls", "-t", "0", "heat.cairn") to "cairn ls: Unknown option: '-t'. Try 'cairn ls --help'.",
                listOf("rm", "heat.cairn", "newest") to
                    "cairn rm: Invalid value for positional parameter at index 1 (NUMBER): 'newest' is not an int. " +
                    "Try 'cairn rm --help'.",
            ).forEach { (arguments, sentence) ->
                val run = empty.cairn(*arguments.toTypedArray())

                run.complaint shouldBe sentence
                run.exitCode shouldBe 2
                run.text shouldBe ""
            }
        }

        test("a directory or a save that is not there is one sentence and exit code 3") {
            val heat = HeatCheckpoints().apply { save(rankCount = 1, step = 1) }
            mapOf(
                listOf("ls", "cold.cairn") to "cairn: cold.cairn: there is no such directory. Check the name.",
                listOf("rm", "cold.cairn", "1") to "cairn: cold.cairn: there is no such directory. Check the name.",
                listOf("verify", "heat.cairn", "8") to
                    "cairn: heat.cairn: there is no save 8. 'cairn ls heat.cairn' lists the existing ones.",
                listOf("diff", "heat.cairn/1", "heat.cairn/2") to
                    "cairn: heat.cairn: there is no save 2. 'cairn ls heat.cairn' lists the existing ones.",
            ).forEach { (arguments, sentence) ->
                val run = heat.cairn(*arguments.toTypedArray())

                run.complaint shouldBe sentence
                run.exitCode shouldBe 3
                run.text shouldBe ""
            }
        }

        test("every verb that takes a save takes it as DIR/NUMBER, and as DIR and NUMBER") {
            val heat = HeatCheckpoints().apply { for (step in 1L..3) save(rankCount = 1, step = step) }
            for (verb in listOf("info", "verify", "pin", "unpin", "rm")) {
                val first = heat.cairn(verb, "heat.cairn/1")
                first.exitCode shouldBe 0
                heat.cairn(verb, "heat.cairn", "2").text shouldBe
                    first.text
                        .replace("000001", "000002")
                        .replace("save 1", "save 2")
                        .takeIf { verb != "info" }
                        .orEmpty()
                        .ifEmpty { heat.cairn("info", "heat.cairn/000002").text }
            }
            heat.cairn("rm", "heat.cairn").run {
                exitCode shouldBe 2
                complaint shouldBe "cairn: heat.cairn: choose a checkpoint: heat.cairn/NUMBER."
            }
        }

        test("a directory of checkpoints may be called by a number") {
            val year = Path.of("2024")
            val heat =
                HeatCheckpoints().apply {
                    for (step in 1L..2) {
                        save(
                            rankCount = 1,
                            step = step,
                            directory = year,
                        )
                    }
                }
            heat.cairn("verify", "2024").lines.size shouldBe 2
            heat.cairn("verify", "2024", "1").lines.size shouldBe 1
            heat.cairn("info", "2024/2").lines[0] shouldBe "checkpoint  2024/000002"
        }

        test("damage that stops a verb is one sentence and exit code 1") {
            val heat = HeatCheckpoints().apply { save(rankCount = 1, step = 1) }
            heat.damage(1, cell(0))
            val run = heat.cairn("extract", "heat.cairn/1", "u", "u.npy")

            run.complaint shouldStartWith "cairn: heat.cairn/000001/data.sion: frame 0 of 'u' should have"
            run.exitCode shouldBe 1
        }

        test("a fault of the command itself asks for a report, without a stack trace") {
            val faulty =
                object : ForwardingStore(FileBlockStore()) {
                    override fun onOperation(operation: BlockStore.Operation): Unit = error("out of order")
                }
            val run = HeatCheckpoints(faulty).cairn("ls", "heat.cairn")

            run.complaint shouldBe
                "cairn: this is a fault of cairn itself, please report it: " +
                "java.lang.IllegalStateException: out of order"
            run.exitCode shouldBe 3
        }
    })
