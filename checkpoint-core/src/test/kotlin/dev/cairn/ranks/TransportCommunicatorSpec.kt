package dev.cairn.ranks

import dev.cairn.event.CallsDifferException
import dev.cairn.event.RanksMissingException
import dev.cairn.ranks.Communicator.Checks
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.coroutineScope
import java.util.concurrent.CountDownLatch
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

/** The generic collectives over a transport that can only send and receive. */
class TransportCommunicatorSpec :
    FunSpec({
        include(
            communicatorContract("messages") { count, body ->
                onTransports(count, 1.minutes) { body() }
            },
        )

        for (missing in listOf(0, 2, 4)) {
            test("a rank that is busy elsewhere is called by name: rank $missing of 5") {
                val others = CountDownLatch(4)
                val failures =
                    onTransports(5, 1.minutes) {
                        barrier()
                        if (rank == missing) {
                            others.await()
                            null
                        } else {
                            val failure = shouldThrow<RanksMissingException> { during("save 7", BRIEF).barrier() }
                            others.countDown()
                            failure
                        }
                    }
                val found = failures.filterNotNull()
                found shouldHaveSize 4
                found.map { it.message }.distinct() shouldHaveSize 1
                val rollCall = found.first().rollCall
                "$rollCall" shouldStartWith
                    "barrier #3 of world during 'save 7': rank $missing did not arrive (the limit of $BRIEF has passed)"
                rollCall.absentees.single().host shouldBe "node${missing / 4}"
                val lastSeen = rollCall.absentees.single().lastSeen
                lastSeen shouldStartWith "does not answer, last heard of in barrier #2 of world"
                rollCall.presentCount shouldBe 4
            }
        }

        for (missing in listOf(1, 2, 3)) {
            test("a rank that never comes is named by all, also by those that wait for another: rank $missing of 4") {
                val others = CountDownLatch(3)
                val failures =
                    onTransports(4, 1.minutes, Checks.LOCAL, answerTime = BRIEF) {
                        if (rank == missing) {
                            others.await()
                            return@onTransports null
                        }
                        val world = during("save 7", BRIEF)
                        shouldThrow<RanksMissingException> {
                            world.gather(0, NOTHING)
                            world.scatter(0, if (rank == 0) List(size) { NOTHING } else null)
                        }.message.also { others.countDown() }
                    }
                failures.filterNotNull().distinct().single() shouldStartWith
                    "gather #2 of world during 'save 7': rank $missing did not arrive (the limit of $BRIEF has " +
                    "passed). rank $missing on node0: does not answer"
            }
        }

        test("a rank that is held up by the missing one is not blamed for it") {
            val others = CountDownLatch(2)
            val failures =
                onTransports(3, 1.minutes, Checks.LOCAL, answerTime = BRIEF) {
                    if (rank == 1) {
                        others.await()
                        return@onTransports null
                    }
                    shouldThrow<RanksMissingException> {
                        val world = during("save 7", if (rank == 0) BRIEF else 1.minutes)
                        world.gather(2, NOTHING)
                        world.scatter(2, if (rank == 2) List(size) { NOTHING } else null)
                    }.message.also { others.countDown() }
                }
            failures.filterNotNull().distinct().single() shouldStartWith
                "scatter #3 of world during 'save 7': rank 1 did not arrive (the limit of $BRIEF has passed)."
        }

        test("a rank that waits somewhere else is told from one that does not answer") {
            val failures =
                onTransports(3, 1.minutes, answerTime = 1.minutes) {
                    if (rank == 1) {
                        receive(0, 5)
                        null
                    } else {
                        shouldThrow<RanksMissingException> { during("save 7", BRIEF).barrier() }
                            .also { if (rank == 0) send(1, 5, NOTHING) }
                    }
                }
            failures[0]?.message shouldContain "rank 1 on node0: waits in receive (tag 5) of world since"
        }

        test("a message that does not come misses the rank that should send it") {
            val failures =
                onTransports(2, 1.minutes) {
                    if (rank == 0) return@onTransports null
                    shouldThrow<RanksMissingException> { during("drain", BRIEF).receive(0, 5) }
                }
            failures[1]?.message shouldStartWith "receive (tag 5) of world during 'drain': rank 0 did not arrive"
        }

        test("different calls are found by the check") {
            val failures =
                onTransports(5, 1.minutes) {
                    shouldThrow<CallsDifferException> {
                        if (rank == 3) gather(1, NOTHING) else during("load").barrier()
                    }.message
                }
            failures.distinct().single() shouldBe
                "rank 3 calls gather #2 of world with root 1, " +
                "but ranks 0-2, 4 call barrier #2 of world during 'load'. " +
                "All ranks of world must make the same calls in the same order"
        }

        test("ranks that name different roots are found by the check, even if each names itself") {
            val calls =
                listOf<suspend Communicator.() -> Any?>(
                    { broadcast(rank, bytesOf(1L)) },
                    { broadcastValue(rank) { "text" } },
                    { gather(rank, bytesOf(1L)) },
                    { gather(rank, doubleArrayOf(1.0)) },
                    { scatter(rank, List(size) { bytesOf(1L) }) },
                    { scatter(rank, List(size) { "text" }) },
                )
            for (call in calls) {
                onTransports(3, 1.minutes, Checks.CALLS) { shouldThrow<CallsDifferException> { call() }.message }
                    .distinct()
                    .single() shouldContain " of world with root 1, but rank 0 calls "
            }
        }

        test("without checks, different calls do not mix up their bytes") {
            val failures =
                onTransports(2, 1.minutes, Checks.LOCAL) {
                    val world = during("save 7", BRIEF)
                    shouldThrow<RanksMissingException> {
                        if (rank == 0) world.barrier() else world.gather(1, bytesOf(1L))
                    }.message
                }
            failures[0] shouldStartWith "barrier #2 of world during 'save 7': rank 1 did not arrive"
            failures[1] shouldStartWith "gather #2 of world during 'save 7': rank 0 did not arrive"
        }
    })

/** A limit that is to pass. */
private val BRIEF = 500.milliseconds

internal suspend fun <T> onTransports(
    count: Int,
    limit: Duration,
    checks: Checks = Checks.SIZES,
    answerTime: Duration = 1.seconds,
    around: (Transport) -> Transport = { it },
    body: suspend TransportCommunicator.() -> T,
): List<T> {
    val network = MemoryNetwork(count)
    // A rank that waits blocks its thread, so each has one.
    val threads = Dispatchers.IO.limitedParallelism(count)
    return coroutineScope {
        List(count) { rank ->
            async(threads) {
                val transport = around(network.transport(rank))
                TransportCommunicator.connect(transport, checks, limit, answerTime = answerTime).body()
            }
        }.awaitAll()
    }
}
