package dev.cairn.house

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeSorted
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import kotlin.io.path.readLines
import kotlin.random.Random

class CampaignSpec :
    FunSpec({
        test("docs/testing.md has a line with the counts of each campaign, in the same order") {
            val line = Regex("\\| `([A-Z_]+)` \\|.*\\| ([^|]+) \\| ([^|]+) \\| ([^|]+) \\| ([^|]+) \\|")
            val told =
                Path
                    .of("../../docs/testing.md")
                    .readLines()
                    .mapNotNull { line.matchEntire(it)?.destructured?.toList() }

            told shouldBe
                Campaign.entries.map { campaign -> listOf(campaign.name) + Speed.entries.map { campaign.words(it) } }
        }

        test("a faster build runs no more of anything, and at most 50 seeds on 2 processes") {
            for (campaign in Campaign.entries) {
                Speed.entries.map(campaign::countAt).shouldBeSorted()
            }
            Campaign.SEEDS.small shouldBe 50
            Campaign.PROCESSES.small shouldBe 2
        }

        test("what is chosen is in order, comes from everywhere, and is the same for the same seed") {
            val all = (0 until 1000).toList()
            val chosen = Campaign.CRASH_POINTS.someOf(all, Random(7))

            chosen.shouldBeSorted()
            chosen.distinct() shouldHaveSize Campaign.CRASH_POINTS.limit(1000)
            chosen shouldBe Campaign.CRASH_POINTS.someOf(all, Random(7))
            if (!Campaign.CRASH_POINTS.isWhole) {
                val part = 1000 / Campaign.CRASH_POINTS.count
                chosen.zipWithNext { one, next -> next - one }.max() shouldBeLessThanOrEqual 2 * part + 1
            }
            Campaign.CRASH_POINTS.someOf(listOf(3, 1)) shouldBe listOf(3, 1)
        }

        test("each campaign takes as many cases as it counts, and none if it is off") {
            for (campaign in Campaign.entries) {
                campaign.someOf(listOf(1, 2, 3)) shouldHaveSize campaign.limit(3)
            }
        }

        test("a speed that there is not is refused") {
            shouldThrow<IllegalArgumentException> { Speed.of("fast") }.message shouldBe
                "-Dcairn.campaigns=fast: expected one of small, middle, long, full. docs/testing.md says what each of them runs."
            Speed.of("middle") shouldBe Speed.MIDDLE
        }
    })
