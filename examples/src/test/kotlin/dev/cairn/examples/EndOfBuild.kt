package dev.cairn.examples

import dev.cairn.house.Speed
import dev.cairn.house.leftOut
import dev.cairn.house.playedCampaigns
import io.kotest.core.spec.style.FunSpec
import java.nio.file.Path

/**
 * Prints which campaigns the build has played, if it is no small one, and how many tests of all modules it has left out, and why. It
 * runs when all specs have ended; see pom.xml.
 */
class EndOfBuild :
    FunSpec({
        val house = Path.of("..")

        test("the campaigns of a larger build are told").config(enabled = Speed.chosen > Speed.SMALL) {
            playedCampaigns(house).forEach(::println)
        }

        test("what was left out is told") { leftOut(house).forEach(::println) }
    })
