package dev.cairn.examples.parts

import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import kotlin.io.path.readBytes

class WaveFileSpec :
    FunSpec({
        val directory = tempdir().toPath()

        test("Java and Kotlin write the same wave, and read each other's") {
            val fromJava = directory.resolve("java.nc").also(WaveFileInJava::write)
            val fromKotlin = directory.resolve("kotlin.nc").also(::writeWave)
            fromKotlin.readBytes() shouldBe fromJava.readBytes()

            val heights = List(3) { WaveFileInJava.heights(it).map { height -> height.toFloat().toDouble() } }
            readWave(fromJava).toList() shouldBe heights.flatten()
            WaveFileInJava.readEverySecondPoint(fromKotlin).toList() shouldBe
                heights.last().filterIndexed { x, _ -> x % 2 == 0 }
        }
    })
