package dev.cairn

import dev.cairn.event.CheckpointEvent.Restored
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.shouldBeFor
import dev.cairn.grid.Box
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.DataFiles
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.ElementType
import dev.cairn.state.PerRankRule
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.longs.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import kotlinx.serialization.Serializable
import java.nio.file.Path

/** Saving on some ranks and restoring on others. Expected values are formulas over global indices. */
class CheckpointsSpec :
    FunSpec({
        val directory = tempdir().toPath()
        val shape = Shape.of(37, 23)

        suspend fun Communicator.heat(name: String, boxes: List<Box>, fill: (Long) -> Double) =
            Heat(shape, boxes, fill).also { heat ->
                heat.checkpoints =
                    checkpoints(directory.resolve(name), CheckpointOptions { blockSize = 512 }) {
                        field("u", shape, ElementType.DOUBLE) {
                            boxes.forEachIndexed { at, box -> block(box, heat.arrays[at]) }
                        }
                        replicated("time", { heat.time }, { heat.time = it })
                    }
            }

        for ((writers, readers) in listOf(1 to 1, 4 to 4, 8 to 3, 3 to 8, 7 to 1, 1 to 7, 5 to 50, 50 to 5)) {
            test("a field and a value saved by $writers ranks come back on $readers, from rows to blocks") {
                val name = "n$writers-$readers"
                ranks(writers) {
                    heat(
                        name,
                        Decomposition.rows(shape, size).boxes(rank),
                        ::cell,
                    ).checkpoints.use { it.save(step = 17) }
                }
                ranks(readers) {
                    val heat = heat(name, Decomposition.blocks(shape, size).boxes(rank)) { -1.0 }
                    heat.checkpoints.use { it.restore() } shouldBe Restored(1, 17, writers)
                    heat.requireCells(::cell)
                    heat.time shouldBe 2.5
                }
            }
        }

        test("what is closed neither saves nor restores") {
            ranks(2) {
                val closed = heat("closed", Decomposition.rows(shape, size).boxes(rank), ::cell).checkpoints
                closed.save(1)
                closed.close()
                val uses: List<suspend () -> Any?> =
                    listOf({ closed.save(2) }, { closed.trySave(2) }, { closed.restore() }, { closed.restore(1) })
                for (use in uses) {
                    shouldThrow<IllegalStateException> { use() }.message shouldBe
                        "the checkpoints in ${directory.resolve(
                            "closed",
                        )} are closed: save and restore before close, " +
                        "or open them again"
                }
            }
        }

        test("without a checkpoint there is nothing to restore, and the state stays as it is") {
            ranks(3) {
                val heat = heat("none", Decomposition.rows(shape, size).boxes(rank), ::cell)
                heat.checkpoints.use { it.restore() } shouldBe null
                heat.requireCells(::cell)
            }
        }

        test("the newest of several is restored, and only two stay") {
            ranks(2) {
                val heat = heat("newest", Decomposition.rows(shape, size).boxes(rank), ::cell)
                heat.checkpoints.use { checkpoints ->
                    repeat(4) { checkpoints.save(it.toLong()).number shouldBe it + 1 }
                }
            }
            ranks(3) {
                val heat = heat("newest", Decomposition.rows(shape, size).boxes(rank)) { 0.0 }
                heat.checkpoints.use { it.restore() } shouldBe Restored(4, 3, 2)
            }
            FileBlockStore().list(directory.resolve("newest")).map { "${it.fileName}" }.filter {
                it.toIntOrNull() !=
                    null
            } shouldBe
                listOf("000003", "000004")
        }

        test("every frame that is needed is read once, also from rows to columns") {
            val large = Shape.of(1024, 4096)
            val store = ReadBytes(FileBlockStore())

            suspend fun Communicator.open(boxes: List<Box>, array: DoubleArray) =
                checkpoints(directory.resolve("frames"), files = store) {
                    field("u", large, ElementType.DOUBLE) { boxes.forEach { block(it, array) } }
                }
            ranks(4) {
                val box = Decomposition.rows(large, size).boxes(rank).single()
                val array = DoubleArray(box.cellCount().toInt()) { cell(large.index(*box.cell(it.toLong()))) }
                open(listOf(box), array).use { it.save(1) }
            }
            store.byteCount.set(0)
            ranks(5) {
                val box = Decomposition.grid(large, 1, size).boxes(rank).single()
                val array = DoubleArray(box.cellCount().toInt())
                open(listOf(box), array).use { it.restore() }
                for (index in array.indices) check(array[index] == cell(large.index(*box.cell(index.toLong()))))
            }
            store.byteCount.get() shouldBeLessThanOrEqual (large.cellCount() * 8 * 105 / 100)
        }

        test("values of each rank's own follow their rule") {
            suspend fun Communicator.counter(
                rule: PerRankRule<Counter>,
                name: String = "counter",
            ): Pair<() -> Counter, Checkpoints> {
                var counter = Counter(rank * 10L, "rank $rank")
                val checkpoints =
                    checkpoints(directory.resolve(name)) { perRank("counter", { counter }, { counter = it }, rule) }
                return { counter } to checkpoints
            }
            ranks(5) { counter(PerRankRule.Refuse()).second.use { it.save(1) } }
            ranks(5) {
                val (value, checkpoints) = counter(PerRankRule.Refuse())
                checkpoints.use { it.restore() }
                value() shouldBe Counter(rank * 10L, "rank $rank")
            }
            ranks(2) {
                val (value, checkpoints) =
                    counter(PerRankRule.Merge { all -> Counter(all.sumOf { it.count }, all.joinToString { it.text }) })
                checkpoints.use { it.restore() }
                value() shouldBe if (rank == 0) Counter(10, "rank 0, rank 1") else Counter(90, "rank 2, rank 3, rank 4")
            }
            ranks(3) {
                val (_, checkpoints) = counter(PerRankRule.Refuse())
                val failure = shouldThrow<CheckpointException> { checkpoints.use { it.restore() } }
                failure.cause!!.message shouldBe
                    "'counter' is private to each rank, was saved by 5 ranks and has no rule for 3. " +
                    "Declare it with PerRankRule.Merge or PerRankRule.Drop, or restart on 5 ranks."
            }
        }

        test("a replicated value that differs is found, and nothing is saved") {
            ranks(3) {
                var time = if (rank == 1) 1.0 else 2.0
                val open = checkpoints(directory.resolve("differs")) { replicated("time", { time }, { time = it }) }
                open.use { checkpoints ->
                    val failure = shouldThrow<CheckpointException> { checkpoints.save(1) }
                    failure.message shouldContain "but rank 1 and rank 0 do not. Nothing was saved"
                    checkpoints.restore() shouldBe null
                    time = 3.0
                    checkpoints.save(2).number shouldBe 2
                }
            }
        }

        test("blocks that do not tile the field, and declarations that differ, are refused on all ranks") {
            ranks(3) {
                val gap =
                    shouldThrow<CheckpointException> {
                        checkpoints(directory.resolve("gap")) {
                            field("u", Shape.of(3), ElementType.INT) {
                                if (rank !=
                                    1
                                ) {
                                    block(Shape.of(1).at(rank.toLong()), IntArray(1))
                                }
                            }
                        }
                    }
                gap.cause.shouldBeInstanceOf<CheckpointException.InvalidDeclaration>()
                shouldThrow<CheckpointException.InvalidDeclaration> {
                    checkpoints(directory.resolve("gap")) { replicated(if (rank == 2) "b" else "a", { 1 }, {}) }
                }
            }
        }

        test("items are added, renamed and removed, and nothing is dropped in silence") {
            var kept = 5
            ranks(1) {
                checkpoints(directory.resolve("schema")) {
                    replicated("old", { kept }, { kept = it })
                    replicated("gone", { 6 }, {})
                }.use { it.save(1) }
            }
            var renamed = 0
            var added = 7
            ranks(1) {
                checkpoints(directory.resolve("schema")) {
                    replicated("added", { added }, { added = it })
                    replicated("new", { renamed }, { renamed = it }, formerly = listOf("old"))
                    removed("gone")
                }.use { it.restore() }
                shouldThrow<CheckpointException> {
                    checkpoints(directory.resolve("schema")) {
                        replicated("new", { renamed }, { renamed = it }, formerly = listOf("old"))
                    }.use { it.restore() }
                }.cause!!.message shouldContain
                    "save 1 holds the replicated 'gone', which the program does not declare."
            }
            renamed shouldBe 5
            added shouldBe 7
        }

        test("two stored items of which one declared item has the names are refused: the data of one would be lost") {
            ranks(1) {
                checkpoints(directory.resolve("two")) {
                    replicated("u", { 5 }, { })
                    replicated("v", { 6 }, { })
                }.use { it.save(1) }
            }
            var restored = 0
            ranks(1) {
                shouldThrow<CheckpointException.Mismatch> {
                    checkpoints(directory.resolve("two")) {
                        replicated("w", { restored }, { restored = it }, formerly = listOf("u", "v"))
                    }.use { it.restore() }
                }.cause!!.message shouldContain
                    "save 1 holds 'u' and 'v', which are all names of 'w', of today or former ones"
            }
            restored shouldBe 0
        }

        test("a damaged checkpoint is passed over for the next older one, and if all are damaged, that is said") {
            val path = directory.resolve("damaged")

            suspend fun Communicator.open() = heat("damaged", Decomposition.rows(shape, size).boxes(rank), ::cell)
            ranks(2) { open().checkpoints.use { checkpoints -> repeat(2) { checkpoints.save(it.toLong()) } } }
            damage(path.resolve("000002/data.sion"), cell(5))
            ranks(3) { open().checkpoints.use { it.restore() } shouldBe Restored(1, 0, 2) }
            damage(path.resolve("000001/data.sion"), cell(5))
            ranks(3) {
                val failure = shouldThrow<CheckpointException> { open().checkpoints.use { it.restore() } }
                failure.cause
                    .shouldBeFor<CheckpointException.Damaged>(Reason.NONE_GOOD)
                    .flaws.size shouldBe 2
            }
        }

        test("after a damaged checkpoint no older one is restored that would leave state of two steps") {
            val path = directory.resolve("two-steps")
            var early = 1L
            var late = 2.0
            ranks(1) { checkpoints(path) { replicated("early", { early }, { early = it }) }.use { it.save(1) } }

            suspend fun Communicator.open() =
                checkpoints(path) {
                    replicated("late", { late }, { late = it })
                    field("u", Shape.of(1), ElementType.DOUBLE) { block(Shape.of(1).box(), doubleArrayOf(cell(5))) }
                    replicated("early", { early }, { early = it })
                }
            ranks(1) {
                open().use {
                    it.restore()
                    it.save(2)
                }
            }
            damage(path.resolve("000002/data.sion"), cell(5))
            ranks(1) {
                shouldThrow<CheckpointException> { open().use { it.restore() } }.cause!!.message shouldBe
                    "$path: save 2 turned out damaged after 'late' may have been restored from it, and a restore " +
                    "of save 1 would not replace it. Delete save 2 with 'cairn rm $path 2', and start again."
            }
        }

        test("fewer ranks than files have one file each") {
            val options = CheckpointOptions { files = DataFiles.count(3) }
            ranks(2) {
                var time = 1.0
                checkpoints(directory.resolve("files"), options) { replicated("time", { time }, { time = it }) }.use {
                    it.save(1)
                }
            }
            FileBlockStore().list(directory.resolve("files/000001")).map { "${it.fileName}" } shouldBe
                listOf("data.sion", "data.sion.000001", "manifest.json")
        }

        test("a second program is kept out while the first one lives") {
            ranks(1) {
                checkpoints(directory.resolve("lock")) {}.use {
                    val failure = shouldThrow<CheckpointException> { checkpoints(directory.resolve("lock")) {} }
                    failure.cause.shouldBeInstanceOf<CheckpointException.InUse>()
                }
                checkpoints(directory.resolve("lock")) {}.close()
            }
        }

        test("thousands of ranks save and restore in a simulated store") {
            val disk = SimulatedDisk()
            val many = Shape.of(4096)

            suspend fun Communicator.open(array: LongArray) =
                checkpoints(Path.of("many"), files = disk.host(host)) {
                    field("n", many, ElementType.LONG) {
                        Decomposition.rows(many, size).boxes(rank).forEach { block(it, array) }
                    }
                }
            ranks(RankPlan(1000)) { open(LongArray(ownCount(4096)) { firstOwn(4096) + it }).use { it.save(1) } }
            ranks(RankPlan(7)) {
                val array = LongArray(ownCount(4096))
                open(array).use { it.restore() }
                array shouldBe LongArray(array.size) { firstOwn(4096) + it }
            }
        }
    })

