package dev.cairn.examples.consumers

import dev.cairn.house.OUTSIDE
import dev.cairn.house.needs
import dev.cairn.mpi.MpiRun
import io.kotest.assertions.withClue
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain

/** Projects of strangers, who know Cairn as it is installed, and start their programs as they like. */
@Tags(OUTSIDE)
class ConsumersJarSpec :
    FunSpec({
        val cairn = autoClose(InstalledCairn())

        listOf(
            Start("kotlin", "class path", listOf("-cp", "target/classes:target/lib/*", "org.example.SquaresKt")),
            Start("java", "module path", listOf("--module-path", "target/classes:target/lib", "--module", MODULE)),
        ).forEach { (language, path, start) ->
            test(
                "a project in $language that imports the bill of materials continues from its checkpoint, on the $path",
            ) {
                val consumer = Consumer(language, tempdir().toPath())
                consumer.build(cairn.repository)

                fun squares(vararg arguments: String) = consumer.java(*start.toTypedArray(), *arguments)

                val first = squares("10", "--ranks", "2")
                first.code shouldBe 0
                first.output shouldBe "sum ${sumOfSquares(10)} after 10 more steps\n"
                first.errors shouldContain "save 1, step 10"
                first.errors shouldNotContain "restored save"

                val second = squares("30", "--ranks", "3")
                second.code shouldBe 0
                second.output shouldBe "sum ${sumOfSquares(30)} after 20 more steps\n"
                second.errors shouldContain "restored save 1, step 10 of 2 ranks on 3 ranks"
            }
        }

        test("a project in Java with MPI continues on other processes, and without a launcher").config(
            enabledOrReasonIf = needs { MpiRun.isThere },
        ) {
            val consumer = Consumer("mpi", tempdir().toPath())
            consumer.build(cairn.repository)

            fun shares(count: Int, until: Long): String {
                val store = consumer.folder.resolve("shares.cairn")
                val arguments = arrayOf("$until", "--dir", "$store")
                val program = MpiRun.start(consumer.classPath(), count, "org.example.shares.Shares", *arguments)
                val output = program.inputReader().readText()
                withClue(output) { program.waitFor() shouldBe 0 }
                return output
            }

            shares(2, until = 3) shouldContain "sum ${sumOfSquares(300)} on 2 ranks"
            shares(1, until = 5).let {
                it shouldContain "sum ${sumOfSquares(500)} on 1 ranks"
                it shouldContain "step 3 of 2 ranks from "
            }
            val alone =
                consumer.java(
                    "-cp",
                    "target/classes:target/lib/*",
                    "org.example.shares.Shares",
                    "6",
                    "--ranks",
                    "3",
                )
            alone.output shouldBe "sum ${sumOfSquares(600)} on 3 ranks\n"
            alone.errors shouldContain "step 5 on 3 ranks"
        }
    })

private const val MODULE = "org.example.squares/org.example.squares.Squares"

/** How a program is started. */
private data class Start(val language: String, val path: String, val arguments: List<String>)

/** 0² + 1² + … + (n - 1)² */
private fun sumOfSquares(n: Long) = (n - 1) * n * (2 * n - 1) / 6
