package dev.cairn.examples

import dev.cairn.testing.RestartTrial
import io.kotest.core.spec.style.FunSpec

class DriftSpec :
    FunSpec({
        test("a restart of a program with tables, sums, random numbers and an output changes nothing") {
            RestartTrial(rankCount = 4, breakAt = 7, restartOn = listOf(1, 3, 4, 9)).run { drift(until = 12) }
        }
    })
