package dev.cairn.ranks

import dev.cairn.event.TransportMissingException
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.runBlocking
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.CountDownLatch
import kotlin.concurrent.thread
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

/** Processes that a launcher has started, played by threads. */
class EveryRankSpec :
    FunSpec({
        test("what launchers tell is understood") {
            Launch.of(mapOf("OMPI_COMM_WORLD_RANK" to "2", "OMPI_COMM_WORLD_SIZE" to "4")).toString() shouldBe
                "mpirun started this process as rank 2 of 4"
            Launch.of(mapOf("SLURM_PROCID" to "0", "SLURM_STEP_NUM_TASKS" to "3")).toString() shouldBe
                "srun started this process as rank 0 of 3"
        }

        test("in a job of Slurm, srun's variables of mpirun's and mpiexec's daemons are not those of a rank") {
            val daemon = mapOf("SLURM_PROCID" to "1", "SLURM_STEP_NUM_TASKS" to "2")
            Launch.of(daemon + mapOf("OMPI_COMM_WORLD_RANK" to "2", "OMPI_COMM_WORLD_SIZE" to "4")).toString() shouldBe
                "mpirun started this process as rank 2 of 4"
            Launch.of(daemon + mapOf("PMI_RANK" to "2", "PMI_SIZE" to "4")).toString() shouldBe
                "a launcher that speaks PMI started this process as rank 2 of 4"
        }

        test("one process alone, and the script of a batch job, are not launched") {
            Launch.of(mapOf("OMPI_COMM_WORLD_RANK" to "0", "OMPI_COMM_WORLD_SIZE" to "1")) shouldBe null
            Launch.of(mapOf("SLURM_PROCID" to "0", "SLURM_NTASKS" to "8")) shouldBe null
            Launch.of(emptyMap()) shouldBe null
        }

        test("without a launcher the ranks are coroutines") {
            everyRank(3) { rank } shouldContainExactly listOf(0, 1, 2)
        }

        test("a rank stays on its thread, also when it blocks and waits") {
            val processes = Processes(3)
            processes.run {
                val before = Thread.currentThread()
                val sum = runBlocking { allReduce(1L, Long::plus) }
                barrier()
                Thread.currentThread() shouldBe before
                sum
            } shouldBe List(3) { Result.success(3L) }
            processes.aborts.shouldBeEmpty()
        }

        test("a failure that all ranks receive is thrown on all, and does not end the job") {
            val processes = Processes(3)
            val results = processes.run { collectively("read") { check(rank != 1) { "no disk" } } }
            results.forEach { it.exceptionOrNull()!!.message shouldContain "no disk" }
            processes.aborts.shouldBeEmpty()
        }

        test("a rank that fails at its end is known to all") {
            val processes = Processes(3)
            val results = processes.run { check(rank != 1) { "no disk" } }
            results[1].exceptionOrNull()!!.message shouldBe "no disk"
            results[2].exceptionOrNull()!!.message shouldContain "rank 1 on node0 failed"
            processes.aborts.shouldBeEmpty()
        }

        test("a process stays with the others until a failure has been handled, and leaves them then") {
            val network = MemoryNetwork(1)
            val handled = CountDownLatch(1)
            val leftToHandle = CompletableDeferred<Long>()
            val transport =
                object : Transport by network.transport(0) {
                    override fun close() {
                        leftToHandle.complete(handled.count)
                    }
                }
            shouldThrow<IllegalStateException> {
                Launch("mpirun", 0, 1).takePart<Unit>({ error("no disk") }, untilHandled = handled::await) { transport }
            }.message shouldBe "no disk"
            handled.countDown()
            leftToHandle.await() shouldBe 0
        }

        test("a transport that does not return from its end is left behind, and the program goes on with its result") {
            val abandoned = CompletableDeferred<Unit>()
            val never = CountDownLatch(1)
            val transport =
                object : Transport by MemoryNetwork(1).transport(0) {
                    override fun close() = never.await()

                    override fun abandon() {
                        abandoned.complete(Unit)
                    }
                }
            val end = EndOfProgram(10.milliseconds)
            Launch("mpirun", 0, 1).takePart({ "the result" }, end = end) { transport } shouldBe "the result"
            abandoned.await()
            never.countDown()
        }

        test("the time that a transport may take to be closed is a number of seconds") {
            EndOfProgram.limitOf(null) shouldBe 10.seconds
            EndOfProgram.limitOf("3") shouldBe 3.seconds
            for (wrong in listOf("", "0", "-1", "soon")) {
                shouldThrow<TransportMissingException> { EndOfProgram.limitOf(wrong) }.message shouldBe
                    "-Dcairn.transport.close-seconds=$wrong: give the number of seconds that closing a transport may take, such as 10."
            }
        }

        test("the end of a caller comes after its uncaught exception was printed") {
            val events = ConcurrentLinkedQueue<String>()
            val caller = Thread { error("no disk") }
            caller.setUncaughtExceptionHandler { _, _ -> events += "printed" }
            val rank =
                thread {
                    val end = EndOfProgram(Duration.INFINITE)
                    end.await("end") {}
                    end.awaitEndOf(caller.apply { start() })
                    events += "ended"
                    end.ended()
                }
            rank.join()
            events.toList() shouldContainExactly listOf("printed", "ended")
        }

        test("a rank that fails while others continue ends the job, and its message names the rank and the host") {
            val processes = Processes(3)
            processes.run(patience = 10.milliseconds) {
                if (rank == 1) error("no disk")
                processes.aborted.await()
            }
            processes.aborts
                .first()
                .lines()
                .first() shouldBe
                "rank 1 on node0 failed and ends the job, while others continue: java.lang.IllegalStateException: " +
                "no disk"
        }

        test("an uncaught failure that all ranks receive is printed by the lowest rank that failed alone") {
            printers { collectively("read") { check(rank < 2) { "no disk" } } } shouldBe listOf(2)
        }

        test("so is an uncaught failure of a part, in which ranks have other numbers") {
            printers {
                val half = checkNotNull(split(rank / 2))
                half.collectively("read") { check(rank != 3) { "no disk" } }
            } shouldBe listOf(3)
        }

        test("a handler of the program's own stays") {
            val own = Thread.UncaughtExceptionHandler { _, _ -> }
            val rank = Thread {}
            rank.uncaughtExceptionHandler = own
            rank.printUncaughtOnce()
            rank.uncaughtExceptionHandler shouldBe own
        }

        test("a launcher and a transport that do not agree are told apart") {
            val wrong = Launch("srun", 0, 4)
            shouldThrow<TransportMissingException> {
                wrong.takePart({}) { MemoryNetwork(1).transport(0) }
            }.message shouldBe
                "srun started this process as rank 0 of 4, but its transport knows of 1 rank: the launcher and the " +
                "library may belong to different MPIs. Make them find each other: with Slurm, use 'srun --mpi=pmix' " +
                "for Open MPI, 'srun --mpi=pmi2' for MPICH, or that MPI's launcher."
        }
    })

