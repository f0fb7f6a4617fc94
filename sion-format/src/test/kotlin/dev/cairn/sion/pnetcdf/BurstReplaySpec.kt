package dev.cairn.sion.pnetcdf

import dev.cairn.sion.netcdf.NetcdfFormat
import dev.cairn.sion.netcdf.NetcdfLayout
import dev.cairn.sion.netcdf.NetcdfReader
import dev.cairn.sion.netcdf.NetcdfSpec
import dev.cairn.sion.netcdf.NetcdfType
import dev.cairn.sion.netcdf.NetcdfWriter
import dev.cairn.sion.netcdf.Values
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.fixture.bytesOf
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.sion.stripe.Hyperslab
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.nio.file.Path

/** Replays into NetCDF files: those that PnetCDF made of the same calls are the expectation. */
class BurstReplaySpec :
    FunSpec({
        for (fixture in BurstFixture.all - BurstFixture.of("cancel-1.14")) {
            test("a replay of ${fixture.name} gives the file that PnetCDF made, and so does another one") {
                val expected = fixture.bytesOf("expected.nc")
                val order =
                    if (fixture.name ==
                        "overlap-1.14"
                    ) {
                        BurstReplay.OverlapOrder.FIRST
                    } else {
                        BurstReplay.OverlapOrder.LAST
                    }
                val store = fixture.placed()
                store.put(FILE, withoutPuts(fixture))
                repeat(2) {
                    store.replay(order).shouldBeEmpty()
                    store shouldHave expected
                }
            }
        }

        for (name in listOf("kinds-1.10", "kinds-1.14", "crash-1.14")) {
            test("a replay of $name into the mere header gives the file that PnetCDF made") {
                val fixture = BurstFixture.of(name)
                val store = fixture.placed()
                store.put(FILE, if (fixture.has("crashed.nc")) fixture.bytesOf("crashed.nc") else headerOf(fixture))
                store.replay(BurstReplay.OverlapOrder.LAST).shouldBeEmpty()
                store shouldHave fixture.bytesOf("expected.nc")
            }
        }

        test("a log still has requests that were cancelled, so they are replayed") {
            val fixture = BurstFixture.of("cancel-1.14")
            val store = fixture.placed()
            store.put(FILE, fixture.bytesOf("expected.nc"))
            store.open(FILE, Access.READ_WRITE).use { it.resize(LARGER) }
            val rows =
                fixture.calls.map { call ->
                    call.puts
                        .single()
                        .boxes
                        .start(0, 0) to call.isCancelled
                }
            val before = store.longs("a").toList()
            store.replay(BurstReplay.OverlapOrder.LAST)
            val changed =
                store.longs("a").toList().zip(before).mapIndexedNotNull { cell, (now, then) ->
                    (cell / 5L).takeIf { now != then }
                }
            changed.distinct() shouldContainExactly rows.filter { it.second }.map { it.first }
        }

        test("the last put counts, the first one, or none") {
            val store = logsOf(1 to intArrayOf(5, 6), 2 to intArrayOf(7, 8))
            store.replay(BurstReplay.OverlapOrder.LAST)
            store.longs("v").toList() shouldBe listOf(0L, 5L, 7L, 8L)
            store.replay(BurstReplay.OverlapOrder.FIRST)
            store.longs("v").toList() shouldBe listOf(0L, 5L, 6L, 8L)
            shouldThrow<BurstLogException> { store.replay(BurstReplay.OverlapOrder.ERROR) }.message shouldBe
                "/bb/x_0: 1 values of variable v are put to cells that get others as well. " +
                "Choose which put counts: the last or the first."
        }

        test("what would be put to each variable is counted") {
            val store = logsOf(1 to intArrayOf(5, 6), 2 to intArrayOf(7, 8))
            store.withReplay { it.shares() } shouldBe listOf(BurstReplay.VariableShare("v", 2, 4, 3))
        }

        test("a rehearsal finds the same and writes nothing") {
            val store = logsOf(1 to intArrayOf(5, 70_000), type = NetcdfType.SHORT)
            val before = store.bytesOf(FILE)
            store.burstLogs().use { set ->
                BurstReplay.rehearse(store, FILE, set).use { replay ->
                    replay.run(BurstReplay.OverlapOrder.LAST) { }.map { "$it" } shouldContainExactly listOf(LOSS)
                }
            }
            store.bytesOf(FILE).contentEquals(before) shouldBe true
            store.replay(BurstReplay.OverlapOrder.LAST).map { "$it" } shouldContainExactly listOf(LOSS)
        }

        test("values that do not fit become the fill value, and all others of their put are written") {
            val store = logsOf(0 to intArrayOf(-40_000, 2, 70_000, 4), type = NetcdfType.SHORT)
            val loss = store.replay(BurstReplay.OverlapOrder.LAST).single()
            listOf(loss.rank(), loss.put(), loss.variable()) shouldBe listOf(0, 0, "v")
            loss.count() to loss.first().toList() shouldBe (2L to listOf(0L))
            store.longs("v").toList() shouldBe listOf(-32_767L, 2L, -32_767L, 4L)
        }

        test("the fill value is that of the variable, if it has one") {
            val store = logsOf(0 to intArrayOf(1, 70_000))
            store.delete(FILE)
            val spec =
                NetcdfSpec
                    .builder(NetcdfFormat.CDF_1)
                    .dimension("x", 4)
                    .variable("v", NetcdfType.SHORT, listOf("x")) { it.fillValue(Values.of(shortArrayOf(-9))) }
                    .build()
            NetcdfWriter.create(store, FILE, NetcdfLayout.plan(spec)).close()
            store.replay(BurstReplay.OverlapOrder.LAST)
            store.longs("v").toList() shouldBe listOf(1L, -9L, 0L, 0L)
        }

        test("a floating number is out of range where PnetCDF finds it so: before it is cut") {
            // What PnetCDF 1.12.3 leaves of these; it does not define what becomes of NaN in an integer.
            val values =
                doubleArrayOf(127.0, 127.5, -128.0, -128.5, Double.POSITIVE_INFINITY, Double.NaN, 1e39, -0.5)
            mapOf(
                NetcdfType.BYTE to listOf(127.0, -127.0, -128.0, -127.0, -127.0, -127.0, -127.0, 0.0),
                NetcdfType.FLOAT to
                    listOf(127.0, 127.5, -128.0, -128.5, FILL_FLOAT, Double.NaN, FILL_FLOAT, -0.5),
            ).forEach { (type, expected) ->
                val store = emptyLogStore()
                val bytes = ByteBuffer.allocate(8 * values.size).order(ByteOrder.LITTLE_ENDIAN)
                values.forEach(bytes::putDouble)
                val boxes = PutBoxes.vara(longArrayOf(0), longArrayOf(values.size.toLong()))
                store.log { it.put(0, StagedPut.MemoryType.DOUBLE, boxes, bytes.flip()) }
                store.target(type, length = values.size)
                store.replay(BurstReplay.OverlapOrder.LAST)
                NetcdfReader.open(store, FILE).use { "${it.readDoubles("v", Hyperslab.WHOLE).toList()}" } shouldBe
                    "$expected"
            }
        }

        test("infinity is out of range of the other floating type, and not of its own") {
            val infinite = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN)
            infinite.putFloat(Float.POSITIVE_INFINITY).putDouble(Double.NEGATIVE_INFINITY)
            val store = emptyLogStore()
            store.log {
                it.put(0, StagedPut.MemoryType.FLOAT, VARA_AT_0, infinite.slice(0, 4).order(ByteOrder.LITTLE_ENDIAN))
                val second = PutBoxes.vara(longArrayOf(1), longArrayOf(1))
                it.put(0, StagedPut.MemoryType.DOUBLE, second, infinite.slice(4, 8).order(ByteOrder.LITTLE_ENDIAN))
            }
            store.target(NetcdfType.DOUBLE)
            store.replay(BurstReplay.OverlapOrder.LAST).single().put() shouldBe 0
            NetcdfReader.open(store, FILE).use { it.readDoubles("v", Hyperslab.WHOLE) }.take(2) shouldBe
                listOf(FILL_DOUBLE, Double.NEGATIVE_INFINITY)
        }

        test("a file ends behind the last cell that was put, and a record that lacks others reads as zeros") {
            val store = emptyLogStore()
            val value = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(7)
            store.log {
                it.put(
                    0,
                    StagedPut.MemoryType.INT,
                    PutBoxes.vara(longArrayOf(1), longArrayOf(1)),
                    value.flip(),
                )
            }
            val spec =
                NetcdfSpec
                    .builder(NetcdfFormat.CDF_1)
                    .unlimited("t")
                    .variable("v", NetcdfType.SHORT, "t")
                    .variable("w", NetcdfType.DOUBLE, "t")
                    .build()
            val layout = NetcdfLayout.plan(spec)
            NetcdfWriter.create(store, FILE, layout).close()
            repeat(2) {
                store.replay(BurstReplay.OverlapOrder.LAST)
                store.bytesOf(FILE).size.toLong() shouldBe layout.begin("v") + layout.recordSize() + 2
            }
            store.longs("v").toList() shouldBe listOf(0L, 7L)
            store.longs("w").toList() shouldBe listOf(0L, 0L)
        }

        test("a new record of which the only value does not fit is a record") {
            val store = emptyLogStore()
            val value = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(70_000)
            store.log {
                it.put(
                    0,
                    StagedPut.MemoryType.INT,
                    PutBoxes.vara(longArrayOf(2), longArrayOf(1)),
                    value.flip(),
                )
            }
            val spec =
                NetcdfSpec
                    .builder(NetcdfFormat.CDF_1)
                    .unlimited("t")
                    .variable("v", NetcdfType.SHORT, "t")
                    .build()
            NetcdfWriter.create(store, FILE, NetcdfLayout.plan(spec)).close()
            store.replay(BurstReplay.OverlapOrder.LAST)
            store.longs("v").toList() shouldBe listOf(0L, 0L, -32_767L)
        }

        test("unsigned bytes keep their bits where the format has none, and are converted where it has") {
            for ((format, expected) in mapOf(NetcdfFormat.CDF_2 to -56L, NetcdfFormat.CDF_5 to -127L)) {
                val store = emptyLogStore()
                store.log {
                    it.put(
                        0,
                        StagedPut.MemoryType.UNSIGNED_CHAR,
                        VARA_AT_0,
                        ByteBuffer.wrap(byteArrayOf(-56)),
                    )
                }
                store.target(NetcdfType.BYTE, format)
                store.replay(BurstReplay.OverlapOrder.LAST).size shouldBe if (format == NetcdfFormat.CDF_5) 1 else 0
                store.longs("v")[0] shouldBe expected
            }
        }

        test("a box without cells counts nothing, wherever it begins") {
            val store = emptyLogStore()
            val boxes = PutBoxes.varn(arrayOf(longArrayOf(1), longArrayOf(3)), arrayOf(longArrayOf(0), longArrayOf(1)))
            store.log { it.put(0, StagedPut.MemoryType.SIGNED_CHAR, boxes, ByteBuffer.wrap(byteArrayOf(7))) }
            BurstLogSet.open(store, BurstLogName.listIn(store, BurstFixture.DIRECTORY)).use { set ->
                VariableOverlay.of(set, 0).start().toList() shouldBe listOf(3L)
                VariableOverlay.of(set, 0).coveredCells() shouldBe 1
            }
        }

        test("a put of more values than are in memory at once is written in pieces") {
            val count = 400_000
            val store = emptyLogStore()
            val values = ByteBuffer.allocate(4 * count).order(ByteOrder.LITTLE_ENDIAN)
            repeat(count) { values.putInt(it * 3) }
            val boxes = PutBoxes.vars(longArrayOf(1, 0), longArrayOf(2, 200_000), longArrayOf(2, 2))
            store.log { it.put(0, StagedPut.MemoryType.INT, boxes, values.flip()) }
            val spec =
                NetcdfSpec
                    .builder(NetcdfFormat.CDF_2)
                    .unlimited("t")
                    .dimension("x", 400_000)
                    .variable("v", NetcdfType.DOUBLE, "t", "x")
                    .build()
            NetcdfWriter.create(store, FILE, NetcdfLayout.plan(spec)).close()
            store.replay(BurstReplay.OverlapOrder.LAST).shouldBeEmpty()
            NetcdfReader.open(store, FILE).use { reader ->
                reader.recordCount() shouldBe 4
                val section = Hyperslab.of(longArrayOf(1, 0), longArrayOf(2, 200_000), longArrayOf(2, 2))
                reader.readLongs("v", section).toList() shouldBe List(count) { it * 3L }
                reader.readLongs("v", Hyperslab.at(0)).all { it == 0L } shouldBe true
            }
        }

        test("records count only after their values are durable") {
            val operations = mutableListOf<BlockStore.Operation>()
            val store = BurstFixture.of("crash-1.14").placed()
            store.put(FILE, BurstFixture.of("crash-1.14").bytesOf("crashed.nc"))
            val traced =
                object : ForwardingStore(store) {
                    override fun onOperation(operation: BlockStore.Operation) {
                        if (operation.path() == FILE) operations += operation
                    }
                }
            traced.replay(BurstReplay.OverlapOrder.LAST)
            val last = operations.filter { it.kind() in CHANGES }.takeLast(4).map { it.kind() }
            val count = operations.indexOfLast { it.kind() == BlockStore.Operation.Kind.WRITE }
            operations[count].position() shouldBe 4
            last.last() shouldBe BlockStore.Operation.Kind.FORCE
            operations.take(count).indexOfLast { it.kind() == BlockStore.Operation.Kind.FORCE } shouldBe
                operations.indexOfFirst { it.kind() == BlockStore.Operation.Kind.FORCE }
            operations.filter { it.kind() == BlockStore.Operation.Kind.FORCE }.size shouldBe 2
        }

        test("logs of another file are refused before anything is written") {
            val other = "Name the file for which the logs were written."
            val name = "/bb/x_0_0.meta: put 0 is not for this file: "
            mapOf(
                2 to VARA_AT_0 to "it is of variable 2, but /x.nc has only 1. $other",
                0 to PutBoxes.vara(longArrayOf(0, 0), longArrayOf(1, 1)) to
                    "it has 2 dimensions, but variable v of /x.nc has 1. $other",
                0 to PutBoxes.vara(longArrayOf(4), longArrayOf(1)) to
                    "variable v has 4 indices in dimension 0, but the hyperslab has 1 from 4 on, 1 apart. $other",
            ).forEach { (put, sentence) ->
                val store = emptyLogStore()
                store.log {
                    it.put(
                        put.first,
                        StagedPut.MemoryType.SIGNED_CHAR,
                        put.second,
                        ByteBuffer.wrap(byteArrayOf(1)),
                    )
                }
                store.target(NetcdfType.INT)
                shouldThrow<BurstLogException> { store.replay(BurstReplay.OverlapOrder.LAST) }.message shouldBe
                    name + sentence
            }
            val store = emptyLogStore()
            store.log { it.put(0, StagedPut.MemoryType.TEXT, VARA_AT_0, ByteBuffer.wrap(byteArrayOf(65))) }
            store.target(NetcdfType.INT)
            shouldThrow<BurstLogException> { store.replay(BurstReplay.OverlapOrder.LAST) }.message shouldBe
                name + "it has values of type text, but variable v of /x.nc is of type INT. $other"
        }
    })

