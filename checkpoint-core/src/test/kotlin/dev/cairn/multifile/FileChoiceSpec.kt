package dev.cairn.multifile

import dev.cairn.sion.store.fixture.withRandom
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import kotlin.random.Random

private const val MIB = 1L shl 20
private const val GIB = 1L shl 30

class FileChoiceSpec :
    FunSpec({
        test("16 ranks on 16 cores have a file each") {
            val choice = choose(List(16) { load(it, GIB, cores = 16) })
            choice.files shouldBe List(16) { it }
            choice.reason shouldBe "one for each rank that writes"
        }

        test("more ranks than cores share files with their neighbours") {
            val choice = choose(List(16) { load(it, GIB, cores = 5) })
            choice.files shouldBe listOf(0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4)
            choice.reason shouldBe "one for each core"
        }

        test("a small state gets one file, whatever the number of ranks, cores and hosts") {
            for (hostCount in listOf(1, 3)) {
                val choice = choose(List(16) { load(it, 2 * MIB, cores = 1 + it % 2, host = "node${it % hostCount}") })
                choice.files shouldBe List(16) { 0 }
                choice.reason shouldBe "for less than 128.0 MiB of state"
            }
        }

        test("there is no more than one file for each 64 MiB") {
            val choice = choose(List(16) { load(it, 20 * MIB, cores = 16) })
            choice.files shouldBe List(16) { it * 5 / 16 }
            choice.reason shouldBe "one for each 64.0 MiB of state"
        }

        test("ranks that a launcher deals to hosts in turn have files on their own host") {
            val choice = choose(List(6) { load(it, GIB, cores = 2, host = "node${it % 2}") })
            choice.files shouldBe listOf(0, 2, 0, 2, 1, 3)
            choice.reason shouldBe "one for each core"
        }

        test(
            "hosts with fewer than 64 MiB share files with the hosts after them, and the last ones with those before",
        ) {
            choose(List(5) { load(it, 40 * MIB, cores = 8, host = "node$it") }).files shouldBe listOf(0, 0, 1, 1, 1)
        }

        test("1,024 files are the maximum, and each host gets as many of them") {
            val choice = choose(List(2000) { load(it, GIB, cores = 200, host = "node${it / 200}") })
            choice.files
                .groupingBy { it }
                .eachCount()
                .size shouldBe 1020
            choice.reason shouldBe "at most 1024"
        }

        test("more than 1,024 hosts have a file each") {
            val choice = choose(List(6000) { load(it, GIB, cores = 8, host = "node${it / 2}") })
            choice.files shouldBe List(6000) { it / 2 }
            choice.reason shouldBe "at most 3000"
        }

        test("with concentrators there are as many files as concentrators, and what else the ranks write joins them") {
            val choice = choose(List(16) { load(it, if (it % 4 == 1) GIB else MIB, cores = 16) })
            choice.files shouldBe List(16) { maxOf(it - 1, 0) / 4 }
            choice.reason shouldBe "one for each rank that writes"
        }

        test("all clients of a dedicated rank are in one file, on the host of that rank") {
            val choice = choose(List(6) { load(it, GIB, cores = 4, writer = 10 + it % 2, host = "node0") })
            choice.files shouldBe listOf(0, 1, 0, 1, 0, 1)
        }

        test("processes that a launcher has bound to cores of their own have as many cores together") {
            choose(List(8) { load(it, GIB, cores = 1, set = "$it") }).files shouldBe List(8) { it }
            choose(List(8) { load(it, GIB, cores = 2, set = "${it / 4 * 2}-${it / 4 * 2 + 1}") }).files shouldBe
                List(8) { it / 2 }
        }

        test("hosts with different bounds name each of them") {
            val loads = List(8) { load(it, GIB, cores = if (it < 4) 2 else 4, host = "node${it / 4}") }
            choose(loads).reason shouldBe "one for each core or one for each rank that writes"
        }

        test("any ranks: no more files than any bound allows, no gap, and neighbours share") {
            withRandom { random ->
                repeat(2_000) {
                    val bounds = FileBounds(random.nextLong(1, 200), random.nextInt(1, 20))
                    val loads = random.loads(random.nextInt(1, 40))
                    requireBounded(loads, bounds, choose(loads, bounds).files)
                }
            }
        }

        test("any ranks on hosts with large parts of the state: each host has the most files that its bounds allow") {
            withRandom { random ->
                repeat(2_000) {
                    val bounds = FileBounds(random.nextLong(1, 100))
                    val loads = random.loads(random.nextInt(1, 40)).map { it.copy(byteCount = it.byteCount + 1600) }
                    val files = choose(loads, bounds).files
                    for ((_, ranks) in loads.indices.groupBy { loads[it].writer.host }) {
                        val expected =
                            minOf(
                                ranks.distinctBy { loads[it].writer.number }.size.toLong(),
                                ranks.maxOf { loads[it].writer.cores.count }.toLong(),
                                ranks.sumOf { loads[it].byteCount } / bounds.bytesPerFile,
                            )
                        ranks.distinctBy { files[it] }.size.toLong() shouldBe expected
                    }
                }
            }
        }
    })

private class Choice(val files: List<Int>, val reason: String)

private fun choose(loads: List<Load>, bounds: FileBounds = FileBounds()): Choice =
    chooseFiles(loads, bounds).let { Choice(loads.indices.map(it::choice), "$it") }

private fun load(
    rank: Int,
    byteCount: Long,
    cores: Int,
    host: String = "host0",
    writer: Int = rank,
    set: String = "",
) = Load(byteCount, Writer(writer, host, Cores(cores, set)))

/** Ranks of up to six hosts that write for themselves; those of a host bring similar numbers of bytes. */
private fun Random.loads(rankCount: Int): List<Load> {
    val hostCount = nextInt(1, 7)
    val cores = List(hostCount) { nextInt(1, 10) }
    return List(rankCount) { rank ->
        val host = nextInt(hostCount)
        load(rank, nextLong(101, 1600), cores[host], "node$host")
    }
}

private fun requireBounded(loads: List<Load>, bounds: FileBounds, files: List<Int>) {
    val count = files.max() + 1
    files.toSet() shouldBe (0 until count).toSet()
    val byHost = loads.indices.groupBy { loads[it].writer.host }
    count shouldBeLessThanOrEqual maxOf(bounds.fileCount, byHost.size)
    count shouldBeLessThanOrEqual maxOf(1, (loads.sumOf { it.byteCount } / bounds.bytesPerFile).toInt())
    count shouldBeLessThanOrEqual byHost.values.sumOf { ranks -> minOf(ranks.size, loads[ranks[0]].writer.cores.count) }
    val inOrder = byHost.values.flatten().map(files::get)
    inOrder shouldBe inOrder.sorted()
}
