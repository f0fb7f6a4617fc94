package dev.cairn.sion.pnetcdf

import dev.cairn.sion.log.LogIdentity
import dev.cairn.sion.log.LogWriter
import dev.cairn.sion.log.Region
import dev.cairn.sion.netcdf.NetcdfFormat
import dev.cairn.sion.netcdf.NetcdfLayout
import dev.cairn.sion.netcdf.NetcdfReader
import dev.cairn.sion.netcdf.NetcdfSpec
import dev.cairn.sion.netcdf.NetcdfType
import dev.cairn.sion.netcdf.NetcdfWriter
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.fixture.bytesOf
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.sion.stripe.Hyperslab
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import java.math.BigDecimal
import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.nio.file.Path

/** Logs of our own become logs of PnetCDF. */
class BurstTransferSpec :
    FunSpec({
        for (fixture in BurstFixture.all) {
            test("all puts of ${fixture.name} come back from a log of our own") {
                val store = fixture.placed()
                store.put(FILE, fixture.bytesOf("expected.nc"))
                store.writeOwnLogs(FILE, OURS)
                store.export()
                val found = store.livePuts(BACK)
                val expected = store.livePuts(BurstFixture.DIRECTORY)
                found.map { it.title } shouldContainExactly expected.map { it.title }
                found.zip(expected).forEach { (back, put) ->
                    back.values shouldContainExactly put.values.map { it.among(back.type, put.type) }
                }
            }

            test("a replay of ${fixture.name} is the same behind a log of our own") {
                for (order in listOf(BurstReplay.OverlapOrder.LAST, BurstReplay.OverlapOrder.FIRST)) {
                    val store = fixture.placed()
                    store.put(FILE, fixture.bytesOf("expected.nc"))
                    store.writeOwnLogs(FILE, OURS)
                    store.export()
                    store.replay(BurstFixture.DIRECTORY, order)
                    val expected = store.bytesOf(FILE)
                    store.delete(FILE)
                    store.put(FILE, fixture.bytesOf("expected.nc"))
                    store.replay(BACK, order)
                    store.bytesOf(FILE).contentEquals(expected) shouldBe true
                }
            }
        }

        test("a large put comes back with the same cells") {
            val count = 5_000_000
            val store = emptyStore(NetcdfType.INT, count.toLong())
            val values = IntArray(count) { it * 3 }
            store.burstLog(StagedPut.MemoryType.INT, PutBoxes.vara(longArrayOf(0), longArrayOf(count.toLong())), values)
            store.writeOwnLogs(FILE, OURS)
            store.export()
            store.replay(BACK, BurstReplay.OverlapOrder.LAST)
            NetcdfReader.open(store, FILE).use { it.readLongs("v", Hyperslab.WHOLE) } shouldBe
                LongArray(count) { it * 3L }
        }

        test("several puts to a variable without dimensions come back in their order") {
            val store = emptyStore(NetcdfType.INT)
            val twice = PutBoxes.varn(arrayOf(longArrayOf(), longArrayOf()), arrayOf(longArrayOf(), longArrayOf()))
            store.burstLog(StagedPut.MemoryType.INT, twice, intArrayOf(5, 6), variable = 1)
            store.writeOwnLogs(FILE, OURS)
            store.export()
            store.replay(BACK, BurstReplay.OverlapOrder.LAST)
            NetcdfReader.open(store, FILE).use { it.readLongs("s", Hyperslab.WHOLE) } shouldBe longArrayOf(6)
        }

        test("a log of our own becomes calls of PnetCDF, in layout C, without what they cannot say") {
            val store = emptyStore(NetcdfType.SHORT)
            store.ownLog {
                it.note("for people")
                it.put(region(Hyperslab.of(longArrayOf(0), longArrayOf(2))), cells(1, 2))
                it.put(region(Hyperslab.of(longArrayOf(1), longArrayOf(2), longArrayOf(2))), cells(3, 4))
                val apart =
                    arrayOf(
                        Hyperslab.of(longArrayOf(0), longArrayOf(1)),
                        Hyperslab.of(longArrayOf(2), longArrayOf(2)),
                    )
                it.put(region(*apart), cells(5, 6, 7))
                it.put(
                    region(
                        *apart
                            .map { box ->
                                Hyperslab.of(longArrayOf(box.start(0)), longArrayOf(1))
                            }.toTypedArray(),
                    ),
                    cells(5, 6),
                )
                it.put(Region(1, 4, listOf(Hyperslab.of(longArrayOf(), longArrayOf()))), ByteBuffer.allocate(4))
            }
            store.export().map { "${it.meta()}" } shouldContainExactly listOf("/back/x.nc_0_0.meta")
            store.burstLogsIn(BACK).use { set ->
                set.losses().shouldBeEmpty()
                set.conflicts().shouldBeEmpty()
                val header =
                    set
                        .logs()
                        .single()
                        .header()
                        .get()
                header.layout() to header.order() shouldBe (MetaHeader.Layout.C to ByteOrder.BIG_ENDIAN)
                header.target() to header.processor() shouldBe ("/x.nc" to "unknown")
                val log = set.logs().single()
                log.puts().map { it.boxes().kind() } shouldContainExactly
                    listOf(
                        PutBoxes.Kind.VARA,
                        PutBoxes.Kind.VARS,
                        PutBoxes.Kind.VARN,
                        PutBoxes.Kind.VARN_CELLS,
                        PutBoxes.Kind.VARA,
                    )
                log
                    .puts()
                    .take(4)
                    .map { it.type() }
                    .distinct() shouldContainExactly listOf(StagedPut.MemoryType.SHORT)
                log.puts().take(4).map {
                    ByteBuffer
                        .wrap(log.valuesOf(it))
                        .asShortBuffer()
                        .get(0)
                        .toInt()
                } shouldBe
                    listOf(1, 3, 5, 5)
            }
        }

        test("several logs of a rank follow each other by generation, and a rank without one has none") {
            val store = emptyStore(NetcdfType.SHORT)
            val first = Hyperslab.of(longArrayOf(0), longArrayOf(1))
            store.ownLog("b", LogIdentity(1, 4, 2, 3)) { it.put(region(first), cells(4)) }
            store.ownLog("a", LogIdentity(2, 11, 2, 3)) { it.put(region(first), cells(11)) }
            store.export()
            store.replay(BACK, BurstReplay.OverlapOrder.LAST)
            NetcdfReader.open(store, FILE).use { it.readLongs("v", Hyperslab.at(0)) } shouldBe longArrayOf(11)
            store.burstLogsIn(BACK).use { set ->
                set.losses() shouldContainExactly
                    listOf(
                        "/back/x.nc_0: the logs of 2 of 3 processes are missing: ranks 0, 1. " +
                            "Bring them from the disks of their hosts.",
                    )
            }
        }

        test("logs that cannot be exported are refused before a file is made") {
            val box = region(Hyperslab.of(longArrayOf(3), longArrayOf(2)))
            val other = "Name the file for which the logs were written."
            refusal { it.put(Region(2, 2, box.boxes()), cells(1, 2)) } shouldBe
                "/ours/a: record 1 is not for this file: it is of variable 2, but /x.nc has only 2. $other"
            refusal { it.put(Region(0, 4, box.boxes()), cells(1, 2, 3, 4)) } shouldBe
                "/ours/a: record 1 is not for this file: it has cells of 4 bytes, but those of variable v of /x.nc " +
                "are of type SHORT. $other"
            refusal { it.put(box, cells(1, 2)) } shouldBe
                "/ours/a: record 1 is not for this file: variable v has 4 indices in dimension 0, but the hyperslab " +
                "has 2 from 3 on, 1 apart. $other"
            val store = emptyStore(NetcdfType.SHORT)
            store.ownLog("a", LogIdentity(1, 0, 0, 2)) { }
            store.ownLog("b", LogIdentity(2, 0, 0, 2)) { }
            shouldThrow<BurstLogException> { store.export() }.message shouldBe
                "/ours/b: this is log 0 of rank 0, but so is /ours/a. Name only logs of one run."
            store.ownLog("c", LogIdentity(2, 0, 1, 3)) { }
            shouldThrow<BurstLogException> { store.export("a", "c") }.message shouldBe
                "/ours/c: this is a log of 3 ranks, but another one is of 2. Name only logs of one run."
        }

        test("values that are damaged leave no logs of PnetCDF, and what is there is not overwritten") {
            val store = emptyStore(NetcdfType.SHORT)
            store.ownLog { it.put(region(Hyperslab.of(longArrayOf(0), longArrayOf(2))), cells(1, 2)) }
            val segment = OURS.resolve("a/s000000.log")
            val bytes = store.bytesOf(segment)
            store.delete(segment)
            store.put(segment, bytes.copyOf().also { it[it.size - 6]++ })
            shouldThrow<java.io.IOException> { store.export() }.message!! shouldStartWith
                "$segment: the payload of record 1 should have the CRC32C"
            store.list(BACK).shouldBeEmpty()
            store.delete(segment)
            store.put(segment, bytes)
            store.export()
            shouldThrow<BurstLogException> { store.export() }.message shouldBe
                "/back/x.nc_0_0.meta: it exists and is not overwritten: delete it, or choose another directory."
            store.list(BACK).size shouldBe 2
        }
    })

