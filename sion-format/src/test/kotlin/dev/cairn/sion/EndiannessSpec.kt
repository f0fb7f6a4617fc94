package dev.cairn.sion

import dev.cairn.house.Campaign
import dev.cairn.house.JDK_DEPENDENT
import dev.cairn.sion.fixture.DamagedMultifile
import dev.cairn.sion.fixture.GuardedReading
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.nio.ByteOrder

/** The byte order of meta data and user data, from bytes 4 to 7 of META1. */
@Tags(JDK_DEPENDENT)
class EndiannessSpec :
    FunSpec({
        val little = DamagedMultifile.of("c01-format4.sion")
        val big = DamagedMultifile.of("c03-big-endian-meta.sion")

        mapOf("little" to little, "big" to big).forEach { (order, multifile) ->
            test("whatever the outer bytes of a $order-endian file, it is read as the model says, or refused") {
                val reading = GuardedReading(multifile)
                val firsts = Campaign.DAMAGED_BYTES.someOf((0..255).toList())
                for (first in firsts) {
                    multifile.setByte(multifile.path, 4, first.toByte())
                    for (last in 0..255) {
                        multifile.setByte(multifile.path, 7, last.toByte())
                        reading.readWhole()
                    }
                }
                reading.histogram.values.sum() shouldBe firsts.size * 256
            }
        }

        test("outer bytes that contradict each other are decided by the fields behind them") {
            listOf(1 to 0, 0 to 1, 255 to 254, 2 to 3).forEach { (first, last) ->
                little.orderWith(first, last) shouldBe ByteOrder.LITTLE_ENDIAN
                big.orderWith(first, last) shouldBe ByteOrder.BIG_ENDIAN
            }
        }

        test("only the lowest bits count") {
            listOf(0 to 0, 2 to 0, 254 to 254).forEach { (first, last) ->
                little.orderWith(first, last) shouldBe ByteOrder.LITTLE_ENDIAN
            }
            listOf(1 to 1, 3 to 1, 255 to 255).forEach { (first, last) ->
                big.orderWith(first, last) shouldBe ByteOrder.BIG_ENDIAN
            }
        }

        mapOf("little" to little, "big" to big).forEach { (order, multifile) ->
            test("byte 5 gives the order of the user data in a $order-endian file, whatever byte 6 says") {
                val outer = if (order == "big") 1 else 0
                multifile.change {
                    put(4, outer.toByte())
                    put(7, outer.toByte())
                }
                for (value in 0..255) {
                    for (other in listOf(0, 1)) {
                        multifile.setByte(multifile.path, 5, value.toByte())
                        multifile.setByte(multifile.path, 6, other.toByte())
                        Multifile.open(multifile.store, multifile.path).use { it.info().userDataOrder() } shouldBe
                            if (value % 2 == 0) ByteOrder.LITTLE_ENDIAN else ByteOrder.BIG_ENDIAN
                    }
                }
            }
        }
    })

private fun DamagedMultifile.orderWith(first: Int, last: Int): ByteOrder {
    setByte(path, 4, first.toByte())
    setByte(path, 7, last.toByte())
    return Multifile.open(store, path).use { it.info().metaDataOrder() }
}
