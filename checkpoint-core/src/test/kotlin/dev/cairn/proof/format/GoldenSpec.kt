package dev.cairn.proof.format

import dev.cairn.checkpoints
import dev.cairn.cli.compareWith
import dev.cairn.event.CheckpointEvent.Restored
import dev.cairn.event.CheckpointException
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.house.Campaign
import dev.cairn.house.JDK_DEPENDENT
import dev.cairn.house.needs
import dev.cairn.options.CheckpointOptions
import dev.cairn.proof.failure.fill
import dev.cairn.proof.log.quietly
import dev.cairn.proof.state.DustState
import dev.cairn.proof.state.GraphState
import dev.cairn.proof.state.RowsState
import dev.cairn.proof.state.Sample
import dev.cairn.proof.state.TypedState
import dev.cairn.proof.state.WrongState
import dev.cairn.proof.state.restoreSmall
import dev.cairn.proof.state.saveSmall
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ranks
import dev.cairn.reading.StoredCheckpoints
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.state.ElementType
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import kotlinx.serialization.Serializable
import java.nio.file.Path
import java.util.HexFormat
import kotlin.io.path.ExperimentalPathApi
import kotlin.io.path.appendText
import kotlin.io.path.copyToRecursively
import kotlin.io.path.createDirectories
import kotlin.io.path.exists
import kotlin.io.path.isDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readBytes
import kotlin.io.path.writeBytes

/**
 * Checkpoints of every released version come back, and a reader that was written from the pages on the format alone sees
 * the same in them, and in new ones. `-Dcairn.golden.write=DIR` writes those golden checkpoints of this version into DIR that
 * are not there.
 */
