package dev.cairn.examples.harbour

import dev.cairn.testing.RestartTrial
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.string.shouldContain

class HarbourSpec :
    FunSpec({
        test("a restart of the harbour changes nothing, nor the order of calls at one time") {
            val trial = RestartTrial(breakAt = 250).withEvery(50)
            val report = trial.runMain(tempdir().toPath(), Harbour::class.java.name)
            "$report" shouldContain "compared 5 items and 1 output"
        }
    })
