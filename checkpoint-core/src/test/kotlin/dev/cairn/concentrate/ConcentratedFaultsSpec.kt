package dev.cairn.concentrate

import dev.cairn.house.Campaign
import dev.cairn.multifile.Histogram
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.MessageTags
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainAll
import java.nio.ByteBuffer

/** Very many small writes and reads with random faults; `-Dcairn.seed=N` runs those from N on. */
class ConcentratedFaultsSpec :
    FunSpec({
        quietly()

        test("whatever fails, all ranks have the right bytes or the same failure") {
            val histogram = Histogram()
            runTrials(Campaign.SEEDS.count, histogram) { ConcentratedTrial(it) }
            println(histogram)
            histogram.outcomes.keys shouldContainAll
                listOf("write: success", "read: success", "write: the disk's failure", "read: the disk's failure")
            histogram.faults.keys shouldContainAll listOf("RankDies", "RankIsSlow", "MessagesAreDelayed")
        }

        test("an answer that is lost is found") {
            shouldThrow<AssertionError> {
                runTrials(TRIALS) { ConcentratedTrial(it, ConcentratedTrial.Plant(communicator = ::LosingAnswers)) }
            }
        }

        test("a request that forgets its last bytes is found") {
            shouldThrow<AssertionError> {
                runTrials(TRIALS) { ConcentratedTrial(it, ConcentratedTrial.Plant(request = ::ForgettingTheEnd)) }
            }
        }
    })

private const val TRIALS = 200

private suspend fun runTrials(
    count: Int,
    histogram: Histogram = Histogram(),
    trial: (seed: Long) -> ConcentratedTrial,
) {
    val first = Campaign.seed
    println("ConcentratedFaultsSpec: $count seeds from $first")
    for (seed in first until first + count) {
        val one = trial(seed)
        runCatching { one.run(histogram) }.onFailure { throw AssertionError("seed $seed: $one", it) }
    }
}

/** Loses the third message to a rank that waits for an answer. */
private class LosingAnswers(private val ranks: Communicator) : Communicator by ranks {
    private var answerCount = 0

    override suspend fun send(target: Int, tag: Int, payload: ByteBuffer) {
        if (tag == MessageTags.WINDOW_ANSWER && ++answerCount == 3) return
        ranks.send(target, tag, payload)
    }
}

/** A request of which a part behind its middle is never asked for. */
private class ForgettingTheEnd(private val request: Request) : Request by request {
    private val middle = request.end / 2

    override fun nextByte(from: Long): Long = request.nextByte(from).let { if (it > middle) Request.NONE else it }
}