private val FILE = Path.of("/x.nc")
private val VARA_AT_0 = PutBoxes.vara(longArrayOf(0), longArrayOf(1))
private val CHANGES =
    setOf(BlockStore.Operation.Kind.WRITE, BlockStore.Operation.Kind.RESIZE, BlockStore.Operation.Kind.FORCE)
private const val LOSS =
    "put 0 of rank 0: 1 values do not fit into variable v, which is of type SHORT, and became its fill " +
        "value; the first belongs to [2]"

/** What NetCDF writes to cells of type FLOAT by default. */
private const val FILL_FLOAT = 9.969209968386869e36

/** The same of type DOUBLE, which is the same number. */
private const val FILL_DOUBLE = FILL_FLOAT

private const val LARGER = 10_000L

private infix fun BlockStore.shouldHave(expected: ByteArray) {
    val found = bytesOf(FILE)
    found.size shouldBe expected.size
    found.contentEquals(expected) shouldBe true
}

private fun <T> BlockStore.withReplay(use: (BurstReplay) -> T): T =
    burstLogs().use { set -> BurstReplay.open(this, FILE, set).use(use) }

private fun BlockStore.replay(order: BurstReplay.OverlapOrder): List<BurstReplay.RangeLoss> =
    withReplay {
        it.run(order) { }
    }

