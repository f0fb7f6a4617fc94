package dev.cairn.sion.pnetcdf

import dev.cairn.house.Campaign
import dev.cairn.sion.fixture.allocatedBytes
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.booleans.shouldBeTrue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import java.nio.ByteOrder
import java.nio.file.Path
import java.util.Optional

/** Logs that are cut, changed, or of which a part is missing. */
class DamagedBurstLogSpec :
    FunSpec({
        test("every prefix of a file has a verdict, and no put that was not made") {
            for (fixture in BurstFixture.small) {
                for (file in fixture.files) {
                    val bytes = fixture.bytesOf(file)
                    for (size in Campaign.DAMAGED_BYTES.someOf(bytes.indices.toList())) {
                        withClue("$size bytes of ${fixture.name}/$file") {
                            verdictOfPrefix(fixture, file, size)
                        }
                    }
                }
            }
        }

        test("a changed byte is reported, harmless, or in a field of which there is no second account") {
            val outcomes = sortedMapOf<String, Int>()
            for (fixture in BurstFixture.small) {
                for (file in fixture.files.filter { it.endsWith(".meta") }) {
                    val whole = fixture.bytesOf(file)
                    val fields = FieldMap.of(fixture, file)
                    for (at in Campaign.DAMAGED_BYTES.someOf(whole.indices.toList())) {
                        val byte = whole[at].toInt()
                        for (value in listOf(
                            0,
                            byte + 1,
                            byte xor 0x80,
                            byte xor 4,
                        ).filter { it.toByte() != whole[at] }) {
                            val changed = whole.copyOf().also { it[at] = value.toByte() }
                            val outcome = outcomeOfChange(fixture, file, changed)
                            withClue("byte $at of ${fixture.name}/$file as $value, in ${fields.at(at)}: $outcome") {
                                fields.allows(at, outcome).shouldBeTrue()
                            }
                            outcomes.merge("${fields.at(at)}: $outcome", 1, Int::plus)
                        }
                    }
                }
            }
            println("DamagedBurstLogSpec: seed ${Campaign.seed}, $outcomes")
        }

        test("the first bytes of a data log are compared") {
            for (at in 0..7) {
                val store =
                    BurstFixture.of("crash-1.14").placed { file, bytes ->
                        if (file == "ckpt.nc_0_1.data") bytes.also { it[at]++ } else bytes
                    }
                store.burstLogs().use { set ->
                    set.losses() shouldContainExactly
                        listOf(
                            "/bb/ckpt.nc_0_1.data: at byte 0 a data log should begin with PnetCDF0, but does not. " +
                                "The log is damaged: nothing of it can be used.",
                            "/bb/ckpt.nc_0: the logs of 1 of 3 processes are missing: rank 1. " +
                                "Bring them from the disks of their hosts.",
                        )
                }
            }
        }

        test("a missing file is a loss") {
            for (file in listOf("ckpt.nc_0_1.data", "ckpt.nc_0_1.meta")) {
                val store = BurstFixture.of("crash-1.14").placed { name, bytes -> bytes.takeIf { name != file } }
                store.burstLogs().use { set ->
                    set.losses().first() shouldBe
                        "/bb/$file: at byte 0 a log should begin, but there is no such file. " +
                        "The log is damaged: nothing of it can be used."
                    set
                        .logs()
                        .map { it.putCount() }
                        .filter { it > 0 }
                        .size shouldBe 2
                }
            }
        }

        test("missing processes are named") {
            val store =
                BurstFixture.of("grid-1.14").placed { name, bytes -> bytes.takeIf { "_1." in name || "_1_2" in name } }
            store.burstLogs().use { set ->
                set.losses() shouldContainExactly
                    listOf(
                        "/bb/ckpt.nc_1: the logs of 2 of 4 processes are missing: ranks 0, 3. " +
                            "Bring them from the disks of their hosts.",
                    )
            }
        }

        test("a log under another name, or of another program, is a conflict") {
            val store = BurstFixture.of("epochs-1.12.3").placed()
            val other = BurstFixture.of("kinds-1.14")
            for (end in listOf("meta", "data")) {
                store.put(Path.of("/bb/ckpt.nc_0_2.$end"), other.bytesOf("ckpt.nc_0_0.$end"))
            }
            store.burstLogs().use { set ->
                set.conflicts() shouldContainExactly
                    listOf(
                        "/bb/ckpt.nc_0_2.meta: it is the log of rank 0 for /scratch/run/ckpt.nc, as its header says, " +
                            "and should not have this name. Name it as PnetCDF did.",
                        "/bb/ckpt.nc_0_2.meta: it is of a program with 1 processes that wrote /scratch/run/ckpt.nc, " +
                            "but /bb/ckpt.nc_0_0.meta of one with 2 that wrote /scratch/run/ckpt.nc. " +
                            "Name only logs that belong together.",
                        "/bb/ckpt.nc_0_0.meta and /bb/ckpt.nc_0_2.meta: both are logs of rank 0. " +
                            "Name only one of them.",
                    )
            }
        }

        test("a log whose count reached the disk before its entries is damaged, and not empty") {
            val fixture = BurstFixture.of("kinds-1.14")
            for (rest in listOf(0, 500)) {
                val store =
                    fixture.placed { file, bytes ->
                        if (file.endsWith(".meta")) bytes.copyOf(112) + ByteArray(rest) else bytes
                    }
                store.burstLogs().use { it.logs().single().damage() shouldNotBe Optional.empty<Any>() }
            }
        }

        test("a log without puts is whole, also where a file system has filled a block with zeros") {
            for (layout in MetaHeader.Layout.values()) {
                for (rest in listOf(0, 500)) {
                    val store = logOfNoPuts(layout)
                    store.open(Path.of("/bb/x_0_0.meta"), Access.READ_WRITE).use { it.resize(it.size() + rest) }
                    store.burstLogs().use { set ->
                        set.losses().shouldBeEmpty()
                        set.logs().single().putCount() shouldBe 0
                    }
                }
            }
        }

        test("sizes that no file has ask for no memory") {
            val fixture = BurstFixture.of("kinds-1.14")
            val places = mapOf("a name" to 64, "a count" to 56, "an entry" to 112, "dimensions" to 132, "values" to 144)
            for ((what, at) in places) {
                val store =
                    fixture.placed { file, bytes ->
                        if (file.endsWith(".meta")) bytes.also { it.fill(0x7f, at, at + 4) } else bytes
                    }
                val before = allocatedBytes()
                store.burstLogs().use { it.losses().shouldNotBeEmpty() }
                withClue(what) { allocatedBytes() - before shouldBeLessThan (1L shl 20) }
            }
        }

        test("shared files whose processes disagree are damaged, and nothing is read from wrong blocks") {
            val fixture = BurstFixture.shared
            val store =
                fixture.placed { file, bytes ->
                    if (file.endsWith(".meta")) bytes.also { it[Sharing.BLOCK_SIZE.toInt()]++ } else bytes
                }
            store.burstLogs().use { set ->
                set.logs().single().putCount() shouldBe 0
                set.losses().single() shouldBe
                    "/bb/ckpt.nc_0_0.data: at byte 0 the file should have as many data logs as the other " +
                    "has metadata logs, 1, but has 2. The log is damaged: nothing of it can be used."
            }
        }
    })

