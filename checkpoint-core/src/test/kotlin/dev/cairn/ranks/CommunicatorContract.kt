package dev.cairn.ranks

import dev.cairn.event.CallsDifferException
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.RankFailedException
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.funSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import java.nio.ByteBuffer
import java.nio.file.Path
import java.util.concurrent.atomic.AtomicInteger
import java.util.function.BinaryOperator

/** Runs a body on a number of ranks and waits for all; rethrows what a rank threw. */
internal fun interface Launcher {
    suspend fun launch(count: Int, body: suspend Communicator.() -> Unit)
}

/** What every communicator owes, tested on several numbers of ranks. */
internal fun communicatorContract(implementation: String, launcher: Launcher) =
    funSpec {
        for (count in listOf(1, 2, 3, 4, 7, 64)) {
            for ((promise, body) in communicatorPromises(count)) {
                test("$implementation, $count ranks: $promise") {
                    launcher.launch(count) {
                        size shouldBe count
                        body()
                    }
                }
            }
        }
    }

/** What every communicator of [count] ranks owes, and how each of its ranks sees to it. Expected values are formulas. */
internal fun communicatorPromises(count: Int): Map<String, suspend Communicator.() -> Unit> =
    buildMap {
        fun onRanks(promise: String, body: suspend Communicator.() -> Unit) = check(put(promise, body) == null)

        onRanks("a message arrives as it was, and in the order of its tag") {
            val next = (rank + 1) % size
            val previous = (rank + size - 1) % size
            send(next, 7, bytesOf(rank.toLong(), 1))
            send(next, 8, bytesOf("from $rank"))
            send(next, 7, bytesOf(rank.toLong(), 2))
            textOf(receive(previous, 8)) shouldBe "from $previous"
            longsOf(receive(previous, 7)) shouldBe longArrayOf(previous.toLong(), 1)
            longsOf(receive(previous, 7)) shouldBe longArrayOf(previous.toLong(), 2)
        }

        onRanks("a poll takes a message that has come, and does not wait for others") {
            val next = (rank + 1) % size
            val previous = (rank + size - 1) % size
            poll(previous, 5) shouldBe null
            barrier()
            send(next, 5, bytesOf(rank.toLong(), 1))
            send(next, 5, bytesOf(rank.toLong(), 2))
            send(next, 6, bytesOf("sent last"))
            textOf(receive(previous, 6)) shouldBe "sent last"
            longsOf(checkNotNull(poll(previous, 5))) shouldBe longArrayOf(previous.toLong(), 1)
            longsOf(receive(previous, 5)) shouldBe longArrayOf(previous.toLong(), 2)
            poll(previous, 5) shouldBe null
            // None has ended before, of which it would be known that no message comes.
            barrier()
        }

        onRanks("rank 0 answers what all ranks bring, each or all alike, or by itself") {
            val own = Result.success(listOf("of $rank"))
            val places = assign("place", WORDS, WORDS, own) { all -> all.map { it + "of $size" } }
            places shouldBe listOf("of $rank", "of $size")
            agree("count", WORDS, WORDS, own) { all -> all.flatten().reversed() } shouldBe
                List(size) { "of ${size - 1 - it}" }
            decide("count", WORDS) { listOf("from $rank") } shouldBe listOf("from 0")
            decide("count", WORDS) { emptyList() } shouldBe emptyList()
            decide("count", BYTES) { ByteBuffer.allocate(0) }.remaining() shouldBe 0
            decide("go on", DONE) { } shouldBe Unit
            largest("count", Result.success(rank.toLong())) shouldBe size - 1
            shareAll("count", Result.success(bytesOf(rank.toLong()))) { all -> all.sumOf { it.getLong(0) } } shouldBe
                size * (size - 1) / 2
        }

        onRanks("where a rank fails no rank gets an answer, and all throw the same") {
            val failed = size / 2
            val step = if (size == 1) "step" else "part $failed"
            val own: Result<List<String>> =
                if (rank >= failed) Result.failure(IllegalStateException("no $rank")) else Result.success(emptyList())
            val ofStep = if (size == 1) own else own.atStep("part $rank")

            suspend fun refused(answer: suspend () -> Any) {
                val failure = shouldThrow<RankFailedException> { answer() }
                failure.step shouldBe step
                failure.failures.map { it.rank } shouldBe (failed until size).toList()
                failure.message shouldContain if (size == 1) "'$step' failed" else "'$step' was abandoned on all ranks"
                failure.message shouldContain "no $failed"
            }
            refused { assign("step", WORDS, WORDS, ofStep) { error("this is not called") } }
            refused { agree("step", WORDS, WORDS, ofStep) { error("this is not called") } }
            refused { largest("step", ofStep.map { 1 }) }
            refused { shareAll("step", ofStep.map { bytesOf(1) }) { error("this is not called") } }
            refused { together("step", ofStep) }
            barrier()
        }

        onRanks("where rank 0 finds no answer all throw the same, with its data") {
            suspend fun refused(answer: suspend () -> Any) {
                val failure = shouldThrow<RankFailedException> { answer() }
                failure.step shouldBe "step"
                failure.failures.map { it.rank } shouldBe listOf(ROOT)
                failure.cause.shouldBeInstanceOf<CheckpointException.Unreadable>().path shouldBe Path.of("lost.cairn")
            }
            val lost = CheckpointException.Unreadable(Details("lost.cairn: it is gone", path = Path.of("lost.cairn")))
            val own = Result.success(emptyList<String>())
            refused { assign<_, List<String>>("step", WORDS, WORDS, own) { throw lost } }
            refused { agree<_, List<String>>("step", WORDS, WORDS, own) { throw lost } }
            refused { decide<List<String>>("step", WORDS) { throw lost } }
            refused { decideBytes("step") { throw lost } }
            barrier()
        }

        onRanks("a payload may be reused as soon as it is handed over") {
            val buffer = bytesOf(rank.toLong())
            send((rank + 1) % size, 1, buffer)
            buffer.putLong(0, -1)
            receive((rank + size - 1) % size, 1).getLong(0) shouldBe (rank + size - 1) % size
            buffer.putLong(0, rank.toLong())
            val all = allGather(buffer)
            buffer.putLong(0, -1)
            all.map { it.getLong(0) } shouldBe List(size) { it.toLong() }
            buffer.position() shouldBe 0
        }

        onRanks("only the remaining bytes of a payload travel") {
            val payload = ByteBuffer.wrap(byteArrayOf(9, 8, 7, 6)).position(1).limit(3)
            allGather(payload).forEach { bytes(it) shouldBe byteArrayOf(8, 7) }
        }

        onRanks("a broadcast gives all ranks the value of the root, for any root") {
            for (root in setOf(0, size / 2, size - 1)) {
                broadcastText(root) { "from $root" } shouldBe "from $root"
            }
        }

        onRanks("a gather gives the root one payload of each rank, in order") {
            for (root in setOf(0, size - 1)) {
                val gathered = gather(root, contribution(rank))
                gathered.map(::bytes) shouldBe if (rank == root) List(size) { bytes(contribution(it)) } else emptyList()
            }
        }

        onRanks("a scatter gives each rank its own") {
            val root = size - 1
            val parts = if (rank == root) List(size) { contribution(it) } else null
            bytes(scatter(root, parts)) shouldBe bytes(contribution(rank))
        }

        onRanks("all ranks gather from all, also from those with nothing") {
            val gathered = allGather(contribution(rank))
            repeat(2) { gathered.map(::bytes) shouldBe List(size) { bytes(contribution(it)) } }
        }

        onRanks("all to all transposes") {
            val sent =
                List(size) { target ->
                    val isLeftOut = (rank + target) % 3 == 0
                    if (isLeftOut) NOTHING else bytesOf(rank * 1000L + target)
                }
            val received = allToAll(sent)
            received.map { longsOf(it).toList() } shouldBe
                List(size) { source -> if ((source + rank) % 3 == 0) emptyList() else listOf(source * 1000L + rank) }
        }

        onRanks("numbers are reduced") {
            allReduce(rank.toLong(), Long::plus) shouldBe size * (size - 1L) / 2
            allReduce(rank.toDouble(), Math::max) shouldBe size - 1.0
            allReduce(longArrayOf(1, rank.toLong()), Long::plus) shouldBe
                longArrayOf(size.toLong(), size * (size - 1L) / 2)
            allReduce(LongArray(0), Long::plus) shouldBe LongArray(0)
        }

        onRanks("a combination that does not commute keeps the order of ranks") {
            val digit = ByteBuffer.wrap(byteArrayOf(rank.toByte()))
            bytes(allReduce(digit, ::joined)) shouldBe ByteArray(size) { it.toByte() }
        }

        onRanks("an exclusive scan sees the ranks below") {
            exScan(rank + 1L, 0, Long::plus) shouldBe rank * (rank + 1L) / 2
            exScan(ByteBuffer.wrap(byteArrayOf(rank.toByte())), ::joined)?.let(::bytes) shouldBe
                if (rank == 0) null else ByteArray(rank) { it.toByte() }
        }

        onRanks("a combination may read its payloads to the end") {
            val sum = BinaryOperator<ByteBuffer> { lower, upper -> bytesOf(lower.getLong() + upper.getLong()) }
            allReduce(bytesOf(rank + 1L), sum).getLong(0) shouldBe size * (size + 1L) / 2
            exScan(bytesOf(1L), sum)?.getLong() shouldBe if (rank == 0) null else rank.toLong()
        }

        onRanks("parts are ordered by key, and a rank may stay out") {
            val part = split(if (rank == 0) Communicator.NO_GROUP else rank % 2, key = -rank)
            if (rank == 0) {
                part shouldBe null
            } else {
                val members = (1 until size).filter { it % 2 == rank % 2 }.sortedDescending()
                part!!.size shouldBe members.size
                part.allGatherLong(rank.toLong()).toList() shouldBe members.map { it.toLong() }
                part.rank shouldBe members.indexOf(rank)
            }
            barrier()
        }

        onRanks("a part has messages of its own") {
            val part = split(rank % 2)!!
            val target = (part.rank + 1) % part.size
            send(rank, 5, bytesOf("world"))
            part.send(target, 5, bytesOf("part"))
            textOf(part.receive((part.rank + part.size - 1) % part.size, 5)) shouldBe "part"
            textOf(receive(rank, 5)) shouldBe "world"
        }

        onRanks("a host's ranks find each other") {
            val hosts = allGatherText(host)
            val group = hostGroup()
            group.allGatherLong(rank.toLong()).toList() shouldBe
                hosts.indices.filter { hosts[it] == host }.map { it.toLong() }
        }

        onRanks("what ranks share in their process is made once for all that are told to come") {
            repeat(2) { round ->
                val shared = shareInProcess { rankCount -> Shared(round, rankCount) }
                shared.round shouldBe round
                val isFirst = shared.visits.getAndIncrement() == 0
                allReduce(if (isFirst) shared.rankCount.toLong() else 0, Long::plus) shouldBe size
                shared.visits.get() shouldBe shared.rankCount
            }
        }

        onRanks("one rank's failure reaches all with its cause") {
            val failed = size / 2
            val failure =
                shouldThrow<RankFailedException> {
                    collectively("write chunks") { if (rank == failed) error("disk full") else rank }
                }
            failure.rank shouldBe failed
            failure.host shouldBe allGatherText(host)[failed]
            // The program of a single rank may know no ranks.
            val all = "was abandoned on all ranks, because rank $failed on ${failure.host} "
            failure.message shouldBe
                "'write chunks' ${if (size == 1) "" else all}failed: java.lang.IllegalStateException: disk full"
            failure.cause.toString() shouldBe "java.lang.IllegalStateException: disk full"
            collectively("write again") { rank } shouldBe rank
        }

        onRanks("all failures are told") {
            val failure = shouldThrow<RankFailedException> { collectively("read") { error("no $rank") } }
            failure.failures.map { it.rank } shouldBe List(size) { it }
        }

        onRanks("arguments that cannot be are refused at once") {
            shouldThrow<IllegalArgumentException> { send(size, 0, NOTHING) }.message shouldBe
                "the target is rank $size, but $name has the ranks 0 to ${size - 1}"
            shouldThrow<IllegalArgumentException> { receive(-1, 0) }
            shouldThrow<IllegalArgumentException> { send(0, -1, NOTHING) }
            shouldThrow<IllegalArgumentException> { broadcast(size, NOTHING) }
            shouldThrow<IllegalArgumentException> { allToAll(List(size + 1) { NOTHING }) }
            barrier()
        }

        if (count > 1) {
            onRanks("sizes that differ are found where they must not") {
                val failure =
                    shouldThrow<CallsDifferException> { allReduce(LongArray(if (rank == 1) 3 else 2), Long::plus) }
                failure.message shouldContain
                    "needs payloads of one size, but rank 0 passes 16 bytes, and rank 1 brings 24 bytes"
            }
        }
    }

private class Shared(val round: Int, val rankCount: Int) {
    val visits = AtomicInteger()
}

/** What rank [rank] brings: every third nothing, the others as many bytes as their rank. */
private fun contribution(rank: Int): ByteBuffer {
    val size = if (rank % 3 == 0) 0 else rank
    return ByteBuffer.wrap(ByteArray(size) { (rank + it).toByte() })
}

private fun bytes(payload: ByteBuffer) = ByteArray(payload.remaining()).also { payload.duplicate().get(it) }

private val WORD = Structure("") { text(it) }

private val WORDS = MessageFields("words", emptyList<String>()) { list(it, WORD) }