private fun BlockStore.longs(variable: String): LongArray =
    NetcdfReader.open(this, FILE).use { it.readLongs(variable, Hyperslab.WHOLE) }

/** The file that PnetCDF made, in which all cells of puts have other bytes. */
private fun withoutPuts(fixture: BurstFixture): ByteArray {
    val bytes = fixture.bytesOf("expected.nc")
    val store = fixture.placed()
    store.put(FILE, bytes)
    NetcdfReader.open(store, FILE).use { reader ->
        for (put in fixture.logs.flatMap { fixture.puts(it.rank) }) {
            val name = reader.spec().variables()[put.variable].name()
            for (box in 0 until put.boxes.boxCount()) {
                val section = put.boxes.box(box)
                for (extent in reader.layout().extents(name, section, reader.recordCount())) {
                    bytes.fill(0x55, extent.offset().toInt(), extent.end().toInt())
                }
            }
        }
    }
    return bytes
}

/** What PnetCDF has written when it has defined the variables: no records, and no cells. */
private fun headerOf(fixture: BurstFixture): ByteArray {
    val store = fixture.placed()
    store.put(FILE, fixture.bytesOf("expected.nc"))
    return NetcdfReader.open(store, FILE).use { reader ->
        val header = reader.layout().header(0)
        ByteArray(header.remaining()).also { header.get(it) }
    }
}

