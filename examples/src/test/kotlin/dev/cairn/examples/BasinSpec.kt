package dev.cairn.examples

import dev.cairn.house.OUTSIDE
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path

/** A code with arrays, halos and tracers of its own, in JVMs of its own, which are really killed. */
@Tags(OUTSIDE)
class BasinSpec :
    FunSpec({
        val directory = tempdir().toPath()

        test("killed on 6 ranks, killed on 4 and continued on 5, it ends like an unbroken run on 1") {
            val unbroken = directory.resolve("unbroken.cairn")
            basin(unbroken, rankCount = 1).run { errorReader().readText() to waitFor() }.second shouldBe 0

            val broken = directory.resolve("broken.cairn")
            killAfter("save 2, step 200", basin(broken, rankCount = 6))
            killAfter("of 6 ranks on 4 ranks", basin(broken, rankCount = 4), "save 5, step")
            val again = basin(broken, rankCount = 5)
            again.errorReader().readText() shouldContain "of 4 ranks on 5 ranks"
            again.waitFor() shouldBe 0

            lastDigests(broken) shouldBe lastDigests(unbroken)
        }
    })

private const val SIGKILLED = 137
private const val STEPS = 1_500

/** Kills the program as soon as it has said all [said], in this order. */
private fun killAfter(first: String, program: Process, vararg then: String) {
    val lines = program.errorReader().lineSequence().iterator()
    for (said in listOf(first, *then)) {
        while (said !in lines.next()) {
            check(program.isAlive || lines.hasNext()) { "the program ended before it said '$said'" }
        }
    }
    program.destroyForcibly().waitFor() shouldBe SIGKILLED
}

private fun basin(store: Path, rankCount: Int): Process =
    ProcessBuilder(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-cp",
        System.getProperty("java.class.path"),
        "dev.cairn.examples.BasinKt",
        "$store",
        "$rankCount",
        "$STEPS",
    ).start()
