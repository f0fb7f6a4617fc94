package dev.cairn.output

import dev.cairn.concentrate.Concentrators
import dev.cairn.grid.Shape
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.RunFailedException
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.PARENT
import dev.cairn.store.withParent
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeIn
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

/** Another program gives a newer file its name while ranks on two hosts read the older one. */
class ReplacedArrayFileSpec :
    FunSpec({
        for (padding in listOf(0, 1000)) {
            test("a file replaced by one of $padding bytes more, before any operation, is read whole, older or newer") {
                val found = mutableSetOf<Int>()
                for (operation in generateSequence(1) { it + 1 }) {
                    val disk = SimulatedDisk().withParent()
                    write(disk.host("node0"), factor = 1)
                    write(disk.host("node0"), factor = 2, padding, name = "newer.arrays")
                    val replacement = Replacement(operation, disk)
                    val factor = withClue("before operation $operation") { factorRead(replacement::store) }
                    if (!replacement.isDone) break
                    factor shouldBeIn listOf(1, 2)
                    found += factor
                }
                found shouldBe setOf(1, 2)
            }
        }

        test("hosts that have different files of one name are told so") {
            val disks = (1..2).associate { "node${it - 1}" to SimulatedDisk().withParent().host("node0") }
            disks.values.forEachIndexed { index, files -> write(files, factor = index + 1) }
            shouldThrow<RunFailedException> { factorRead(disks::getValue) }.message shouldContain
                "/run/n.arrays was another file on a concentrator than on rank 0, 5 times in turn. Read it when no " +
                "program replaces it; if none does, keep it where all hosts see the same file"
        }
    })

private val FILE = PARENT.resolve("n.arrays")
private val SHAPE = Shape.of(1000)

private suspend fun write(files: BlockStore, factor: Int, padding: Int = 0, name: String = "${FILE.fileName}") =
    ranks(1) {
        writeArrays(PARENT.resolve(name), store = files) {
            array("n", SHAPE, SHAPE.box(), IntArray(1000) { factor * it })
            val more = Shape.of(padding.toLong())
            if (padding > 0) array("padding", more, more.box(), ByteArray(padding))
        }
    }

/** The factor with which all numbers were written that four ranks read. */
private suspend fun factorRead(storeOf: (host: String) -> BlockStore): Int =
    ranks(RankPlan(4, Schedule.Deterministic(1), hosts = { "node${it / 2}" })) {
        val numbers = IntArray(1000)
        readArrays(FILE, Concentrators.perHost(1), storeOf(host)) { array("n", SHAPE, SHAPE.box(), numbers) }
        val factor = numbers[1]
        check(numbers.indices.all { numbers[it] == factor * it }) { "rank $rank has numbers of both files" }
        factor
    }.toSet().single()

/** The newer file gets its name before an operation of the ranks that read, the first of which is number 1. */
private class Replacement(private val operation: Int, private val disk: SimulatedDisk) {
    private var count = 0
    val isDone get() = count >= operation

    fun store(host: String): BlockStore =
        object : ForwardingStore(disk.host(host)) {
            override fun onOperation(operation: BlockStore.Operation) {
                if (++count == this@Replacement.operation) {
                    disk.host("rival").rename(PARENT.resolve("newer.arrays"), FILE)
                }
            }
        }
}
