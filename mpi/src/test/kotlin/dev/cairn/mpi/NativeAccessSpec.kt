package dev.cairn.mpi

import dev.cairn.house.JDK_DEPENDENT
import dev.cairn.house.Need
import dev.cairn.house.and
import dev.cairn.house.needs
import io.kotest.assertions.withClue
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain

/** What Java lets Cairn call, and which library it calls then. */
@Tags(JDK_DEPENDENT)
class NativeAccessSpec :
    FunSpec({
        val deny = "--illegal-native-access=deny"

        fun ended(vararg words: String, variables: Map<String, String> = emptyMap()): Pair<Int, String> {
            val java = checkNotNull(foreignJava)
            val program =
                ProcessBuilder(listOf(java, "-cp", foreignClassPath(java)) + words)
                    .redirectErrorStream(true)
                    .apply { environment() += variables + ("UCX_ERROR_SIGNALS" to "") }
                    .start()
            return program.inputReader().readText().let { program.waitFor() to it }
        }

        test("a Java that refuses native code is told in a sentence, with the option to write")
            .config(enabledOrReasonIf = needs { MpiWay.MPICH.isUsed and Need.NATIVE_ACCESS.given(knows(deny)) }) {
                val processOfTwo = mapOf("PMI_RANK" to "0", "PMI_SIZE" to "2")
                val main = "dev.cairn.proof.kill.LaunchedDriftKt"
                val (_, output) = ended(deny, main, "unused.cairn", variables = processOfTwo)
                output shouldContain
                    "libmpi: Java refuses to call native code; write --enable-native-access=ALL-UNNAMED " +
                    "behind the word java."
                output shouldNotContain "ExceptionInInitializerError"
            }

        test("the library that a program has loaded itself is taken, whichever comes first elsewhere")
            .config(enabledOrReasonIf = needs { MpiWay.MPICH.isUsed }) {
                val (code, output) = ended("--enable-native-access=ALL-UNNAMED", "dev.cairn.mpi.OwnMpich")
                withClue(output) { code shouldBe 0 }
                output shouldContain "ranks: 1"
            }
    })

/** Java has the option since version 24. */
private fun knows(option: String): Boolean =
    foreignJava?.let { ProcessBuilder(it, option, "-version").start().waitFor() == 0 } == true
