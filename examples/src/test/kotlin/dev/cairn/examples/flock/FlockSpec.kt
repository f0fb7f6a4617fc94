package dev.cairn.examples.flock

import dev.cairn.house.OUTSIDE
import dev.cairn.testing.RestartTrial
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.string.shouldContain

/** The flock, interrupted: six virtual machines. */
@Tags(OUTSIDE)
class FlockSpec :
    FunSpec({
        // region trial
        test("a restart of the flock changes nothing") {
            val trial = RestartTrial(breakAt = 250).withEvery(50)
            val report = trial.runMain(tempdir().toPath(), Flock::class.java.name)
            "$report" shouldContain "compared 1 item and 1 output"
        }
        // endregion
    })
