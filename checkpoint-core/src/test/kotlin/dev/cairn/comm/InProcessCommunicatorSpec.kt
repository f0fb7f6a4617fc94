package dev.cairn.comm

import io.kotest.core.spec.style.FunSpec
import kotlin.random.Random

/** Four ranks to a host, as fast as they can and one after the other. */
class InProcessCommunicatorSpec :
    FunSpec({
        fun plan(count: Int) = RankPlan(count, hosts = { "node${it / 4}" })

        include(communicatorContract("fast") { count, body -> ranks(plan(count), body) })

        include(
            communicatorContract("deterministic") { count, body ->
                val seed = Random.nextLong()
                println("InProcessCommunicatorSpec: seed $seed")
                ranks(plan(count).withSchedule(Schedule.Deterministic(seed)), body)
            },
        )
    })
