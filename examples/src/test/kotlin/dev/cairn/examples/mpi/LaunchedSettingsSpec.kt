package dev.cairn.examples.mpi

import dev.cairn.house.needs
import dev.cairn.mpi.MpiRun
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.paths.shouldExist
import io.kotest.matchers.paths.shouldNotExist
import io.kotest.matchers.shouldBe

private const val REFUSED = 64

/** What is said of settings to the processes of one program: one of them answers, and all end alike. */
class LaunchedSettingsSpec :
    FunSpec({
        val directory = tempdir().toPath()

        for ((options, sentence) in mapOf(
            listOf("--ranks", "8") to
                "walk: command line: ranks cannot be '8', since mpirun has started $PROCESSES processes, and each is " +
                "a rank. Leave it out there, or start 8 processes.",
            listOf("--rank", "4") to
                "walk: command line: there is no option '--rank'. Did you mean '--ranks'? --help lists the existing " +
                "ones.",
        )) {
            test(
                "${options.joinToString(" ")} is refused once, and nothing is begun",
            ).config(enabledOrReasonIf = needs { MpiRun.isThere }) {
                val store = directory.resolve("refused.cairn")
                val output = Way.MPI.walk(store, until = 2, *options.toTypedArray()).output(REFUSED)
                output.lines().filter { it.startsWith("walk: ") } shouldBe listOf(sentence)
                store.shouldNotExist()
            }
        }

        test("the number of ranks that there are is taken").config(enabledOrReasonIf = needs { MpiRun.isThere }) {
            val store = directory.resolve("taken.cairn")
            Way.MPI.walk(store, until = 2, "--ranks", "$PROCESSES").output()
            store.resolve("000001/manifest.json").shouldExist()
        }

        test("help is printed once").config(enabledOrReasonIf = needs { MpiRun.isThere }) {
            val output = Way.MPI.walk(directory.resolve("help.cairn"), until = 2, "--help").output()
            output.lines().count { it.startsWith("Usage: walk ") } shouldBe 1
        }
    })
