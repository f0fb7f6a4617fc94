package dev.cairn.sion.cursor

import dev.cairn.house.Campaign
import dev.cairn.sion.GlobalView
import dev.cairn.sion.fixture.BlockwiseMultifile
import dev.cairn.sion.store.Access
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainOnly
import io.kotest.matchers.shouldBe
import java.io.ByteArrayOutputStream
import java.nio.ByteBuffer
import java.util.concurrent.Callable
import java.util.concurrent.Executors
import kotlin.random.Random

/** Places in any geometry, and any calls, against a plain list of blocks. */
class ChunkCursorSpec :
    FunSpec({
        test("every place of any geometry is reached in every way, and none outside it") {
            val seed = Campaign.seed
            println("ChunkCursorSpec, places: seed $seed")
            val random = Random(seed)
            repeat(150) {
                val multifile = BlockwiseMultifile.atRandom(random)
                multifile.opened { view ->
                    multifile.tasks.forEachIndexed { task, blocks ->
                        withClue("seed $seed, geometry $it, task $task") {
                            compareAllPlaces(ChunkCursor.over(view.task(task)), blocks.map { it.size })
                        }
                    }
                }
            }
        }

        test("any row of calls on several cursors does what a list of blocks says") {
            val seed = Campaign.seed
            println("ChunkCursorSpec, calls: seed $seed")
            val random = Random(seed)
            repeat(100) {
                val multifile = BlockwiseMultifile.atRandom(random)
                multifile.opened { view ->
                    withClue("seed $seed, geometry $it") { compareCalls(view, multifile, random) }
                }
            }
        }

        test("C's loop over a task reads its stream, in which an empty block is one turn without bytes") {
            val multifile = BlockwiseMultifile.ofLengths(listOf(listOf(5, 0, 0, 7, 0)), fileCount = 1)
            multifile.opened { view ->
                val cursor = ChunkCursor.over(view.task(0))
                val turns = mutableListOf<ByteArray>()
                while (cursor.advance()) {
                    val turn = ByteBuffer.allocate(cursor.bytesLeft().toInt())
                    cursor.read(turn)
                    turns += turn.array()
                }
                turns.map { it.size } shouldBe listOf(5, 0, 0, 7, 0)
                turns.reduce(ByteArray::plus) shouldBe multifile.stream(0)
            }
        }

        test("a cursor knows its place in the physical file") {
            val multifile =
                BlockwiseMultifile.ofLengths(
                    listOf(listOf(0), listOf(2, 4), listOf(5, 0, 7, 0)),
                    fileCount = 2,
                )
            multifile.opened { view ->
                val cursor = ChunkCursor.over(view.task(2))
                cursor.seek(2, 3)
                cursor.offset() shouldBe multifile.slots[2].start() + 2 * multifile.slots[2].stride() + 3
                cursor.task().file().toString() shouldBe "/blocks.sion.000001"
                multifile.store.open(cursor.task().file(), Access.READ).use { file ->
                    val byte = ByteBuffer.allocate(1)
                    file.readFully(cursor.offset(), byte)
                    byte.get(0) shouldBe multifile.tasks[2][2][3]
                }
            }
        }

        test("what is not there is said in a sentence") {
            BlockwiseMultifile.ofLengths(listOf(listOf(5, 7)), fileCount = 1).opened { view ->
                val cursor = ChunkCursor.over(view.task(0))
                mapOf(
                    { cursor.seek(2, 0) } to "/blocks.sion: task 0 has blocks 0 to 1, but block 2 was asked for.",
                    { cursor.seek(1, 8) } to
                        "/blocks.sion: block 1 of task 0 has positions 0 to 7, but position 8 was asked for.",
                    { cursor.seekAbsolute(13) } to
                        "/blocks.sion: the stream of task 0 has positions 0 to 12, but position 13 was asked for.",
                    { cursor.seekFromEnd(13) } to
                        "/blocks.sion: the stream of task 0 has 12 bytes, so none lies 13 before its end.",
                ).forEach { (seek, sentence) ->
                    shouldThrow<IllegalArgumentException> { seek() }.message shouldBe sentence
                }
            }
        }

        test("cursors on one open view are independent, on one thread and on several") {
            val multifile = BlockwiseMultifile.ofLengths(List(4) { task -> List(20) { (it * 7 + task) % 9 } }, 2)
            val pool = Executors.newFixedThreadPool(4)
            try {
                multifile.opened { view ->
                    val shared = view.task(3)
                    val readers =
                        List(32) { number ->
                            Callable {
                                val task = number % 4
                                val cursor =
                                    if (task ==
                                        3
                                    ) {
                                        ChunkCursor.over(shared)
                                    } else {
                                        MultifileReader.of(view).task(task)
                                    }
                                cursor.readAll(1 + number % 5).contentEquals(multifile.stream(task))
                            }
                        }
                    pool.invokeAll(readers).map { it.get() } shouldContainOnly listOf(true)
                }
            } finally {
                pool.shutdown()
            }
        }
    })