private val FILE = Path.of("/x.nc")
private val OURS = Path.of("/ours")
private val BACK = Path.of("/back")

/** A put in words, and its values as numbers. */
private class LivePut(val title: String, val type: StagedPut.MemoryType, val values: List<BigDecimal>)

private fun emptyStore(type: NetcdfType, length: Long = 4): BlockStore {
    val store = SimulatedDisk().host("node")
    store.makeDirectory(BurstFixture.DIRECTORY)
    val spec =
        NetcdfSpec
            .builder(NetcdfFormat.CDF_2)
            .dimension("x", length)
            .variable("v", type, "x")
            .variable("s", NetcdfType.INT)
            .build()
    NetcdfWriter.create(store, FILE, NetcdfLayout.plan(spec)).close()
    store.makeDirectory(OURS)
    return store
}

private fun BlockStore.burstLog(type: StagedPut.MemoryType, boxes: PutBoxes, values: IntArray, variable: Int = 0) {
    val header = MetaHeader.ofNewLog(MetaHeader.Layout.C, ByteOrder.LITTLE_ENDIAN, 1, 0, "/x.nc", "n")
    val bytes = ByteBuffer.allocate(4 * values.size).order(ByteOrder.LITTLE_ENDIAN)
    values.forEach(bytes::putInt)
    BurstLogWriter.create(this, BurstLogName.of(Path.of("/bb/x.nc_0_0.meta")).get(), header).use {
        it.put(variable, type, boxes, bytes.flip())
    }
}