@Tags(JDK_DEPENDENT)
class GoldenSpec :
    FunSpec({
        quietly()
        val directory = tempdir().toPath()
        val versions = GOLDEN.listDirectoryEntries().filter { it.isDirectory() }.map { "${it.fileName}" }
        System.getProperty("cairn.golden.write")?.let { to ->
            test("golden checkpoints are written into $to") { writeGolden(Path.of(to)) }
        }

        for (version in versions) {
            for (readers in listOf(1, 2, 3, 7)) {
                test("the small state of version $version comes back on $readers ranks") {
                    val copy = copyOf("$version/small.cairn", directory.resolve("small-$version-$readers"))
                    ranks(readers) { restoreSmall(FileBlockStore(), copy) shouldBe Restored(2, 2, 3) }
                }

                test("the fields of all types of version $version come back on $readers ranks") {
                    val copy = copyOf("$version/types.cairn", directory.resolve("types-$version-$readers"))
                    ranks(readers) {
                        val state =
                            TypedState(Decomposition.blocks(Sample.SHAPE, size).boxes(rank)) { box, _ -> blank(box) }
                        with(state) { open(copy) }.use { it.restore() } shouldBe Restored(1, 42, 4)
                        state.isRight() shouldBe true
                    }
                }
            }

            for (readers in listOf(1, 2, 3, 7)) {
                test("rows, sums, objects, streams and an output of version $version come back on $readers ranks") {
                    val copy = copyOf("$version/dust.cairn", directory.resolve("dust-$version-$readers/dust.cairn"))
                    val energies = copyOf("$version/energies.txt", copy.resolveSibling("energies.txt"))
                    energies.appendText("step 2, which was not saved\n")
                    ranks(readers) { restoreDust(copy, energies) shouldBe Restored(1, 1, 2) }
                }
            }

            if (GOLDEN.resolve("$version/village.cairn").exists()) {
                for (readers in listOf(1, 2, 3)) {
                    test("the graphs of version $version come back on $readers ranks") {
                        val copy = copyOf("$version/village.cairn", directory.resolve("village-$version-$readers"))
                        ranks(readers) {
                            val state = GraphState(rank)
                            checkpoints(copy) { state.declare(this) }.use { it.restore() } shouldBe Restored(1, 1, 2)
                            state.isThatOf(savers = 2, readers) shouldBe true
                        }
                    }
                }
            }

            if (GOLDEN.resolve("$version/village.cairn").exists()) {
                test("a reader in Python sees the classes in the graphs of version $version")
                    .config(enabledOrReasonIf = needs { PythonReader.isThere }) {
                        val found = PythonReader.read(GOLDEN.resolve("$version/village.cairn/000001"))
                        found.graphs("villages") shouldContain
                            """"name":"dev.cairn.proof.state.Villager","fields":[["dev.cairn.proof.state.Villager","age","int"]"""
                    }
            }

            if (GOLDEN.resolve("$version/estate.cairn").exists()) {
                test("the rows of objects of version $version come back, and lead to the same rows again") {
                    val copy = copyOf("$version/estate.cairn", directory.resolve("estate-$version"))
                    ranks(2) {
                        val state = RowsState(rank)
                        checkpoints(copy) { state.declare(this) }.use {
                            it.restore() shouldBe Restored(1, 1, 2)
                            it.save(2)
                        }
                        state.isThatOf(step = 1) shouldBe true
                    }
                    val (then, now) = listOf(1, 2).map { StoredCheckpoints(copy).open(it) }
                    for (table in then.items.map { it.name }) {
                        for ((a, b) in listOf(then to now, now to then)) {
                            val found = a.table(table).compareWith(b.table(table))
                            withClue("$found") { found.isSame shouldBe true }
                        }
                    }
                    listOf(then, now).forEach { it.close() }
                }

                test("a reader in Python sees in the rows of objects of version $version to which others they lead")
                    .config(enabledOrReasonIf = needs { PythonReader.isThere }) {
                        requireEstate(PythonReader.read(GOLDEN.resolve("$version/estate.cairn/000001")))
                    }
            }

            if (GOLDEN.resolve("$version/tuned.cairn").exists()) {
                test("the parameters of version $version are compared with those of the program") {
                    val copy = copyOf("$version/tuned.cairn", directory.resolve("tuned-$version"))
                    ranks(2) {
                        tuned(copy, agents = 3_000L).use { it.restore() } shouldBe Restored(1, 1, 2)
                        val failure =
                            shouldThrow<CheckpointException.Mismatch> {
                                tuned(
                                    copy,
                                    1_000,
                                ).use { it.restore() }
                            }
                        failure.items shouldBe listOf("agents")
                        failure.message shouldContain "'agents' = 3000, but the program was started with 1000"
                    }
                }
            }

            test(
                "a reader in Python sees in the rows, sums, objects, streams and output of version $version what was saved",
            ).config(enabledOrReasonIf = needs { PythonReader.isThere }) {
                requireDust(PythonReader.read(GOLDEN.resolve("$version/dust.cairn/000001")), step = 1, writers = 2)
            }

            test("a reader in Python sees in the small state of version $version what was saved")
                .config(enabledOrReasonIf = needs { PythonReader.isThere }) {
                    for (save in 1L..2L) {
                        requireSmall(
                            PythonReader.read(GOLDEN.resolve("$version/small.cairn/00000$save")),
                            save,
                            3,
                        )
                    }
                }

            test("a reader in Python sees in the fields of version $version what was saved")
                .config(enabledOrReasonIf = needs { PythonReader.isThere }) {
                    val found = PythonReader.read(GOLDEN.resolve("$version/types.cairn/000001"))
                    for (sample in Sample.entries) {
                        found.list(sample.name.lowercase()).map(sample.parse) shouldBe
                            (0 until Sample.SHAPE.cellCount()).map(sample.cell)
                    }
                }
        }

        test("a reader in Python sees in new checkpoints what was saved")
            .config(enabledOrReasonIf = needs { PythonReader.isThere }) {
                for (writers in Campaign.PROGRAMS.someOf(listOf(1, 2, 5, 11))) {
                    val fresh = directory.resolve("fresh-$writers")
                    ranks(writers) { saveSmall(FileBlockStore(), 1L..1L, fresh) }
                    requireSmall(PythonReader.read(fresh.resolve("000001")), 1, writers)
                    val (dust, energies) = directory.resolve("dust-$writers") to directory.resolve("energies-$writers")
                    ranks(writers) { saveDust(dust, energies) }
                    requireDust(PythonReader.read(dust.resolve("000001")), 1, writers)
                }
            }

        test("a reader in Python sees the arrays inside of values")
            .config(enabledOrReasonIf = needs { PythonReader.isThere }) {
                val fresh = directory.resolve("arrays")
                ranks(2) {
                    checkpoints(fresh) { perRank("own", { ArrayValue.of(rank) }, {}) }.use { it.save(1) }
                }
                PythonReader.read(fresh.resolve("000001")).values("own") shouldBe
                    "[${ArrayValue.json(0)},${ArrayValue.json(1)}]"
            }

        test("a reader in Python sees several frames of one item")
            .config(enabledOrReasonIf = needs { PythonReader.isThere }) {
                val fresh = directory.resolve("frames")
                ranks(1) { largeField(fresh).use { it.save(1) } }
                PythonReader.read(fresh.resolve("000001")).list("n").map(String::toLong) shouldBe
                    LongArray(LARGE) { it * 3L }.toList()
            }

        test("a reader in Python notices damage, so what it says counts")
            .config(enabledOrReasonIf = needs { PythonReader.isThere }) {
                val copy = copyOf("${versions.last()}/small.cairn/000002", directory.resolve("damaged/000002"))
                for ((file, at) in listOf("data.sion" to FIRST_CELL, "manifest.json" to 100)) {
                    val bytes = copy.resolve(file).readBytes()
                    copy.resolve(file).writeBytes(bytes.clone().also { it[at]++ })
                    shouldThrow<AssertionError> { PythonReader.read(copy) }.message shouldContain "000002"
                    copy.resolve(file).writeBytes(bytes)
                }
                requireSmall(PythonReader.read(copy), 2, 3)
            }
    })

