package dev.cairn.proof.netcdf

import dev.cairn.Checkpoints
import dev.cairn.NetcdfOutput
import dev.cairn.checkpoints
import dev.cairn.concentrate.Concentrators
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ranks
import dev.cairn.sion.netcdf.NetcdfReader
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.sion.stripe.Hyperslab
import dev.cairn.store.PARENT
import dev.cairn.store.SaveNames
import dev.cairn.store.withParent
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import java.util.concurrent.CountDownLatch

/** Rank 0 gives a store back while the worker of another rank still has records of a save that was given up. */
class GivenUpBatchSpec :
    FunSpec({
        quietly()

        test("what a rank writes late of a save that was given up is not in the file of the next run") {
            val files = SimulatedDisk().withParent().host("any")
            val door = HeldDoor(files)
            val hasClosed = CountDownLatch(1)
            ranks(2) {
                val (checkpoints, out) = numbers(if (rank == 1) door else files, writer = 1, value = 1.0)
                checkpoints.restore()
                out.append()
                checkpoints.save(1)
                out.append()
                door.hold()
                checkpoints.saveAsync(2)
                if (rank == 0) {
                    door.awaitHeld()
                    checkpoints.close()
                    ranks(1) { secondRun(files) }
                    door.open()
                    hasClosed.countDown()
                } else {
                    hasClosed.await()
                    checkpoints.close()
                }
            }
            NetcdfReader.open(files, FILE).use { it.readDoubles("n", Hyperslab.WHOLE).toList() } shouldBe
                listOf(1.0, 2.0)
            withClue("no run after the second one needs a file of its own") {
                files.exists(STORE.resolve(SaveNames.DISPLACED)) shouldBe false
            }
        }
    })

private val STORE = Path.of("/run/own.cairn")
private val FILE = PARENT.resolve("numbers.nc")

/** Goes on from the first record, and saves the second one. */
private suspend fun Communicator.secondRun(files: BlockStore) {
    val (checkpoints, out) = numbers(files, writer = 0, value = 2.0)
    checkpoints.use {
        it.restore()?.step shouldBe 1
        out.append()
        it.save(2)
    }
}

private suspend fun Communicator.numbers(
    files: BlockStore,
    writer: Int,
    value: Double,
): Pair<Checkpoints, NetcdfOutput> {
    var out: NetcdfOutput? = null
    val checkpoints =
        checkpoints(STORE, files = files) {
            out =
                netcdf(FILE, files) {
                    concentrators = Concentrators.ranks(writer)
                    variable("n") { value }
                }.named("out").value
        }
    return checkpoints to out!!
}

/** Holds writes to the file back, from [hold] until it is [opened][open]. */
private class HeldDoor(target: BlockStore) : ForwardingStore(target) {
    @Volatile private var isHolding = false
    private val isHeld = CountDownLatch(1)
    private val latch = CountDownLatch(1)

    fun hold() {
        isHolding = true
    }

    fun awaitHeld() = isHeld.await()

    fun open() = latch.countDown()

    override fun onOperation(operation: BlockStore.Operation) {
        if (!isHolding || operation.kind() != BlockStore.Operation.Kind.WRITE || operation.path() != FILE) return
        isHeld.countDown()
        latch.await()
    }
}