@Serializable
private data class Counter(val count: Long, val text: String)

private class Heat(private val shape: Shape, private val boxes: List<Box>, fill: (Long) -> Double) {
    val arrays = boxes.map { box -> DoubleArray(box.cellCount().toInt()) { fill(shape.index(*box.cell(it.toLong()))) } }
    var time = 2.5
    lateinit var checkpoints: Checkpoints

    fun requireCells(expected: (Long) -> Double) {
        for ((box, array) in boxes.zip(arrays)) {
            array.toList() shouldBe array.indices.map { expected(shape.index(*box.cell(it.toLong()))) }
        }
    }
}

private fun cell(index: Long) = index * 0.5 + 1.0 / (index + 3)

private fun Communicator.ownCount(cells: Long) =
    Decomposition
        .rows(Shape.of(cells), size)
        .boxes(rank)
        .sumOf {
            it.cellCount()
        }.toInt()

private fun Communicator.firstOwn(cells: Long) =
    Decomposition
        .rows(Shape.of(cells), size)
        .boxes(rank)
        .firstOrNull()
        ?.start(0) ?: 0

/** Changes the first place where [value] stands in [file]. */
private fun damage(file: Path, value: Double) {
    val bytes =
        java.nio.file.Files
            .readAllBytes(file)
    val wanted =
        java.nio.ByteBuffer
            .allocate(8)
            .order(java.nio.ByteOrder.LITTLE_ENDIAN)
            .putDouble(value)
            .array()
    val at = (0..bytes.size - 8).first { start -> wanted.indices.all { bytes[start + it] == wanted[it] } }
    bytes[at] = (bytes[at].toInt() xor 1).toByte()
    java.nio.file.Files
        .write(file, bytes)
}
