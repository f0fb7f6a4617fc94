package dev.cairn.sion.pnetcdf

import dev.cairn.house.JDK_DEPENDENT
import dev.cairn.sion.store.fixture.bytesOf
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.optional.shouldBeEmpty
import io.kotest.matchers.shouldBe

/** The logs of four releases of PnetCDF: each put is found, and our writer makes the same bytes of the same calls. */
@Tags(JDK_DEPENDENT)
class BurstFixtureSpec :
    FunSpec({
        for (fixture in BurstFixture.all) {
            test("all puts of ${fixture.name} are found, with their values") {
                fixture.placed().burstLogs().use { set ->
                    set.losses().shouldBeEmpty()
                    set.conflicts().shouldBeEmpty()
                    set.logs().map { it.rank() } shouldBe fixture.logs.map { it.rank }
                    set.logs().zip(fixture.logs).forEach { (log, expected) -> compare(fixture, log, expected) }
                }
            }

            test("the calls of ${fixture.name} leave the same bytes when our writer logs them") {
                val written = fixture.written()
                for (file in fixture.files) {
                    written.bytesOf(BurstFixture.DIRECTORY.resolve(file)).contentEquals(fixture.bytesOf(file)) shouldBe
                        true
                }
            }
        }

        test("what an earlier flush left is no put") {
            val set = BurstFixture.of("epochs-1.12.3").placed().burstLogs()
            set.use { logs -> logs.logs().map { it.metaTail() to it.dataTail() } shouldBe List(2) { 240L to 88L } }
        }
    })

private fun compare(fixture: BurstFixture, log: BurstLog, expected: BurstFixture.LiveLog) {
    val header = log.header().get()
    header.layout() shouldBe fixture.layout
    header.order() shouldBe fixture.order
    header.rankCount() shouldBe fixture.rankCount
    header.target() shouldBe fixture.target
    header.size() shouldBe expected.headerSize
    log.damage().shouldBeEmpty()
    log.sharerCount() shouldBe expected.sharerCount
    log.putCount() shouldBe expected.putCount
    log.dataSize() shouldBe expected.dataEnd - 8
    log.puts().zip(fixture.puts(expected.rank)).forEach { (found, put) ->
        found.variable() shouldBe put.variable
        found.type() shouldBe put.type
        found.boxes() shouldBe put.boxes
        log.valuesOf(found).contentEquals(put.values) shouldBe true
    }
    fixture.puts(expected.rank).size shouldBe expected.putCount
}