private fun BlockStore.ownLog(
    name: String = "a",
    identity: LogIdentity = LogIdentity(7, 0, 0, 1),
    write: (LogWriter) -> Unit,
) {
    val directory = OURS.resolve(name).also(::makeDirectory)
    LogWriter.create(this, directory, identity).use(write)
}

private fun region(vararg boxes: Hyperslab) = Region(0, 2, boxes.toList())

private fun cells(vararg values: Int): ByteBuffer =
    ByteBuffer.allocate(2 * values.size).also { bytes -> values.forEach { bytes.putShort(it.toShort()) } }.flip()

/** The sentence with which a log is refused. */
private fun refusal(write: (LogWriter) -> Unit): String? {
    val store = emptyStore(NetcdfType.SHORT)
    store.ownLog { write(it) }
    return shouldThrow<BurstLogException> { store.export() }.message
}

private fun BlockStore.burstLogsIn(directory: Path) = BurstLogSet.open(this, BurstLogName.listIn(this, directory))

private fun BlockStore.export(vararg names: String): List<BurstLogName> {
    if (!exists(BACK)) makeDirectory(BACK)
    val logs = if (names.isEmpty()) list(OURS) else names.map(OURS::resolve)
    return BurstExport.open(this, FILE, logs).run(BACK) { }
}

