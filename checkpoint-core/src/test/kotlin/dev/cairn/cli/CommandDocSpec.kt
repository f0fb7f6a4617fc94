package dev.cairn.cli

import dev.cairn.checkpoints
import dev.cairn.grid.Decomposition
import dev.cairn.house.PROMPT
import dev.cairn.house.consoleBlocks
import dev.cairn.options.CommandLine
import dev.cairn.options.DataFiles
import dev.cairn.options.Settings
import dev.cairn.options.SettingsSources
import dev.cairn.options.SimulationOptions
import dev.cairn.ranks.ranks
import dev.cairn.store.writeNew
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path
import kotlin.io.path.readLines

/** What docs/reference/cairn.md shows is what the command prints, from the first block to the last. */
class CommandDocSpec :
    FunSpec({
        val page = Path.of("../docs/reference/cairn.md").readLines()
        val exitCodes = Path.of("../docs/reference/exit-codes.md").readLines()

        test("every block is what the commands in it print") {
            val hosts = SealedHeat().apply { on[0].show() }
            hosts.showSealed()
            val blocks = consoleBlocks(page)

            blocks.shouldNotBeEmpty()
            for (block in blocks) {
                val printed = block.filter { it.startsWith(PROMPT) }.flatMap { listOf(it) + hosts.print(it) }
                block.joinToString("\n") shouldBe printed.joinToString("\n")
            }
        }

        test("the exit codes are those of the help") {
            val help = HeatCheckpoints().cairn("--help").text
            val rows =
                exitCodes.mapNotNull {
                    Regex(
                        "\\| ([0-9]+) \\| `cairn` \\| (.*) \\| \\|",
                    ).matchEntire(it)?.destructured
                }

            rows.shouldNotBeEmpty()
            rows.forEach { (code, meaning) -> help shouldContain Regex("\n +$code +${Regex.escape(meaning)}\n") }
        }

        test("the list of verbs has each verb of the help, with its options") {
            val command = HeatCheckpoints()
            val list =
                command
                    .cairn("--help")
                    .text
                    .substringAfter("Verbs:")
                    .substringBefore("Exit codes:")
            val verbs = Regex("\n  ([a-z]+)").findAll(list).map { it.groupValues[1] }.toList()
            val rows = page.mapNotNull { Regex("- `([^`]*)`: .*").matchEntire(it)?.groupValues?.get(1) }

            verbs.shouldNotBeEmpty()
            rows shouldBe verbs.map(command::usage)
        }
    })

/** How [verb] is called, without the options that all verbs have. */
private fun HeatCheckpoints.usage(verb: String): String =
    Regex("Usage: cairn (.*(\n  .*)*)")
        .find(cairn(verb, "--help").text)!!
        .groupValues[1]
        .replace(Regex("\\s+"), " ")
        .replace(" [-hV]", "")

private suspend fun HeatCheckpoints.show() {
    save(4, step = 100)
    save(4, step = 100, fileCount = 2)
    save(6, step = 200, blocks = { Decomposition.blocks(SHAPE, it) }) { if (it == 100L) 0.0 else cell(it) }
    saveConfigured(Path.of("waves.cairn"))
    for (step in 1L..2) saveDust(3, step)
    val hurt = Path.of("hurt.cairn")
    for (step in 1L..2) save(4, step, hurt)
    damage(2, cell(500), hurt)
    own(hurt).use { it.begin() }
    val lost = Path.of("lost.cairn")
    for (step in 1L..2) save(4, step, lost)
    files.delete(lost.resolve("000002/manifest.json"))
}

/** The newest save lies on two hosts. */
private suspend fun SealedHeat.showSealed() {
    val store = Path.of("tide.cairn")
    for (step in 1L..2) on[0].save(4, step, store, fileCount = 2)
    seal(2, store)
}

/** By a program that says something itself, where a file says something, too. */
private suspend fun HeatCheckpoints.saveConfigured(directory: Path) {
    files.writeNew(SettingsSources.STANDARD, "# for all runs here\nkeep-last = 3\n".encodeToByteArray())
    val program =
        SimulationOptions {
            checkpoints { files = DataFiles.perHost() }
            every = 100
        }
    val line = CommandLine.parse(listOf("--ranks", "4", "--limit-seconds=600"), Settings.ALL)
    val options = program.configured("waves", line, SettingsSources(emptyMap(), files))
    ranks(options.rankCount) {
        checkpoints(directory, options.checkpoints, files) {}.use { it.save(100) }
    }
}

/** On the host `node0`, or on that to which `ssh` goes. */
private fun SealedHeat.print(line: String): List<String> {
    val onNode1 = "${PROMPT}ssh node1 "
    val host = if (line.startsWith(onNode1)) 1 else 0
    val command = line.removePrefix(onNode1).removePrefix(PROMPT).removePrefix("cairn ")
    val run = on[host].cairn(*command.split(" ").toTypedArray())
    return (run.text + run.complaint).trimEnd('\n').lines()
}
