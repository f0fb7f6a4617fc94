package dev.cairn.examples.harbour

import dev.cairn.examples.ended
import dev.cairn.examples.program
import dev.cairn.testing.RestartTrial
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlin.io.path.readText

class HarbourSpec :
    FunSpec({
        test("a restart of the harbour changes nothing, nor the order of calls at one time") {
            val trial = RestartTrial(breakAt = 250).withEvery(50)
            val report = trial.runMain(tempdir().toPath(), Harbour::class.java.name)
            "$report" shouldContain "compared 5 items and 1 output"
        }

        test("a check of a restart in the middle of a run changes nothing of the harbour") {
            val (usual, checked) =
                listOf("false", "true").map { isChecked ->
                    val folder = tempdir().toPath()
                    val environment = arrayOf("CAIRN_EVERY" to "50", "CAIRN_CHECK_RESTART" to isChecked)
                    program(Harbour::class.java.name, folder, *environment).ended(0)
                    folder.resolve("harbour.txt").readText()
                }
            checked shouldBe usual
        }
    })
