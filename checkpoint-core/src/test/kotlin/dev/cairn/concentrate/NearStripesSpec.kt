package dev.cairn.concentrate

import dev.cairn.grid.Box
import dev.cairn.grid.Shape
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.ranks
import dev.cairn.redistribution.Cells
import dev.cairn.sion.stripe.SubFileLayout
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.shouldBe
import java.nio.ByteBuffer
import java.util.concurrent.atomic.AtomicLong

class NearStripesSpec :
    FunSpec({
        val rows = Shape.of(8, 512)

        test("a stripe that one rank has alone goes to the concentrator of its host") {
            ranks(ON_TWO_HOSTS) {
                val layout = near(rows, rowsOf(rank), depth = 4096).layout
                List(8) { layout.subFileOfStripe(it) } shouldContainExactly listOf(0, 0, 1, 1, 0, 0, 1, 1)
            }
        }

        test("a stripe that nobody has goes where there are the fewest") {
            ranks(ON_TWO_HOSTS) {
                val box = if (rank == 0) Box.of(longArrayOf(0, 0), longArrayOf(3, 512)) else NONE
                val layout = near(rows, box, depth = 4096).layout
                List(8) { layout.subFileOfStripe(it) } shouldContainExactly listOf(0, 0, 0, 1, 1, 1, 0, 1)
            }
        }

        test(
            "cells of ranks that have whole stripes do not leave their hosts, as they do where stripes are taken in turn",
        ) {
            bytesBetweenHosts(Concentrators.perHost(1).near()) shouldBeLessThan 4096
            bytesBetweenHosts(Concentrators.perHost(1)) shouldBeGreaterThan 8192
        }

        test("a stripe of an array that ends within it is as long as what it holds") {
            ranks(ON_TWO_HOSTS) {
                val shape = Shape.of(1030)
                val layout =
                    near(
                        shape,
                        Box.of(
                            longArrayOf(258L * rank),
                            longArrayOf(
                                if (rank ==
                                    3
                                ) {
                                    256
                                } else {
                                    258
                                },
                            ),
                        ),
                        4096,
                    ).layout
                (0 until layout.subFileCount()).sumOf { layout.lengthOf(it, 8 * 1030) } shouldBe 8 * 1030
            }
        }
    })

/** Ranks 0 and 2 on one host, ranks 1 and 3 on the other. */
private val ON_TWO_HOSTS = RankPlan(4).withHosts { "host${it % 2}" }

private val NONE = Box.of(longArrayOf(0, 0), longArrayOf(0, 0))

private fun rowsOf(rank: Int) = Box.of(longArrayOf(2L * rank, 0), longArrayOf(2, 512))

private fun SubFileLayout.subFileOfStripe(number: Int): Int {
    var found = -1
    forEachRun(4096L * number, 1) { subFile, _, _, _ -> found = subFile }
    return found
}

private fun Shape.request(box: Box): Request =
    ArrayRequest(this, 0, box, Cells.of(LongArray(box.cellCount().toInt()) { it.toLong() }))

private suspend fun Communicator.near(shape: Shape, box: Box, depth: Long) =
    deal(Concentrators.perHost(1).near(), LogicalFile(8 * shape.cellCount()) { depth }, shape.request(box))

private suspend fun bytesBetweenHosts(rule: Concentrators): Long {
    val shape = Shape.of(8, 512)
    val count = AtomicLong()
    ranks(ON_TWO_HOSTS) {
        val own = shape.request(rowsOf(rank))
        val set = deal(rule, LogicalFile(8 * shape.cellCount()) { 4096 }, own)
        val files = MemoryFiles(set.layout, 8 * shape.cellCount())
        CountingRemote(this, count).writeConcentrated(set, own, files::write)
    }
    return count.get()
}

/** Counts the bytes that a rank sends to ranks of the other host. */
private class CountingRemote(private val ranks: Communicator, private val count: AtomicLong) : Communicator by ranks {
    override suspend fun send(target: Int, tag: Int, payload: ByteBuffer) {
        if (target % 2 != rank % 2) count.addAndGet(payload.remaining().toLong())
        ranks.send(target, tag, payload)
    }
}
