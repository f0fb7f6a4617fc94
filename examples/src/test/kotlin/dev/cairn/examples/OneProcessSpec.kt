package dev.cairn.examples

import dev.cairn.house.Campaign
import dev.cairn.house.Need
import dev.cairn.house.needs
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path

/** The programs of the page about one process, in JVMs of their own. */
class OneProcessSpec :
    FunSpec({
        // At the small speed the trial of PendulumSpec kills one of them.
        test("both pendulums, killed after saves, end as one that was not killed").config(
            enabledOrReasonIf = needs { Need.CAMPAIGN.given(Campaign.KILLS.count > 1) },
        ) {
            val unbroken = program(PENDULUM, tempdir().toPath()).ended(0)
            unbroken shouldContain "the angle is "
            for (name in listOf(SWING, PENDULUM)) {
                val folder = tempdir().toPath()
                repeat(3) {
                    val killed = program(name, folder, "CAIRN_EVERY" to "1000")
                    killed.errorReader().lineSequence().first { "save " in it && "step " in it }
                    killed.destroyForcibly().waitFor()
                }
                program(name, folder).ended(0) shouldBe unbroken
            }
        }

        // So do those of SignalsSpec, with programs of their own.
        test("on a request to end the command saves, ends with 75, and prints no result").config(
            enabledOrReasonIf = needs { Need.CAMPAIGN.given(Campaign.KILLS.count > 1) },
        ) {
            val unbroken = program(ANT, tempdir().toPath(), arguments = arrayOf("20000")).ended(0)
            val folder = tempdir().toPath()
            val asked = program(ANT, folder, arguments = arrayOf("${Long.MAX_VALUE}"))
            asked.errorReader().lineSequence().first { "save 1, step 1000:" in it }
            asked.toHandle().destroy()
            asked.ended(UNFINISHED) shouldBe ""

            val other = tempdir().toPath()
            program(ANT, other, arguments = arrayOf("10000")).ended(0)
            program(ANT, other, arguments = arrayOf("20000")).ended(0) shouldBe unbroken
            unbroken shouldContain "the ant is at "
        }

        test("a program is at most 15 lines") {
            val shown = snippetsOf(Path.of("../docs/how-to/one-process.md")).first().text.lines()
            shown.size shouldBeLessThanOrEqual 15
        }
    })

private const val PENDULUM = "dev.cairn.examples.Pendulum"
private const val SWING = "dev.cairn.examples.SwingKt"
private const val ANT = "dev.cairn.examples.Ant"
private const val UNFINISHED = 75
