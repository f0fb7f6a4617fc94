package dev.cairn.examples

import dev.cairn.house.OUTSIDE
import io.kotest.assertions.withClue
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

/** What `examples/run output` plays, with the classes that were just compiled. */
@Tags(OUTSIDE)
class OutputScriptSpec :
    FunSpec({
        test("a program that writes a NetCDF file is killed, and the file is that of an unbroken run") {
            val directory = tempdir().toPath().resolve("played")
            val script =
                ProcessBuilder("scenes/output", System.getProperty("java.class.path"), "$directory")
                    .redirectErrorStream(true)
                    .start()
            val output = script.inputReader().readText()
            withClue(output) { script.waitFor() shouldBe 0 }
            output shouldContain "of 8 ranks on 3 ranks"
            output shouldContain "Both files have 40 records"
        }
    })