private fun logOfNoPuts(layout: MetaHeader.Layout) =
    SimulatedDisk().host("node").also { store ->
        store.makeDirectory(BurstFixture.DIRECTORY)
        val header = MetaHeader.ofNewLog(layout, ByteOrder.LITTLE_ENDIAN, 1, 0, "/x", "n")
        BurstLogWriter.create(store, BurstLogName.of(Path.of("/bb/x_0_0.meta")).get(), header).close()
    }

private fun verdictOfPrefix(fixture: BurstFixture, file: String, size: Int) {
    val store = fixture.placed { name, bytes -> if (name == file) bytes.copyOf(size) else bytes }
    store.burstLogs().use { set ->
        for (log in set.logs()) {
            val expected = fixture.puts(log.rank())
            log.puts().zip(expected).forEach { (found, put) ->
                found.boxes() shouldBe put.boxes
                log.valuesOf(found).contentEquals(put.values).shouldBeTrue()
            }
            if (log.putCount() < expected.size) log.damage().isPresent.shouldBeTrue()
            if (log.putCount() > expected.size) throw AssertionError("puts that were not made")
        }
    }
}

/** What becomes of a log with a changed byte. */
private enum class Outcome {
    REPORTED,
    HARMLESS,
    NOT_NOTICED,

    /** As if the last puts had not come to their end; what there is of them is told of. */
    FEWER_PUTS,
}