/** The ranks of four that let Java print their failure, if the program does not catch it. */
private suspend fun printers(body: suspend Communicator.() -> Unit): List<Int> {
    val printers = ConcurrentLinkedQueue<Int>()
    Processes(4).run(body = body).forEachIndexed { rank, result ->
        val byJava =
            object : ThreadGroup("rank $rank") {
                override fun uncaughtException(thread: Thread, failure: Throwable) {
                    printers += rank
                }
            }
        val main =
            Thread(byJava) {
                Thread.currentThread().printUncaughtOnce()
                result.getOrThrow()
            }
        main.start()
        main.join()
    }
    return printers.toList()
}

private class Processes(private val size: Int) {
    private val network = MemoryNetwork(size)
    val aborts = ConcurrentLinkedQueue<String>()
    val aborted = CountDownLatch(1)

    suspend fun <T> run(patience: Duration = 1.minutes, body: suspend Communicator.() -> T): List<Result<T>> =
        coroutineScope {
            List(size) { rank ->
                async { runCatching { Launch("mpirun", rank, size).takePart(body, patience) { transport(rank) } } }
            }.awaitAll()
        }

    private fun transport(rank: Int): Transport =
        object : Transport by network.transport(rank) {
            override fun abort(reason: String) {
                aborts.add(reason)
                aborted.countDown()
            }
        }
}
