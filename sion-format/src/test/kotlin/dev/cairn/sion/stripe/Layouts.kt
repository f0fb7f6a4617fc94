package dev.cairn.sion.stripe

import kotlin.random.Random

/** Where a byte of the logical file lies. */
data class Spot(val subFile: Int, val local: Long)

/** A run as a layout hands it over. */
data class Piece(val offset: Long, val length: Long, val subFile: Int, val local: Long) {
    fun spots(): List<Pair<Long, Spot>> = List(length.toInt()) { (offset + it) to Spot(subFile, local + it) }
}

fun SubFileLayout.pieces(offset: Long, length: Long): List<Piece> =
    buildList {
        forEachRun(offset, length) { subFile, local, from, size -> add(Piece(from, size, subFile, local)) }
    }

fun SubFileLayout.piecesOf(subFile: Int, local: Long, length: Long): List<Piece> =
    buildList {
        forEachRunOf(subFile, local, length) { number, at, from, size -> add(Piece(from, size, number, at)) }
    }

fun SubFileLayout.locals(offset: Long, length: Long): List<Triple<Int, Long, Long>> =
    buildList {
        forEachLocal(offset, length) { subFile, local, size -> add(Triple(subFile, local, size)) }
    }

/** Disjoint extents in ascending order, some of them neighbours. */
fun Random.extents(below: Long): List<Extent> {
    val borders = List(2 * nextInt(1, 12)) { nextLong(below) }.distinct().sorted()
    return borders
        .chunked(2)
        .filter { it.size == 2 }
        .map { (from, to) -> Extent(from, if (nextInt(4) == 0) 0 else to - from) }
}

/**
 * A layout is right when each byte of a file of [length] bytes has the place that [expected] gives it, in every way
 * in which the layout can be asked.
 */
fun checkLayout(layout: SubFileLayout, length: Long, random: Random, expected: (Long) -> Spot) {
    val from = random.nextLong(length + 1)
    val size = random.nextLong(length - from + 1)
    val wanted = (from until from + size).map { it to expected(it) }

    val pieces = layout.pieces(from, size)
    check(pieces.flatMap(Piece::spots) == wanted) { "$pieces are not $wanted" }
    val locals =
        layout.locals(from, size).flatMap { (sub, local, count) ->
            List(count.toInt()) { Spot(sub, local + it) }
        }
    check(locals.sortedWith(spotOrder) == wanted.map { it.second }.sortedWith(spotOrder)) { "$locals are not $wanted" }
    wanted.forEach { (offset, spot) ->
        check(layout.logicalOffsetOf(spot.subFile, spot.local) == offset) { "the inverse of $spot is not $offset" }
    }

    val all = (0 until length).map { it to expected(it) }
    val lengths =
        LongArray(layout.subFileCount()) { sub ->
            all.filter { it.second.subFile == sub }.maxOfOrNull { it.second.local + 1 } ?: 0
        }
    lengths.forEachIndexed { sub, expectedLength ->
        check(layout.lengthOf(sub, length) == expectedLength) {
            "sub-file $sub of a file of $length should have $expectedLength, not ${layout.lengthOf(sub, length)}"
        }
        // Before its last byte a sub-file can hold pages that lie behind the end of the logical file.
        val inverse = layout.piecesOf(sub, 0, expectedLength).flatMap(Piece::spots).filter { it.first < length }
        check(inverse == all.filter { it.second.subFile == sub }.sortedBy { it.second.local }) {
            "sub-file $sub does not consist of $inverse"
        }
    }
    val end =
        when (layout) {
            is Striping -> layout.logicalLength(*lengths)
            else -> length
        }
    check(end == length) { "the end should be $length, not $end" }
}

private val spotOrder = compareBy(Spot::subFile, Spot::local)
