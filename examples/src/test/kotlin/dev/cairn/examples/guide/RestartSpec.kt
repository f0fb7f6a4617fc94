package dev.cairn.examples.guide

import dev.cairn.examples.parts.count
import dev.cairn.ranks.ranks
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe

// region restart-test
class RestartSpec :
    FunSpec({
        test("counters do not notice that the program stopped, nor on how many ranks it went on") {
            val directory = tempdir().toPath()
            for ((before, after) in listOf(1 to 1, 4 to 3, 3 to 7, 100 to 2, 2 to 101)) {
                val store = directory.resolve("$before-$after.cairn")
                ranks(before) { count(store, until = 7) } // the last save was after step 5
                val counters = ranks(after) { count(store, until = 20) }.flatMap { it.toList() }
                counters shouldBe List(100) { 20L * it }
            }
        }
    })
// endregion
