package dev.cairn.restore

import dev.cairn.StateBuilder
import dev.cairn.checkpoints
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.proof.log.quietly
import dev.cairn.proof.state.SMALL_OPTIONS
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.ElementType
import dev.cairn.state.PerRankRule
import dev.cairn.state.StreamRule
import dev.cairn.store.PARENT
import dev.cairn.store.withParent
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

/** The order in which a restore calls the functions of the program. */
class RestoreOrderSpec :
    FunSpec({
        quietly()

        for (count in listOf(3, 2, 5)) {
            test("values come first, then streams, fields and tables, each as they are declared, on $count ranks") {
                val files = SimulatedDisk().withParent().host("node0")
                ranks(3) { call(files, MIXED) }
                ranks(count) {
                    call(files, MIXED) shouldBe
                        listOf(
                            "own",
                            "n",
                            "sum",
                            "k",
                            "log",
                            "dump",
                            "u",
                            "v",
                            "dust",
                            "grit",
                            "rebuild",
                            "rebuild more",
                        )
                }
            }
        }

        test("what the program declares in another order than before comes back in the new one") {
            val files = SimulatedDisk().withParent().host("node0")
            ranks(2) { call(files, MIXED) }
            ranks(2) {
                call(files, MIXED.reversed()) shouldBe
                    listOf("k", "sum", "n", "own", "dump", "log", "v", "u", "grit", "dust", "rebuild more", "rebuild")
            }
        }

        test("values that take several broadcasts come back as they are declared, between those of each rank") {
            val files = SimulatedDisk().withParent().host("node0")
            val names = listOf("a", "own b", "c", "own d", "e")
            repeat(2) { run ->
                ranks(2) {
                    val order = mutableListOf<String>()
                    checkpoints(STORE, SMALL_OPTIONS, files) {
                        for (name in names) {
                            if (name.startsWith("own")) {
                                perRank(name, { 1L }, { order += name })
                            } else {
                                replicated(name, { ByteArray(9 shl 20) }, { order += name })
                            }
                        }
                    }.use { if (run == 0) it.save(1) else it.restore() }
                    if (run == 1) order shouldBe names
                }
            }
        }
    })

private val STORE = PARENT.resolve("order.cairn")

/** Items of all kinds and two hooks, none of which the order of a restore puts where it is. */
private val MIXED =
    listOf("dust", "u", "log", "rebuild", "own", "n", "grit", "rebuild more", "sum", "dump", "v", "k")

/** Declares [names], and restores or else saves; returns what the restore has called, in order. */
private suspend fun Communicator.call(files: BlockStore, names: List<String>): List<String> {
    val order = mutableListOf<String>()
    checkpoints(STORE, SMALL_OPTIONS, files) { names.forEach { declare(it, this@call, order) } }.use {
        order.clear()
        it.restore() ?: it.save(1)
    }
    return order
}

private fun StateBuilder.declare(name: String, ranks: Communicator, order: MutableList<String>) {
    val set: (Long) -> Unit = { order += name }
    when (name) {
        "n", "k" -> {
            replicated(name, { 1L }, set)
        }

        "own" -> {
            perRank(name, { 2L }, set, PerRankRule.Merge { it.sum() })
        }

        "sum" -> {
            accumulator(name, { 3L }, set, 0L, Long::plus)
        }

        "log", "dump" -> {
            val deal = StreamRule.Deal { all -> all.forEach { it.readAllBytes() }.also { order += name } }
            stream(name, { it.write(1) }, { it.readAllBytes().also { order += name } }, deal)
        }

        "u", "v" -> {
            val box = Decomposition.rows(SHAPE, ranks.size).boxes(ranks.rank).single()
            field(
                name,
                SHAPE,
                ElementType.LONG,
            ) { block(box, LongArray(box.cellCount().toInt())).also { order += name } }
        }

        "dust", "grit" -> {
            var ids = longArrayOf(ranks.rank.toLong())
            table(name) {
                column("id", { ids }, {
                    ids = it
                    order += name
                })
                positionFree()
            }
        }

        else -> {
            afterRestore { order += name }
        }
    }
}

private val SHAPE = Shape.of(10)
