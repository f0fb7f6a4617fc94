package dev.cairn.testing

import dev.cairn.heap.ProgramClasses
import dev.cairn.heap.compareHeaps
import dev.cairn.house.Campaign
import dev.cairn.house.Need
import dev.cairn.house.needs
import forgetful.Forgetful
import forgetful.Herd
import forgetful.Mindful
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.inspectors.shouldForAll
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldEndWith
import java.nio.file.Path
import java.nio.file.attribute.PosixFilePermissions
import kotlin.io.path.createDirectory
import kotlin.io.path.exists
import kotlin.io.path.extension
import kotlin.io.path.getPosixFilePermissions
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readText
import kotlin.io.path.walk
import kotlin.io.path.writeText

/** Whole searches for forgotten state, in programs that are started: each starts two virtual machines. */
class ForgottenStateSpec :
    FunSpec({
        val weather = tempdir().toPath().resolve("weather.txt").also { it.writeText("sunny, windy and wet") }
        val trial = RestartTrial(breakAt = 5).withInputs(weather)
        val chosen = Campaign.STARTED_PROGRAMS.someOf(listOf("calls", "u", "sum", "news", "two", "passed"))
        val ifStarted = needs { Need.CAMPAIGN.given(Campaign.STARTED_PROGRAMS.isOn) }

        fun ifChosen(scene: String) = needs { Need.CAMPAIGN.given(scene in chosen) }

        /** Of a program that knows all of its state. */
        fun search(directory: Path, trial: RestartTrial, compare: (Path, Path) -> Unit): ForgottenSearch {
            val name = Mindful::class.java.name
            val command = ProgramCommand.ofMain(name, listOf("weather.txt"), listOf("-XX:TieredStopAtLevel=1"))
            val classes = ProgramClasses(name, javaClass.classLoader)
            return ForgottenSearch(
                trial,
                directory,
                command,
                classes,
                WatchedOutputs(emptyList()),
            ) { unbroken, restarted ->
                compare(unbroken, restarted)
                compareHeaps(unbroken, restarted, classes)
            }
        }

        fun heapsIn(directory: Path) = directory.walk().filter { it.extension == "hprof" }.toList()

        test("fields, statics, local variables and positions of files are named, scratch apart, as the page shows it") {
            val directory = tempdir().toPath()
            // region find
            val state =
                RestartTrial(breakAt = 5)
                    .withInputs(weather)
                    .findForgottenState(directory, "forgetful.Forgetful", "weather.txt")
            println(state)
            // endregion
            val page = Path.of("../docs/how-to/find-forgotten.md").readText()
            page shouldContain "```text\n$state\n```"
            Forgetful::class.java.name shouldBe "forgetful.Forgetful"
        }

        test("nothing is found in a program that declares its state").config(enabledOrReasonIf = ifStarted) {
            val directory = tempdir().toPath()
            val state = search(directory, trial) { _, _ -> }.run()
            "$state" shouldBe "nothing differs at step 6, after a restart from step 5"
            state.isEmpty shouldBe true
            heapsIn(directory).shouldBeEmpty()
        }

        /** The places of a program that forgets these pieces, with what they are confirmed to be. */
        fun confirmed(vararg pieces: String) =
            trial
                .withConfirmation()
                .findForgottenState(tempdir().toPath(), Mindful::class.java.name, "weather.txt", *pieces)
                .findings
                .filter { it.note == "never declared" }
                .map { it.place to it.isConfirmed }

        for (piece in listOf("calls", "u", "sum", "news")) {
            test("a place explains the results if they are the same with it set: $piece").config(
                enabledOrReasonIf = ifChosen(piece),
            ) {
                confirmed(piece) shouldBe listOf("Mindful.$piece" to true)
            }
        }

        test("one of two places does not explain the results alone").config(enabledOrReasonIf = ifChosen("two")) {
            confirmed("calls", "news") shouldBe listOf("Mindful.calls" to false, "Mindful.news" to false)
        }

        test("if no results depend on what is forgotten, nothing is confirmed, and the list says so").config(
            enabledOrReasonIf = ifChosen("passed"),
        ) {
            val state =
                trial
                    .withConfirmation()
                    .findForgottenState(tempdir().toPath(), Mindful::class.java.name, "weather.txt", "passed")
            state.findings.map { it.place to it.isConfirmed } shouldBe listOf("Mindful.passed" to null)
            "$state" shouldEndWith "\nnot compared: results with each place set, as they are the same without that"
        }

        test("files of heaps are for their owner alone, and are deleted if they cannot be compared") {
            val directory = tempdir().toPath()
            shouldThrow<IllegalStateException> {
                search(directory, trial) { unbroken, restarted ->
                    for (heap in listOf(unbroken, restarted)) {
                        PosixFilePermissions.toString(heap.getPosixFilePermissions()) shouldBe "rw-------"
                    }
                    error("damaged")
                }.run()
            }.message shouldBe "damaged"
            heapsIn(directory).shouldBeEmpty()
        }

        test(
            "of ranks that are coroutines each is told, with the names in its source, apart from what is ignored",
        ).config(enabledOrReasonIf = ifStarted) {
            val state =
                RestartTrial(rankCount = 2, breakAt = 5)
                    .withIgnored("Herd.Animal")
                    .findForgottenState(tempdir().toPath(), Herd::class.java.name)
            state.findings.map { it.path to it.note.substringBefore(':') } shouldBe
                listOf(
                    "(Herd.graze of rank 0).eaten" to "never declared",
                    "(Herd.graze of rank 0).hunger[0]" to "never declared",
                    "(Herd.graze of rank 0).total\$delegate.value" to "declared as 'total'",
                )
            state.findings.first().count shouldBe 2
        }

        test(
            "a trial that is told to end stops its program, and deletes its heap",
        ).config(enabledOrReasonIf = ifStarted) {
            val directory = tempdir().toPath()
            val java = Path.of(System.getProperty("java.home"), "bin", "java")
            val command = listOf("$java", "-cp", System.getProperty("java.class.path"), Searching::class.java.name)
            val trialProcess = ProcessBuilder(command + "$directory" + "$weather").inheritIO().start()
            val heaps = directory.resolve("heaps")
            val first = heaps.resolve("unbroken")
            while (!first.exists() || first.listDirectoryEntries().isEmpty()) check(trialProcess.isAlive)
            // Between two runs there is none.
            var started = emptyList<ProcessHandle>()
            while (started.isEmpty()) {
                check(trialProcess.isAlive)
                started = trialProcess.descendants().toList()
            }
            trialProcess.destroy()
            trialProcess.waitFor() shouldBe 128 + 15
            started.shouldForAll { it.isAlive shouldBe false }
            heaps.exists() shouldBe false
        }

        test("a program that ends before the step is refused in a sentence") {
            shouldThrow<IllegalStateException> {
                search(tempdir().toPath(), trial.withBreakAt(20)) { _, _ -> }.run()
            }.message shouldBe
                "the program ended before it waited after step 21: interrupt it earlier, and let it pass saveIfDue " +
                "after each step"
        }

        test("a program that cannot write its heap ends with a sentence") {
            val directory = tempdir().toPath().resolve("history").createDirectory()
            val command = ProgramCommand.ofMain(Mindful::class.java.name, listOf("weather.txt"))
            val history = ProcessHistory(directory, trial, command, WatchedOutputs(emptyList()))
            val nowhere = directory.resolve("nowhere")
            shouldThrow<IllegalStateException> { history.hold(6, nowhere, emptyList()) { null } }.message shouldContain
                "hold-heap: the heap was not written into $nowhere: "
        }
    })

/** A trial in a process of its own, in the first argument; the second one is the input of the program. */
internal object Searching {
    @JvmStatic
    fun main(args: Array<String>) {
        val (directory, input) = args.map(Path::of)
        val trial = RestartTrial(breakAt = 5).withInputs(input)
        println(trial.findForgottenState(directory, Mindful::class.java.name, "${input.fileName}"))
    }
}
