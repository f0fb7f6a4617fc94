package dev.cairn.options

import dev.cairn.event.ExitCode
import dev.cairn.proof.log.loggedBy
import dev.cairn.proof.log.printedBy
import dev.cairn.ranks.RunFailedException
import dev.cairn.ranks.ranks
import dev.cairn.runSimulation
import dev.cairn.simulate
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.withParent
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path
import kotlin.io.path.exists

/** Settings that cannot do what they say do it as far as possible, or a sentence says why not. */
class SettingsInUseSpec :
    FunSpec({
        val parent = tempdir().toPath()
        var count = 0

        suspend fun run(vararg options: String) =
            runSimulation("sums", arrayOf("--dir", "${parent.resolve("${count++}.cairn")}", *options)) {
                var sum by replicated(0L)
                for (step in steps(until = 9)) sum += step
            }

        test("what only every = auto uses is told of without it") {
            loggedBy { run("--every", "3", "--overhead", "5%") }.filter { "overhead" in it } shouldBe
                listOf(
                    "WARNING: command line: overhead has no effect, since it says how often every = auto saves, and " +
                        "every is something else. Set every = auto, or leave overhead out.",
                )
            loggedBy { run("--every", "auto", "--overhead", "5%") }.filter { "has no effect" in it }.shouldBeEmpty()
        }

        test("a time that is longer than any run is as good as for ever") {
            run("--every", "auto", "--mtbf", "1e308") shouldBe ExitCode.FINISHED
            printedBy { run("--every", "auto", "--mtbf", "Infinity") shouldBe ExitCode.REFUSED } shouldContain
                "mtbf cannot be 'Infinity'. It is a number of seconds above 0."
        }

        test("a chunk that no file system holds is refused") {
            printedBy { run("--chunk-size", "${Long.MAX_VALUE}") shouldBe ExitCode.REFUSED } shouldContain
                "chunk-size cannot be '${Long.MAX_VALUE}'. It is a number of bytes from 1 to 1TiB, such as"
        }

        test("a file of events that cannot be written gives one warning") {
            val log = loggedBy { run("--every", "1", "--events", "/dev/full") shouldBe ExitCode.FINISHED }
            log.single { "/dev/full" in it } shouldContain
                "WARNING: the file of events /dev/full cannot be written, so events are missing there: /dev/full: no space"
        }

        test("files with the names of the store's own, or of each other, are refused before anything is made") {
            val store = parent.resolve("apart.cairn")

            suspend fun refused(output: String, vararg options: String) =
                printedBy {
                    runSimulation("apart", arrayOf("--dir", "$store", *options)) {
                        val log by output(parent.resolve(output))
                        for (step in steps(until = 1)) log.line("$step")
                    } shouldBe ExitCode.REFUSED
                }
            val own = "which is for Cairn's own files of the checkpoints in $store: name another one"
            refused("apart.cairn/owner.json") shouldContain "the output 'log' is $store/owner.json, $own"
            refused("apart.cairn/000001/log") shouldContain "the output 'log' is $store/000001/log, $own"
            refused("log", "--events", "$store/lock") shouldContain "events is $store/lock, $own"
            refused("log", "--events", "$parent/./log") shouldContain
                "events and the output 'log' are the same file, $parent/./log: name another one for one of them"
            store.exists() shouldBe false
        }

        test("directories that differ between ranks are told with their origins") {
            val disk = SimulatedDisk().withParent()
            shouldThrow<RunFailedException> {
                ranks(2) {
                    simulate("sums", arrayOf("--dir", "/run/$rank.cairn"), files = disk.host(host)) {
                        for (step in steps(until = 1)) Unit
                    }
                }
            }.message shouldContain
                "dir is /run/1.cairn on rank 1 (command line), but /run/0.cairn on rank 0 (command line)."
        }

        test("ranks that declare other memory for an output are refused before they would flush apart") {
            val disk = SimulatedDisk().withParent()
            shouldThrow<RunFailedException> {
                ranks(2) {
                    val own = rank
                    simulate("sums", arrayOf("--dir", "/run/m.cairn"), files = disk.host(host)) {
                        val out by netcdf(Path.of("/run/v.nc")) {
                            memory = (1L + own) shl 20
                            variable("v") { 1.0 }
                        }
                        for (step in steps(until = 1)) out.append()
                    }
                }
            }.message shouldContain "rank 1 and rank 0 do not declare the same state"
        }
    })