private fun compareAllPlaces(cursor: ChunkCursor, blocks: List<Int>) {
    for (block in -1..blocks.size) {
        for (position in -1L..9L) {
            cursor.seeks(inBlock(blocks, block, position), blocks) { seek(block, position) }
        }
    }
    for (position in -1L..blocks.sum() + 1L) {
        cursor.seeks(absolute(blocks, position), blocks) { seekAbsolute(position) }
        cursor.seeks(fromEnd(blocks, position), blocks) { seekFromEnd(position) }
    }
    listOf(Long.MIN_VALUE, Long.MAX_VALUE).forEach { position ->
        cursor.seeks(null, blocks) { seek(0, position) }
        cursor.seeks(null, blocks) { seekAbsolute(position) }
        cursor.seeks(null, blocks) { seekFromEnd(position) }
    }
}

/** Seeks, and looks at everything that a cursor says of its place; a seek to nowhere changes nothing. */
private fun ChunkCursor.seeks(expected: ChunkPlace?, blocks: List<Int>, seek: ChunkCursor.() -> Unit) {
    val before = place()
    if (expected == null) shouldThrow<IllegalArgumentException> { seek() } else seek()
    val place = expected ?: before
    place() shouldBe place
    position() shouldBe blocks.take(place.block).sum() + place.position
    bytesLeft() shouldBe blocks[place.block] - place.position
}

private fun compareCalls(view: GlobalView, multifile: BlockwiseMultifile, random: Random) {
    val readers = List(2) { MultifileReader.of(view) }
    val models = readers.map { multifile.tasks.map(::CursorModel) }
    repeat(150) {
        val reader = random.nextInt(readers.size)
        val task = random.nextInt(multifile.tasks.size)
        val cursor = readers[reader].task(task)
        val model = models[reader][task]
        compareCall(cursor, model, multifile.tasks[task].map { it.size }, random)
        cursor.place() shouldBe model.place
    }
}

private fun compareCall(cursor: ChunkCursor, model: CursorModel, blocks: List<Int>, random: Random) {
    when (random.nextInt(5)) {
        0 -> {
            cursor.advance() shouldBe model.advance()
        }

        1 -> {
            val position = random.nextLong(-1, blocks.sum() + 2L)
            val place = absolute(blocks, position)
            cursor.seeks(place, blocks) { seekAbsolute(position) }
            model.place = place ?: model.place
        }

        else -> {
            val target = ByteBuffer.allocate(random.nextInt(10))
            val expected = model.read(target.capacity())
            cursor.read(target) shouldBe (expected?.size ?: -1)
            target.limit() shouldBe target.capacity()
            target.array().copyOf(target.position()) shouldBe (expected ?: ByteArray(0))
        }
    }
}

private fun ChunkCursor.readAll(pieceSize: Int): ByteArray {
    val all = ByteArrayOutputStream()
    val piece = ByteBuffer.allocate(pieceSize)
    while (read(piece.clear()) >= 0) all.write(piece.array(), 0, piece.position())
    return all.toByteArray()
}
