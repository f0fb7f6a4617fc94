package dev.cairn.mpi

import dev.cairn.house.Campaign.PROCESSES
import dev.cairn.house.Need
import dev.cairn.house.and
import dev.cairn.house.needs
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path

/**
 * The binary interface of MPI 5. Debian 12 has no MPI with it, so a library of a few functions translates it to MPICH's; its source
 * is in `src/test/c`.
 */
class StandardAbiSpec :
    FunSpec({
        val directory = tempdir().toPath()
        val isThere by lazy { MpiWay.MPICH.isUsed and Need.C_COMPILER.given(hasCompiler()) }

        fun ended(library: Path, count: Int, vararg words: String): Pair<Int, String> {
            val options = listOf("-Dcairn.mpi.library=$library")
            val program = MpiWay.MPICH.start(count, options, words.first(), *words.drop(1).toTypedArray())
            return program.inputReader().readText().let { program.waitFor() to it }
        }

        test("processes keep the contract of communicators").config(enabledOrReasonIf = needs { isThere }) {
            val library = directory.resolve("libmpi_abi.so.1").also { compile("standard_abi.c", it) }
            val count = PROCESSES.limit(4)
            val (code, output) = ended(library, count, "dev.cairn.ranks.LaunchedContractKt")
            withClue(output) { code shouldBe 0 }
            val kept = output.lines().count { it.startsWith("kept: ") }
            println("contract of communicators, $count processes with the interface of MPI 5: $kept promises kept")
            kept shouldBeGreaterThan 25
        }

        test(
            "a library from before MPI 5 was agreed on is refused, since its numbers differ",
        ).config(enabledOrReasonIf = needs { isThere }) {
            val library = directory.resolve("libmpi_abi.so.0").also { compile("standard_abi.c", it, "-DMPI=4") }
            val (code, output) = ended(library, 2, "dev.cairn.ranks.LaunchedContractKt")
            code shouldNotBe 0
            output shouldContain "$library has the binary interface of neither Open MPI nor MPICH nor MPI 5: it is"
        }
    })
