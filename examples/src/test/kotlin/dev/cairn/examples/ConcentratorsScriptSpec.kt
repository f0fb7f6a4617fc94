package dev.cairn.examples

import dev.cairn.house.OUTSIDE
import io.kotest.assertions.withClue
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

/** What `examples/run concentrators` plays, with the classes that were just compiled. */
@Tags(OUTSIDE)
class ConcentratorsScriptSpec :
    FunSpec({
        test("ranks that save for all are killed, others go on, and arrays go from six ranks to four") {
            val directory = tempdir().toPath().resolve("played")
            val script =
                ProcessBuilder("scenes/concentrators", System.getProperty("java.class.path"), "$directory")
                    .redirectErrorStream(true)
                    .start()
            val output = script.inputReader().readText()
            withClue(output) { script.waitFor() shouldBe 0 }
            output shouldContain "of 8 ranks on 3 ranks"
            output shouldContain "The results are the same, to the last bit"
            output shouldContain "4 ranks read and checked $directory/of-six.arrays"
            output shouldContain "Both files have the same bytes."
        }
    })