private fun emptyLogStore(): BlockStore = SimulatedDisk().host("node").also { it.makeDirectory(BurstFixture.DIRECTORY) }

private fun BlockStore.log(write: (BurstLogWriter) -> Unit) {
    val header = MetaHeader.ofNewLog(MetaHeader.Layout.C, ByteOrder.LITTLE_ENDIAN, 1, 0, "/run/x", "n")
    BurstLogWriter.create(this, BurstLogName.of(Path.of("/bb/x_0_0.meta")).get(), header).use(write)
}

/** A file with a variable of zeros. */
private fun BlockStore.target(type: NetcdfType, format: NetcdfFormat = NetcdfFormat.CDF_2, length: Int = 4) {
    val spec =
        NetcdfSpec
            .builder(format)
            .dimension("x", length.toLong())
            .variable("v", type, "x")
            .build()
    NetcdfWriter
        .create(
            this,
            FILE,
            NetcdfLayout.plan(spec),
        ).use { it.write("v", Hyperslab.WHOLE, Values.of(IntArray(length))) }
}

/** A log of puts of integers, each from an index on, and the file for them. */
private fun logsOf(vararg puts: Pair<Int, IntArray>, type: NetcdfType = NetcdfType.INT): BlockStore {
    val store = emptyLogStore()
    store.log { writer ->
        for ((start, values) in puts) {
            val bytes = ByteBuffer.allocate(4 * values.size).order(ByteOrder.LITTLE_ENDIAN)
            values.forEach(bytes::putInt)
            val boxes = PutBoxes.vara(longArrayOf(start.toLong()), longArrayOf(values.size.toLong()))
            writer.put(0, StagedPut.MemoryType.INT, boxes, bytes.flip())
        }
    }
    return store.also { it.target(type) }
}
