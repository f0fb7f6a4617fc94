package dev.cairn.ranks

import dev.cairn.event.CallsDifferException
import dev.cairn.event.RankFailedException
import dev.cairn.event.RanksMissingException
import dev.cairn.ranks.RankPlan.Fault
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.RunReport.Outcome
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.core.test.TestScope
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import io.kotest.matchers.types.shouldBeSameInstanceAs
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.cancel
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.job
import kotlinx.coroutines.launch
import kotlinx.coroutines.test.runTest
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeoutOrNull
import java.util.concurrent.CountDownLatch
import kotlin.time.Duration
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

/** A run ends after any failure, and reports the call of each rank. */
class RunSpec :
    FunSpec({
        fun onBoth(promise: String, check: suspend TestScope.(RankPlan) -> Unit) =
            listOf(Schedule.Fast(), Schedule.Deterministic(42)).forEach { schedule ->
                test("$schedule: $promise") { check(RankPlan(4, schedule, hosts = { "node${it / 2}" })) }
            }

        test("ranks run from main") {
            runRanks(3) { rank * size } shouldBe listOf(0, 3, 6)
        }

        test("ranks run inside runTest") {
            runTest {
                ranks(3) { allReduce(1L, Long::plus) } shouldBe listOf(3L, 3L, 3L)
                ranks(RankPlan(3, Schedule.Deterministic(1))) { delay(5.minutes) }
            }
        }

        onBoth("ranks run in a caller's scope and end with it") { plan ->
            val begun = CountDownLatch(plan.count)
            val ended = mutableListOf<Int>()
            coroutineScope {
                val run =
                    launch(Dispatchers.Default) {
                        ranks(plan) {
                            try {
                                begun.countDown()
                                if (rank == 0) while (true) delay(1.milliseconds) else barrier()
                            } finally {
                                synchronized(ended) { ended.add(rank) }
                            }
                        }
                    }
                withContext(Dispatchers.IO) { begun.await() }
                run.cancel()
                run.join()
            }
            ended.sorted() shouldBe listOf(0, 1, 2, 3)
        }

        onBoth("a rank that throws ends the run for all") { plan ->
            val failure =
                shouldThrow<RunFailedException> {
                    ranks(plan) {
                        barrier()
                        if (rank == 2) error("no more fuel")
                        during("save 7").gather(2, NOTHING)
                        during("save 7").barrier()
                    }
                }
            failure.cause.toString() shouldBe "java.lang.IllegalStateException: no more fuel"
            failure.message shouldContain
                "rank 2: threw java.lang.IllegalStateException: no more fuel, last seen leaving barrier #1 of world"
            val others =
                failure.report.outcomes
                    .filterIsInstance<Outcome.Threw>()
                    .map { it.failure }
            others.filterIsInstance<RankFailedException>() shouldHaveSize 3
            others.filterIsInstance<RankFailedException>().forEach {
                it.rank shouldBe 2
                it.host shouldBe "node1"
            }
        }

        test("the report has the call of each rank, since when it waits, and for which ranks") {
            val failure =
                shouldThrow<RunFailedException> {
                    ranks(RankPlan(5, Schedule.Deterministic(7))) {
                        delay(rank.seconds)
                        if (rank == 4) error("no more fuel")
                        if (rank == 3) receive(1, 9) else during("save 7").barrier()
                    }
                }
            failure.message shouldBe
                """
                5 ranks, 4000 ms: 5 threw
                  ranks 0-2: waits in barrier #1 of world during 'save 7' since 0 ms for ranks 3-4
                  rank 3: waits in receive (tag 9) of world since 3000 ms for rank 1
                  rank 4: threw java.lang.IllegalStateException: no more fuel, before its first call
                  then ranks 0-3: threw the same
                To replay, run the same plan with Schedule.Deterministic(seed = 7).
                """.trimIndent()
        }

        onBoth("a rank that is cancelled ends the run for all") { plan ->
            val report =
                attemptRanks(plan) {
                    if (rank == 1) currentCoroutineContext().cancel()
                    barrier()
                }
            (report.outcomes[1] as Outcome.Threw).failure.shouldBeInstanceOf<CancellationException>()
            listOf(0, 2, 3).forEach { report.failureOf(it).shouldBeInstanceOf<RankFailedException>().rank shouldBe 1 }
        }

        onBoth("a rank that is cancelled while it waits wakes up") { plan ->
            val jobs = arrayOfNulls<Job>(plan.count)
            val report =
                attemptRanks(plan) {
                    jobs[rank] = currentCoroutineContext().job
                    if (rank == 1) send(3, 1, NOTHING)
                    if (rank == 3) {
                        receive(1, 1)
                        delay(100.milliseconds)
                        jobs[1]!!.cancel()
                        receive(1, 2)
                    } else {
                        during("save 7").barrier()
                    }
                }
            (report.outcomes[1] as Outcome.Threw).failure.shouldBeInstanceOf<CancellationException>()
            report.failureOf(0).shouldBeInstanceOf<RankFailedException>().rank shouldBe 1
        }

        onBoth("a rank may give up a wait and continue") { plan ->
            ranks(plan) {
                if (rank == 0) withTimeoutOrNull(50.milliseconds) { receive(1, 1) } shouldBe null
                barrier()
                if (rank == 1) send(0, 1, NOTHING)
                if (rank == 0) receive(1, 1)
            }
        }

        onBoth("a deadlock is found at once") { plan ->
            val report = attemptRanks(plan.withLimit(Duration.INFINITE)) { receive((rank + 1) % size, 3) }
            val rollCall = (report.cause() as RanksMissingException).rollCall
            rollCall.reason shouldBe "all remaining ranks wait, so no further rank can arrive"
            rollCall.absentees.single().lastSeen shouldContain "waits in receive (tag 3) of world since"
        }

        onBoth("a rank that leaves early is called by name, also rank 0") { plan ->
            val report = attemptRanks(plan) { if (rank > 0) during("save 7").barrier() }
            val missing = report.failureOf(1) as RanksMissingException
            missing.rollCall.presentCount shouldBe 3
            missing.rollCall.absentees.map { "$it" } shouldBe listOf("rank 0 on node0: returned, before its first call")
            missing.message shouldContain "barrier #1 of world during 'save 7': rank 0 did not arrive ("
            (1..3).forEach { report.failureOf(it) shouldBeSameInstanceAs missing }
        }

        onBoth("a rank that never comes is the cause, also for ranks that wait for another one") { plan ->
            val report =
                attemptRanks(plan) {
                    if (rank == 1) delay(5.hours)
                    val world = during("save 7", 300.milliseconds)
                    world.gather(0, NOTHING)
                    world.scatter(0, if (rank == 0) List(size) { NOTHING } else null)
                }
            val missing = report.cause().shouldBeInstanceOf<RanksMissingException>()
            missing.message shouldContain
                "gather #1 of world during 'save 7': rank 1 did not arrive (the limit of 300ms has passed)"
            listOf(0, 2, 3).forEach { report.failureOf(it) shouldBeSameInstanceAs missing }
            "$report" shouldContain Regex("rank [023]: threw [^ ]*RanksMissingException: gather #1")
            "$report" shouldContain Regex("then ranks [023]-?,? ?[023]: threw the same")
        }

        onBoth("a limit passes although a rank is busy") { plan ->
            val missed = CompletableDeferred<Unit>()
            val report =
                attemptRanks(plan) {
                    note("step 12")
                    if (rank == 3) {
                        if (plan.schedule is Schedule.Fast) missed.await() else delay(5.hours)
                    } else {
                        try {
                            during("load", 300.milliseconds).barrier()
                        } finally {
                            missed.complete(Unit)
                        }
                    }
                }
            val rollCall = (report.failureOf(0) as RanksMissingException).rollCall
            rollCall.reason shouldBe "the limit of 300ms has passed"
            "${rollCall.absentees.last()}" shouldBe "rank 3 on node1: has made no call yet, in 'step 12'"
        }

        onBoth("a run that has lost a rank may continue without it") { plan ->
            val report =
                attemptRanks(plan.withFaults(listOf(Fault.RankDies(rank = 0, operation = 2)))) {
                    barrier()
                    val missing = shouldThrow<RanksMissingException> { barrier() }.rollCall.absentees
                    missing.map { it.lastSeen.substringBefore(" at") }
                }
            report.outcomes[0] shouldBe Outcome.Died
            report.struckFaults shouldBe listOf(Fault.RankDies(0, 2))
            val seen = report.outcomes.drop(1).map { (it as Outcome.Returned).value.single() }
            seen.distinct() shouldBe listOf("died")
        }

        onBoth("a host takes all its ranks with it") { plan ->
            val report =
                attemptRanks(plan.withFaults(listOf(Fault.HostDies("node1", operation = 3)))) {
                    repeat(5) { barrier() }
                }
            report.outcomes.drop(2) shouldBe listOf(Outcome.Died, Outcome.Died)
            // The other rank of the host may have come to the barrier just before it was killed.
            val absentees = (report.failureOf(0) as RanksMissingException).rollCall.absentees
            absentees.map { it.host }.toSet() shouldBe setOf("node1")
        }

        test("a fault that could never strike is refused when it is made") {
            for ((refused, sentence) in listOf<Pair<() -> Fault, String>>(
                { Fault.RankDies(-1, 1) } to "a fault strikes a rank from 0 on, not rank -1",
                { Fault.RankDies(0, 0) } to "a fault strikes at an operation from 1 on, not at 0",
                { Fault.HostDies("node0", -5) } to "a fault strikes at an operation from 1 on, not at -5",
                { Fault.RankIsSlow(-1, 1.seconds) } to "a fault strikes a rank from 0 on, not rank -1",
                { Fault.RankIsSlow(0, -3.seconds) } to "a fault costs a time of 0 or more, not of -3s",
                { Fault.MessagesAreDelayed(-3.seconds, 1) } to "a fault costs a time of 0 or more, not of -3s",
            )) {
                shouldThrow<IllegalArgumentException> { refused() }.message shouldBe sentence
            }
        }

        onBoth("so is one of a rank or host that a run does not have, before any rank begins") { plan ->
            for ((fault, name) in listOf(
                Fault.RankDies(4, 1) to "RankDies(rank=4, operation=1)",
                Fault.RankIsSlow(7, 1.seconds) to "RankIsSlow(rank=7, time=1s)",
                Fault.HostDies("nope", 1) to "HostDies(host=nope, operation=1)",
            )) {
                shouldThrow<IllegalArgumentException> {
                    attemptRanks(plan.withFaults(listOf(fault))) { error("rank $rank begins") }
                }.message shouldBe "$name never strikes: the run has 4 ranks, from 0 on, on node0, node1"
            }
            val delays = listOf(1L, 2L).map { Fault.MessagesAreDelayed(1.seconds, it) }
            shouldThrow<IllegalArgumentException> { attemptRanks(plan.withFaults(delays)) { barrier() } }
                .message shouldContain "messages are delayed by one fault, not by MessagesAreDelayed(time=1s, seed=1), "
        }

        onBoth("messages that no rank receives are a failure") { plan ->
            val failure =
                shouldThrow<RunFailedException> {
                    ranks(plan) {
                        if (rank == 1) send(3, 17, bytesOf(1L, 2L))
                        barrier()
                    }
                }
            failure.message shouldContain "never received: 16 bytes from rank 1 to rank 3, tag 17 of world"
        }

        onBoth("different calls are found, and both are named") { plan ->
            val report = attemptRanks(plan) { if (rank == 2) during("load").gather(1, NOTHING) else barrier() }
            val message = report.cause().shouldBeInstanceOf<CallsDifferException>().message!!
            message shouldContain "gather #1 of world during 'load' with root 1"
            message shouldContain "barrier #1 of world"
        }

        onBoth("ranks that name different roots are found, even if each names itself") { plan ->
            suspend fun shouldFindRoots(call: suspend Communicator.(root: Int) -> Any?) {
                for (root in listOf<(Int) -> Int>({ it }, { 3 - it }, { it / 2 })) {
                    val report = attemptRanks(plan) { call(root(rank)) }
                    report.cause().shouldBeInstanceOf<CallsDifferException>().message shouldContain " with root "
                }
            }
            shouldFindRoots { root -> broadcast(root, bytesOf(1L)) }
            shouldFindRoots { root -> broadcastText(root) { "text" } }
            shouldFindRoots { root -> broadcastValue(root) { rank } }
            shouldFindRoots { root -> gather(root, bytesOf(1L)) }
            shouldFindRoots { root -> gather(root, doubleArrayOf(1.0)) }
            shouldFindRoots { root -> scatter(root, List(size) { bytesOf(1L) }) }
            shouldFindRoots { root -> scatter(root, List(size) { "$it" }) }
        }

        test("delayed messages come late but in order, and a slow rank loses time") {
            val faults = listOf(Fault.MessagesAreDelayed(10.seconds, seed = 5), Fault.RankIsSlow(1, 1.hours))
            val report =
                attemptRanks(RankPlan(2, Schedule.Deterministic(3), faults = faults)) {
                    if (rank == 0) {
                        repeat(20) { send(1, 1, bytesOf(it.toLong())) }
                        emptyList()
                    } else {
                        List(20) { during("slow", 2.hours).receive(0, 1).getLong(0) }
                    }
                }
            report.results()[1] shouldBe List(20) { it.toLong() }
            report.millis shouldBe 20.hours.inWholeMilliseconds
            report.struckFaults.toSet() shouldBe faults.toSet()
        }

        test("a slow rank learns of a failure as the others do") {
            val plan = RankPlan(3, Schedule.Deterministic(7), faults = listOf(Fault.RankIsSlow(1, 900.milliseconds)))
            val report =
                attemptRanks(plan) {
                    barrier()
                    if (rank == 0) error("lost")
                    barrier()
                }
            report.failureOf(1).shouldBeInstanceOf<RankFailedException>().message shouldContain "lost"
            report.failureOf(2) shouldBe report.failureOf(1)
        }

        test("a rank may wait in several calls at once") {
            runRanks(RankPlan(2, Schedule.Deterministic(1))) {
                coroutineScope {
                    launch { receive(1 - rank, 1) }
                    launch { receive(1 - rank, 2) }
                    delay(1.minutes)
                    send(1 - rank, 2, NOTHING)
                    barrier()
                    send(1 - rank, 1, NOTHING)
                }
            }
        }

        test("a failed run of many ranks is told in few words") {
            val report = attemptRanks(RankPlan(10_000)) { if (rank == 5_000) error("lost") else barrier() }
            report.toString().length shouldBeLessThan 4_000
        }
    })

private fun RunReport<*>.failureOf(rank: Int) = (outcomes[rank] as Outcome.Threw).failure
