package dev.cairn.sion.netcdf

import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.fixture.CrashTally
import dev.cairn.sion.store.fixture.crashEverywhere
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.sion.stripe.Hyperslab
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import java.nio.file.Path

/** A program that forces records before they count has each record that counts after a crash, whole. */
class RecordCrashSpec :
    FunSpec({
        test("a crash at any operation leaves whole records, and all that were acknowledged") {
            val tally = appendRecords { it.force() }
            println("RecordCrashSpec: $tally")
            tally.broken shouldBe 0
        }

        test("a program that raises the count before it forces the records is noticed") {
            appendRecords { }.broken shouldBeGreaterThan 0
        }

        test("a crash while records are taken back leaves whole records") {
            val tally = crashEverywhere(::appendAndCutBack, ::isKept)
            println("RecordCrashSpec, cut back: $tally")
            tally.broken shouldBe 0
        }
    })

private val FILE = Path.of("/records.nc")
private const val RECORDS = 3

private val SPEC =
    NetcdfSpec
        .builder(NetcdfFormat.CDF_5)
        .unlimited("time")
        .dimension("x", 1000)
        .variable("time", NetcdfType.DOUBLE, "time")
        .variable("height", NetcdfType.INT, "time", "x")
        .build()

private fun height(record: Int) = IntArray(1000) { 1 + it + 1000 * record }

private fun appendRecords(makeDurable: (NetcdfWriter) -> Unit): CrashTally =
    crashEverywhere({ disk, acknowledge -> append(disk, makeDurable, acknowledge) }, ::isKept)

private fun append(disk: SimulatedDisk, makeDurable: (NetcdfWriter) -> Unit, acknowledge: (Int) -> Unit) {
    val store = disk.host("node")
    NetcdfWriter.create(store, FILE, NetcdfLayout.plan(SPEC)).use { file ->
        file.force()
        store.forceDirectory(FILE.parent)
        for (record in 0 until RECORDS) {
            file.write("time", Hyperslab.at(record.toLong()), numbers(record + 0.5))
            file.write("height", Hyperslab.at(record.toLong()), Values.of(height(record)))
            makeDurable(file)
            file.raiseRecordCount(record + 1L)
            file.force()
            acknowledge(record + 1)
        }
    }
}

/** Only the first record is acknowledged, which stays. */
private fun appendAndCutBack(disk: SimulatedDisk, acknowledge: (Int) -> Unit) {
    append(disk, { it.force() }) { if (it == 1) acknowledge(it) }
    NetcdfWriter.open(disk.host("node"), FILE).use {
        it.cutBack(1)
        it.force()
    }
}

private fun isKept(store: BlockStore, acknowledged: Int): Boolean {
    if (acknowledged == 0) return true // the header may not be durable yet
    return NetcdfReader.open(store, FILE).use { file ->
        val heights = IntArray(file.layout().valueCount("height", Hyperslab.WHOLE, file.recordCount()).toInt())
        file.recordCount() >= acknowledged &&
            runCatching { file.read("height", Hyperslab.WHOLE, Values.of(heights)) }.isSuccess &&
            file.readDoubles("time", Hyperslab.WHOLE).toList() == List(file.recordCount().toInt()) { it + 0.5 } &&
            heights.toList() == List(file.recordCount().toInt()) { height(it).toList() }.flatten()
    }
}