@Serializable
private class ArrayValue(
    val name: String,
    val isOn: BooleanArray,
    val bytes: ByteArray,
    val shorts: ShortArray,
    val chars: CharArray,
    val ints: IntArray,
    val longs: LongArray,
    val floats: FloatArray,
    val doubles: DoubleArray,
) {
    companion object {
        fun of(rank: Int) =
            ArrayValue(
                "rank $rank",
                booleanArrayOf(true, false),
                byteArrayOf(1, rank.toByte()),
                shortArrayOf(-2, 300),
                charArrayOf('a'),
                intArrayOf(-70_000, rank),
                longArrayOf(1L shl 40),
                floatArrayOf(0.5f),
                doubleArrayOf(0.1, -0.25),
            )

        fun json(rank: Int) =
            """{"name":"rank $rank","isOn":[true,false],"bytes":[1,$rank],"shorts":[-2,300],"chars":[97],""" +
                """"ints":[-70000,$rank],"longs":[1099511627776],"floats":[0.5],"doubles":[0.1,-0.25]}"""
    }
}

private val GOLDEN = Path.of("src/test/resources/golden")

/** Cells of two frames; Python takes long for each of them. */
private const val LARGE = 140_000

/** Behind the meta data of two tasks, in blocks of 64 bytes, and a record's header. */
private const val FIRST_CELL = 1152 + 16

/** Restoring takes a lock, so it needs a copy. */
@OptIn(ExperimentalPathApi::class)
private fun copyOf(golden: String, to: Path): Path =
    GOLDEN.resolve(golden).copyToRecursively(to.apply { parent.createDirectories() }, followLinks = false)

private suspend fun writeGolden(to: Path) {
    to.createDirectories()
    val (small, types, dust) = listOf("small", "types", "dust").map { to.resolve("$it.cairn") }
    if (!small.exists()) ranks(3) { saveSmall(FileBlockStore(), 1L..2L, small) }
    if (!types.exists()) {
        ranks(4) {
            val state = TypedState(Sample.BOXES[rank], fill = Sample::cells)
            with(state) { open(types) }.use { it.save(42) }
        }
    }
    val village = to.resolve("village.cairn")
    if (!village.exists()) {
        ranks(2) {
            checkpoints(
                village,
                CheckpointOptions { blockSize = 64 },
            ) { GraphState(rank).declare(this) }.use { it.save(1) }
        }
    }
    val estate = to.resolve("estate.cairn")
    if (!estate.exists()) {
        ranks(2) {
            val state = RowsState(rank).also { it.advanceTo(1) }
            checkpoints(estate, CheckpointOptions { blockSize = 64 }) { state.declare(this) }.use { it.save(1) }
        }
    }
    val tuned = to.resolve("tuned.cairn")
    if (!tuned.exists()) ranks(2) { tuned(tuned, agents = 3_000).use { it.save(1) } }
    if (!dust.exists()) ranks(2) { saveDust(dust, to.resolve("energies.txt")) }
}

/** A program with a parameter of each type. */
private suspend fun Communicator.tuned(directory: Path, agents: Any) =
    checkpoints(directory, CheckpointOptions { blockSize = 64 }) {
        parameter("agents", agents)
        parameter("isOpen", true)
        parameter("byte", Byte.MIN_VALUE)
        parameter("short", Short.MAX_VALUE)
        parameter("long", Long.MIN_VALUE)
        parameter("float", 0.1f)
        parameter("double", -0.0)
        parameter("nan", Double.fromBits(0x7ff8000000000001))
        parameter("char", 'ä')
        parameter("text", "a \"model\"\n")
        parameter("constant", ElementType.DOUBLE)
        replicated("n", { 7L }, { it shouldBe 7L })
    }

private suspend fun Communicator.saveDust(directory: Path, energies: Path) {
    val state = DustState(rank, size, FileBlockStore(), energies).also { it.advanceTo(1) }
    checkpoints(directory, CheckpointOptions { blockSize = 64 }) { state.declare(this) }.use { it.save(1) }
}

