package dev.cairn.sion.zstd

import dev.cairn.house.JDK_DEPENDENT
import dev.cairn.sion.cursor.ChunkCursor
import dev.cairn.sion.cursor.ChunkPlace
import dev.cairn.sion.cursor.MultifileReader
import dev.cairn.sion.cursor.place
import dev.cairn.sion.fixture.BlockwiseMultifile
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

/** C's sion_seek, row by row, in the global view of two physical files; the places were worked out by hand. */
@Tags(JDK_DEPENDENT)
class SeekTableSpec :
    FunSpec({
        val multifile = BlockwiseMultifile.ofLengths(TABLE_LENGTHS, fileCount = 2)
        SEEK_TABLE.forEach { row ->
            test("seek(${row.call}) goes to ${row.place ?: "nowhere: it is refused, and nothing moves"}") {
                multifile.opened { view ->
                    val handle = CHandle(MultifileReader.of(view))
                    handle.seek(TASK, 2, 3)
                    handle.seek(OTHER, 0, 1)
                    handle.seek(TASK, CURRENT_BLK, CURRENT_POS)
                    val before = List(3) { handle.place(it) }
                    if (row.place == null) {
                        shouldThrow<IllegalArgumentException> { row.seek(handle) }
                        List(3) { handle.place(it) } shouldBe before
                        handle.rank shouldBe TASK
                    } else {
                        row.seek(handle)
                        handle.place(handle.rank) shouldBe row.place
                        handle.rank shouldBe row.rank
                    }
                }
            }
        }
    })

private val TABLE_LENGTHS = listOf(listOf(0), listOf(2, 4), listOf(5, 0, 7, 0))
private const val NOTHING = 0
private const val OTHER = 1
private const val TASK = 2

private const val CURRENT_RANK = -101
private const val CURRENT_BLK = -102
private const val CURRENT_CHUNK = -102
private const val CURRENT_BLOCK = -102
private const val CURRENT_POS = -103L
private const val ABSOLUTE_POS = -104
private const val END_POS = -105

/** C's call, its arguments and all, in the words of a reader: what docs/how-to/sionlib.md says of each constant. */
private class CHandle(private val reader: MultifileReader) {
    var rank = 0
        private set

    fun seek(rank: Int, block: Int, position: Long) {
        val wanted = if (rank == CURRENT_RANK) this.rank else rank
        val cursor = reader.task(wanted)
        when (block) {
            ABSOLUTE_POS -> {
                cursor.seekAbsolute(position)
            }

            END_POS -> {
                cursor.seekFromEnd(-position)
            }

            else -> {
                cursor.seek(
                    block.orCurrent(cursor),
                    if (position ==
                        CURRENT_POS
                    ) {
                        cursor.positionInBlock()
                    } else {
                        position
                    },
                )
            }
        }
        this.rank = wanted
    }

    private fun Int.orCurrent(cursor: ChunkCursor) = if (this == CURRENT_BLK) cursor.block() else this

    fun place(rank: Int) = reader.task(rank).place()
}

/** A row; without a [place] it is refused. Before it, TASK stands at (2, 3) and is current, OTHER at (0, 1). */
private class SeekRow(val call: String, val place: ChunkPlace?, val rank: Int, val seek: (CHandle) -> Unit)

