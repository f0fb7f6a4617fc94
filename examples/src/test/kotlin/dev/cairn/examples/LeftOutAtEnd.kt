package dev.cairn.examples

import dev.cairn.house.leftOut
import io.kotest.core.spec.style.FunSpec
import java.nio.file.Path

/** Prints how many tests of all modules the build has left out, and why. It runs when all specs have ended; see pom.xml. */
class LeftOutAtEnd :
    FunSpec({
        test("what was left out is told") { leftOut(Path.of("..")).forEach(::println) }
    })