private fun outcomeOfChange(fixture: BurstFixture, file: String, changed: ByteArray): Outcome {
    val store = fixture.placed { name, bytes -> if (name == file) changed else bytes }
    store.burstLogs().use { set ->
        if (set.losses().isNotEmpty() || set.conflicts().isNotEmpty()) return Outcome.REPORTED
        val isSame =
            set.logs().all { log ->
                val header = log.header().get()
                val expected = fixture.puts(log.rank())
                header.target() == fixture.target && header.processor() == fixture.processor(log.rank()) &&
                    log.putCount() == expected.size &&
                    log.puts().zip(expected).all { (found, put) ->
                        found.variable() == put.variable && found.type() == put.type && found.boxes() == put.boxes
                    }
            }
        val hasFewer = set.logs().any { it.putCount() < fixture.puts(it.rank()).size && it.metaTail() > 0 }
        return if (isSame) {
            Outcome.HARMLESS
        } else if (hasFewer) {
            Outcome.FEWER_PUTS
        } else {
            Outcome.NOT_NOTICED
        }
    }
}

/** Which fields a metadata log has where, from the specification and not from the reader. */
private class FieldMap private constructor(private val names: Array<String>) {
    fun at(offset: Int): String = names[offset]

    /** Ignored fields are harmless; names, variables, starts, strides and types of equal size exist only once. */
    fun allows(offset: Int, outcome: Outcome): Boolean =
        when (names[offset]) {
            "ignored" -> outcome == Outcome.HARMLESS
            "count" -> outcome == Outcome.REPORTED || outcome == Outcome.FEWER_PUTS
            "once" -> outcome == Outcome.REPORTED || outcome == Outcome.NOT_NOTICED
            else -> outcome == Outcome.REPORTED
        }

    companion object {
        fun of(fixture: BurstFixture, file: String): FieldMap {
            val live = fixture.logs.single { it.meta == file }
            val names = Array(fixture.bytesOf(file).size) { "ignored" }
            val isA = fixture.layout == MetaHeader.Layout.A
            names.fill("checked", 0, 40)
            if (isA) names.fill("checked", 40, 48)
            names.fill("count", 56, 64)
            val lengthSize = if (fixture.layout == MetaHeader.Layout.C) 8 else 4
            val targetAt = 64 + lengthSize
            val targetEnd = targetAt + fixture.target.length
            names.fill("checked", 64, targetAt)
            names.fill("once", targetAt, targetEnd)
            if (!isA) {
                names.fill("checked", targetEnd, targetEnd + 5)
                names.fill("once", targetEnd + 5, targetEnd + 8)
                names.fill("checked", targetEnd + 8, targetEnd + 9)
            }
            var next = live.headerSize
            for (put in fixture.puts(live.rank)) {
                val boxes = put.boxes
                val row = 8 * boxes.dimensionCount() * boxes.boxCount()
                val size = 40 + row * boxes.kind().vectorCount()
                names.fill("checked", next, next + size)
                names.fill("once", next + 12, next + 20)
                // Without dimensions all calls mean the same, and the numbers of a box can be those of other cells.
                if (boxes.dimensionCount() == 0 || boxes.kind().call() == "varn") {
                    names.fill("once", next + 8, next + 12)
                    names.fill("once", next + 20, next + 24)
                }
                names.fill("once", next + 40, next + 40 + row)
                if (boxes.kind() == PutBoxes.Kind.VARS) names.fill("once", next + 40 + 2 * row, next + 40 + 3 * row)
                next += size
            }
            return FieldMap(names)
        }
    }
}