private val SEEK_TABLE: List<SeekRow> =
    buildList {
        fun row(call: String, place: ChunkPlace?, arguments: Triple<Int, Int, Long>) =
            add(
                SeekRow(call, place, if (arguments.first == CURRENT_RANK) TASK else arguments.first) {
                    it.seek(arguments.first, arguments.second, arguments.third)
                },
            )

        fun current(alias: String, block: Int, position: Long, place: ChunkPlace?) =
            row("CURRENT_RANK, $alias, $position", place, Triple(CURRENT_RANK, block, position))

        row("TASK, CURRENT_BLK, CURRENT_POS", ChunkPlace(2, 3), Triple(TASK, CURRENT_BLK, CURRENT_POS))
        row("CURRENT_RANK, CURRENT_BLK, CURRENT_POS", ChunkPlace(2, 3), Triple(CURRENT_RANK, CURRENT_BLK, CURRENT_POS))
        row(
            "CURRENT_RANK, CURRENT_CHUNK, CURRENT_POS",
            ChunkPlace(2, 3),
            Triple(CURRENT_RANK, CURRENT_CHUNK, CURRENT_POS),
        )
        row(
            "CURRENT_RANK, CURRENT_BLOCK, CURRENT_POS",
            ChunkPlace(2, 3),
            Triple(CURRENT_RANK, CURRENT_BLOCK, CURRENT_POS),
        )
        row("OTHER, CURRENT_BLK, CURRENT_POS", ChunkPlace(0, 1), Triple(OTHER, CURRENT_BLK, CURRENT_POS))
        row("NOTHING, CURRENT_BLK, CURRENT_POS", ChunkPlace(0, 0), Triple(NOTHING, CURRENT_BLK, CURRENT_POS))
        row("3, CURRENT_BLK, CURRENT_POS", null, Triple(3, CURRENT_BLK, CURRENT_POS))
        row("-1, CURRENT_BLK, CURRENT_POS", null, Triple(-1, CURRENT_BLK, CURRENT_POS))

        mapOf(0L to ChunkPlace(2, 0), 7L to ChunkPlace(2, 7), 8L to null, -1L to null).forEach { (position, place) ->
            current("CURRENT_BLK", CURRENT_BLK, position, place)
        }
        row("CURRENT_RANK, 0, CURRENT_POS", ChunkPlace(0, 3), Triple(CURRENT_RANK, 0, CURRENT_POS))
        row("CURRENT_RANK, 1, CURRENT_POS", null, Triple(CURRENT_RANK, 1, CURRENT_POS))
        row("OTHER, CURRENT_BLK, 2", ChunkPlace(0, 2), Triple(OTHER, CURRENT_BLK, 2))
        row("OTHER, CURRENT_BLK, 3", null, Triple(OTHER, CURRENT_BLK, 3))
        row("OTHER, 1, 4", ChunkPlace(1, 4), Triple(OTHER, 1, 4))
        row("OTHER, 1, 5", null, Triple(OTHER, 1, 5))
        row("OTHER, 2, 0", null, Triple(OTHER, 2, 0))

        listOf(0 to 0L, 0 to 5L, 1 to 0L, 2 to 7L, 3 to 0L).forEach { (block, position) ->
            current("$block", block, position, ChunkPlace(block, position))
        }
        listOf(-1 to 0L, 4 to 0L, 0 to 6L, 1 to 1L, 3 to 1L).forEach { (block, position) ->
            current("$block", block, position, null)
        }

        mapOf(
            0L to ChunkPlace(0, 0),
            4L to ChunkPlace(0, 4),
            5L to ChunkPlace(0, 5),
            6L to ChunkPlace(2, 1),
            12L to ChunkPlace(2, 7),
            13L to null,
            -1L to null,
        ).forEach { (position, place) -> current("ABSOLUTE_POS", ABSOLUTE_POS, position, place) }
        row("OTHER, ABSOLUTE_POS, 6", ChunkPlace(1, 4), Triple(OTHER, ABSOLUTE_POS, 6))
        row("OTHER, ABSOLUTE_POS, 7", null, Triple(OTHER, ABSOLUTE_POS, 7))
        row("NOTHING, ABSOLUTE_POS, 0", ChunkPlace(0, 0), Triple(NOTHING, ABSOLUTE_POS, 0))

        mapOf(
            0L to ChunkPlace(3, 0),
            -1L to ChunkPlace(2, 6),
            -7L to ChunkPlace(2, 0),
            -8L to ChunkPlace(0, 4),
            -12L to ChunkPlace(0, 0),
            -13L to null,
            1L to null,
        ).forEach { (position, place) -> current("END_POS", END_POS, position, place) }
        row("OTHER, END_POS, 0", ChunkPlace(1, 4), Triple(OTHER, END_POS, 0))
        row("OTHER, END_POS, -4", ChunkPlace(1, 0), Triple(OTHER, END_POS, -4))
        row("OTHER, END_POS, -7", null, Triple(OTHER, END_POS, -7))
        row("NOTHING, END_POS, 0", ChunkPlace(0, 0), Triple(NOTHING, END_POS, 0))
    }
