package dev.cairn.redistribution

import dev.cairn.sion.store.withRandom
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeIn
import io.kotest.matchers.shouldBe

class RowSharesSpec :
    FunSpec({
        test("shares are consecutive, and tell where their rows are stored") {
            val shares = RowShares.of(longArrayOf(4, 0, 3), 3)
            List(3, shares::stored) shouldBe
                listOf(
                    listOf(StoredRows(0, 0, 3, 0)),
                    listOf(StoredRows(0, 3, 1, 3), StoredRows(2, 0, 1, 4)),
                    listOf(StoredRows(2, 1, 2, 5)),
                )
            List(3, shares::rowCount) shouldBe listOf(3L, 2L, 2L)
        }

        test("where there are no rows, nobody gets any") {
            RowShares.of(longArrayOf(), 2).stored(1) shouldBe emptyList()
            RowShares.of(longArrayOf(0, 0), 3).stored(0) shouldBe emptyList()
            RowShares.of(longArrayOf(0, 1), 3).rowCount(2) shouldBe 0
        }

        test("every row goes to one rank, in order, and shares differ by one row at most") {
            withRandom { random ->
                repeat(1000) {
                    val counts = LongArray(random.nextInt(1, 20)) { maxOf(0, random.nextLong(-3, 9)) }
                    val rankCount = random.nextInt(1, 25)
                    val shares = RowShares.of(counts, rankCount)
                    val rows =
                        List(rankCount, shares::stored).flatten().flatMap { stored ->
                            (0 until stored.count).map {
                                Triple(
                                    stored.globalFirst + it,
                                    stored.writer,
                                    stored.first + it,
                                )
                            }
                        }
                    val all = counts.flatMapIndexed { writer, count -> (0 until count).map { writer to it } }
                    rows shouldBe all.mapIndexed { number, (writer, row) -> Triple(number.toLong(), writer, row) }
                    repeat(rankCount) { rank ->
                        val count = shares.stored(rank).sumOf { it.count }
                        shares.rowCount(rank) shouldBe count
                        count shouldBeIn
                            listOf(all.size / rankCount.toLong(), (all.size + rankCount - 1) / rankCount.toLong())
                    }
                }
            }
        }

        test("a writer with less than no rows is refused") {
            shouldThrow<IllegalArgumentException> { RowShares.of(longArrayOf(5, -1), 2) }.message shouldBe
                "writer 1 cannot have -1 rows."
        }
    })
