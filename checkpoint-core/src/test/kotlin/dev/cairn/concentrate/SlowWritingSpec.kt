package dev.cairn.concentrate

import dev.cairn.ranks.Communicator
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.Worker
import dev.cairn.ranks.bytesOf
import dev.cairn.ranks.clock
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.comparables.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Runnable
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.sync.Semaphore
import java.nio.file.Path
import kotlin.coroutines.CoroutineContext
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** A dedicated rank whose disk takes long, in simulated time. */
class SlowWritingSpec :
    FunSpec({
        test("a dedicated rank that writes for longer than the limit is not missed") {
            val files = SimulatedDisk().host("node0")
            val file = Path.of("data.sion")
            files.create(file).close()
            val times =
                ranks(RankPlan(2, Schedule.Deterministic(1))) {
                    val begin = clock.markNow()
                    if (rank == 0) handOver(files, file) else writeSlowly(files)
                    begin.elapsedNow()
                }
            times[0] shouldBeGreaterThan 5.seconds
            files.open(file, Access.READ).use { it.size() } shouldBe Long.SIZE_BYTES
        }
    })

/** What a client does in a save. */
private suspend fun Communicator.handOver(files: BlockStore, file: Path) {
    val line = ClientLine(this, dedicated = 1, host)
    val part = line.begin(forces = true, limit = 2.seconds)
    files.open(file, Access.READ_WRITE).use { part.into(it).write(0, bytesOf(17L)) }
    part.end(isWhole = true)
    part.join()
    part.written.await().getOrThrow()
    line.end(0)
}

private suspend fun Communicator.writeSlowly(files: BlockStore) =
    coroutineScope {
        val worker = Worker(later(5.seconds)) { true }
        DedicatedRank(this@writeSlowly, listOf(0), files, worker, Semaphore(1)).serve()
    }

/** Runs each piece of a work when [time] has passed. */
private fun CoroutineScope.later(time: Duration) =
    object : CoroutineDispatcher() {
        override fun dispatch(context: CoroutineContext, block: Runnable) {
            launch {
                delay(time)
                block.run()
            }
        }
    }
