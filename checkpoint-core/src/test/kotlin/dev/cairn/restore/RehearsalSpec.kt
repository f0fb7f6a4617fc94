package dev.cairn.restore

import dev.cairn.state.PerRankRule
import dev.cairn.stateBuilder
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

class RehearsalSpec :
    FunSpec({
        test("a save tells on how many ranks it can be restored, and what stands in the way") {
            val state = stateBuilder()
            state.replicated("time", { 1.0 }, {})
            state.perRank("sum", { 1L }, {}, PerRankRule.Merge { it.sum() })
            rehearse(state.state.items, 4) shouldBe "can be restored on any number of ranks"
            state.perRank("cache", { 1L }, {})
            rehearse(state.state.items, 4) shouldBe
                "can be restored on 4 ranks only, since 'cache' has no rule for another number"
            state.perRank("visits", { 1L }, {})
            rehearse(state.state.items, 4) shouldBe
                "can be restored on 4 ranks only, since 'cache', 'visits' have no rule for another number"
        }
    })