private fun BlockStore.replay(directory: Path, order: BurstReplay.OverlapOrder) =
    burstLogsIn(directory).use { set -> BurstReplay.open(this, FILE, set).use { it.run(order) { } } }

/** The puts that have cells; of large ones some values. */
private fun BlockStore.livePuts(directory: Path): List<LivePut> =
    burstLogsIn(directory).use { set ->
        set.logs().flatMap { log ->
            val order = log.header().get().order()
            log.puts().filter { it.dataSize() > 0 }.map { put ->
                val bytes = ByteBuffer.wrap(log.valuesOf(put)).order(order)
                val cells = put.boxes().cellCount().toInt()
                val values =
                    (0 until cells step maxOf(1, cells / 1_000)).map {
                        bytes.position(it * put.type().size()).number(put.type())
                    }
                LivePut("${log.rank()}/${put.variable()}: ${boxesOf(put.boxes())}", put.type(), values)
            }
        }
    }

/** For each box that has cells, in each dimension: start x count, and the stride if there is one. */
private fun boxesOf(boxes: PutBoxes): String =
    (0 until boxes.boxCount()).filterNot { boxes.box(it).isEmpty }.joinToString(" ") { box ->
        List(boxes.dimensionCount()) { dimension ->
            val stride = boxes.stride(box, dimension)
            "${boxes.start(box, dimension)}x${boxes.count(box, dimension)}" + if (stride > 1) "/$stride" else ""
        }.toString()
    }

private fun ByteBuffer.number(type: StagedPut.MemoryType): BigDecimal =
    when (type) {
        StagedPut.MemoryType.TEXT, StagedPut.MemoryType.UNSIGNED_CHAR -> get().toUByte().toInt().toBigDecimal()
        StagedPut.MemoryType.SIGNED_CHAR -> get().toInt().toBigDecimal()
        StagedPut.MemoryType.SHORT -> short.toInt().toBigDecimal()
        StagedPut.MemoryType.UNSIGNED_SHORT -> short.toUShort().toInt().toBigDecimal()
        StagedPut.MemoryType.INT -> int.toBigDecimal()
        StagedPut.MemoryType.UNSIGNED_INT -> int.toUInt().toLong().toBigDecimal()
        StagedPut.MemoryType.FLOAT -> BigDecimal(float.toDouble())
        StagedPut.MemoryType.DOUBLE -> BigDecimal(double)
        StagedPut.MemoryType.LONG_LONG, StagedPut.MemoryType.LONG -> long.toBigDecimal()
        StagedPut.MemoryType.UNSIGNED_LONG_LONG -> long.toULong().toString().toBigDecimal()
    }

/** The number as a cell of [type] has it, which came from one of the type [from]. */
private fun BigDecimal.among(type: StagedPut.MemoryType, from: StagedPut.MemoryType): BigDecimal =
    when {
        type == StagedPut.MemoryType.FLOAT -> {
            BigDecimal(toFloat().toDouble())
        }

        type == StagedPut.MemoryType.DOUBLE -> {
            BigDecimal(toDouble())
        }

        type == StagedPut.MemoryType.SIGNED_CHAR && from == StagedPut.MemoryType.UNSIGNED_CHAR -> {
            toInt()
                .toByte()
                .toInt()
                .toBigDecimal()
        }

        else -> {
            toBigInteger().toBigDecimal()
        }
    }
