package dev.cairn.mpi

import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.shouldBe

/** Processes write and read arrays through concentrators, on real files. */
class ArrayFilesSpec :
    FunSpec({
        for (way in MpiWay.asked) {
            test(way, "a file that may not grow is told on every rank, and nothing hangs") {
                val lines = way.output(4, "dev.cairn.mpi.ArrayFilesKt", "${tempdir()}").lines()
                val refusals = lines.filter { "File too large" in it }.map { it.substringAfter(": ") }
                refusals.size shouldBe 4
                refusals.distinct().size shouldBe 1
                lines shouldContainAll List(4) { "rank $it: 0 cells differ" }
            }
        }
    })