private suspend fun Communicator.restoreDust(directory: Path, energies: Path): Restored? {
    val state = DustState(rank, size, FileBlockStore(), energies)
    val restored = checkpoints(directory, CheckpointOptions()) { state.declare(this) }.use { it.restore() }
    if (restored != null && !state.isThatOf(restored.step, restored.rankCount)) throw WrongState(restored)
    return restored
}

/** What [writers] ranks had at [step], with the private lists as CBOR: an array of indefinite length of two numbers. */
private fun requireSmall(found: PythonCheckpoint, step: Long, writers: Int) {
    found.number("step") shouldBe step
    found.number("rankCount") shouldBe writers
    found.list("u").map(String::toDouble) shouldBe (0 until 20L).map { step * 1000 + it * 0.5 + 1.0 / (it + 3) }
    found.text("time") shouldBe "fb%016x".format((step * 0.125).toRawBits())
    found.list("marks") shouldBe List(writers) { rank -> "9f%02x18%02xff".format(step, 100 + rank) }
}

/** What [writers] ranks had at [step] in a [DustState]: numbers below 256 as CBOR are 18 and the number. */
private fun requireDust(found: PythonCheckpoint, step: Long, writers: Int) {
    val ids = (0 until writers).flatMap { DustState.idsOf(it, writers) }
    found.column("dust", "id").map(String::toLong) shouldBe ids
    found.column("dust", "x").map(String::toDouble) shouldBe ids.map { DustState.xOf(it, step) }
    found.column("dust", "kind").map(String::toByte) shouldBe ids.map { DustState.kindOf(it, step) }
    val hits = (0 until writers).flatMap { DustState.hitsOf(it, step) }
    found.column("hits", "cell").map(String::toInt) shouldBe hits
    found.column("hits", "isSeen").map(String::toBooleanStrict) shouldBe hits.map { it % 3 == 0 }
    found.list("mass") shouldBe List(writers) { "18%02x".format(DustState.massOf(it, step)) }
    found.list("note") shouldBe List(writers) { hex(DustState.noteOf(it, step).encodeToByteArray()) }
    found.text("noise") shouldBe "%016x".format(java.lang.Long.reverseBytes(DustState.seedAt(step)))
    found.list("log") shouldBe List(writers) { hex(DustState.logOf(it, step)) }
    found.text("energies") shouldStartWith "%016x".format(java.lang.Long.reverseBytes("step 1\n".length * step))
}

/** What two ranks had in a [RowsState] at step 1. */
private fun requireEstate(found: PythonCheckpoint) {
    val numbers = listOf(0L, 7, 14, 21, 1000, 1007, 1014, 1021)
    val none = Long.MIN_VALUE
    found.column("tenants", "number").map(String::toLong) shouldBe numbers
    found.column("tenants", "class") shouldBe List(8) { if (it % 4 == 2) "miller" else "farmer" }
    found.column("tenants", "friend").map(String::toLong) shouldBe
        List(8) { if (it % 4 == 3) none else numbers[it + 1] }
    found.column("tenants", "farm").map(String::toLong) shouldBe List(8) { if (it % 4 == 2) none else it % 2L }
    found.column("tenants", "suppliers").map(String::toInt) shouldBe List(8) { if (it % 4 == 2) 3 else -1 }
    found.column("tenants.suppliers", "row").map(String::toLong) shouldBe numbers.filter { it % 1000 != 14L }
    found.column("farms", "crew").map(String::toInt) shouldBe List(4) { 3 }
    found.column("farms.crew", "row").map(String::toLong) shouldBe
        listOf(14L, 21, none, 14, 21, none, 1014, 1021, none, 1014, 1021, none)
    found.column("farms", "owner").map(String::toLong) shouldBe listOf(7L, 1007, 1007, 7)
    found.column("farms", "shed").map(String::toLong) shouldBe listOf(0L, 1, 0, 1)
    found.column("deeds", "price").map(String::toInt) shouldBe listOf(100, 100, 101, 100, 100, 101)
    found.column("deeds", "farm").map(String::toLong) shouldBe listOf(0L, 0, 1, 0, 0, 1)
    found.column("sheds", "size").map(String::toInt) shouldBe listOf(1, 2, 1, 1, 2, 1)
    found.column("sheds", "inner").map(String::toLong) shouldBe listOf(2L, none, none, 2, none, none)
}

private fun hex(bytes: ByteArray): String = HexFormat.of().formatHex(bytes)

private suspend fun Communicator.largeField(directory: Path) =
    checkpoints(directory, CheckpointOptions()) {
        val shape = Shape.of(LARGE.toLong())
        field("n", shape, ElementType.LONG) {
            for (box in Decomposition.rows(shape, size).boxes(rank)) {
                block(box, LongArray(box.cellCount().toInt()) { (box.start(0) + it) * 3 })
            }
        }
    }
