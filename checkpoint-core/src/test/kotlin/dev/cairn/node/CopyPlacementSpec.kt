package dev.cairn.node

import dev.cairn.house.Campaign
import dev.cairn.options.LocalCopies
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeUnique
import io.kotest.matchers.shouldBe
import kotlin.random.Random

class CopyPlacementSpec :
    FunSpec({
        test("two, four and six hosts hold two copies, or one, of one another's files") {
            copiesOn(2, 1).map { it.single() } shouldBe listOf(1, 0)
            copiesOn(4, 1).map { it.single() } shouldBe listOf(2, 3, 0, 1)
            copiesOn(4, 2) shouldBe listOf(listOf(1, 2), listOf(2, 3), listOf(3, 0), listOf(0, 1))
            copiesOn(6, 2) shouldBe List(6) { listOf((it + 2) % 6, (it + 4) % 6) }
        }

        test("copies of hosts in two racks lie in the other one, whatever the order of the hosts") {
            val racks = listOf("a", "b", "b", "a", "a", "b")
            val placement = CopyPlacement.of(racks, LocalCopies.exactly(1))
            racks.indices.forEach {
                racks[placement.targetsOf(it).single()] shouldBe
                    if (racks[it] ==
                        "a"
                    ) {
                        "b"
                    } else {
                        "a"
                    }
            }
        }

        test("too few hosts are refused") {
            shouldThrow<IllegalArgumentException> { copiesOn(1, 1) }.message shouldBe
                "1 copy of each file needs 2 hosts, and the ranks have 1"
            shouldThrow<IllegalArgumentException> { copiesOn(2, 2) }.message shouldBe
                "2 copies of each file need 3 hosts, and the ranks have 2"
            shouldThrow<IllegalArgumentException> {
                CopyPlacement.of(listOf("a", "a", "b"), LocalCopies.exactly(1))
            }.message shouldBe
                "1 copy of each file needs 2 hosts that do not fail together, and the 3 hosts are in these failure " +
                "groups: 2 in 'a', 1 in 'b'"
        }

        test("there are fewer copies on few hosts, if that is allowed") {
            CopyPlacement.of(listOf("a"), LocalCopies.atMost(2)).toString() shouldBe "on 1 host, each file has 0 copies"
            CopyPlacement.of(listOf("a", "b"), LocalCopies.atMost(2)).toString() shouldBe
                "on 2 hosts, each file has 1 copy"
            CopyPlacement.of(listOf("a", "a", "b", "b"), LocalCopies.atMost(2)).count shouldBe 1
            CopyPlacement.of(listOf("a", "a"), LocalCopies.atMost(1)).toString() shouldBe
                "on 2 hosts, each file has 1 copy, and some are in the failure group of the file or of another copy"
        }

        test(
            "hosts hold equally many copies, none of their own file, in different failure groups if these are small enough",
        ) {
            val seed = Campaign.seed
            val random = Random(seed)
            repeat(1000) { run ->
                withClue("seed $seed, run $run") {
                    val hostCount = random.nextInt(2, 40)
                    val copies = random.nextInt(1, minOf(hostCount, 5))
                    val groups = List(hostCount) { "${random.nextInt(1, hostCount + 1)}" }
                    val largest =
                        groups
                            .groupingBy { it }
                            .eachCount()
                            .values
                            .max()
                    val isSmall = largest * (copies + 1) <= hostCount
                    val wish = if (isSmall) LocalCopies.exactly(copies) else LocalCopies.atMost(copies)
                    val placement = CopyPlacement.of(groups, wish)
                    val targets = groups.indices.map { placement.targetsOf(it) }
                    targets.forEachIndexed { host, its -> (its + host).shouldBeUnique() }
                    targets
                        .flatten()
                        .groupingBy { it }
                        .eachCount()
                        .values
                        .distinct() shouldBe listOf(placement.count)
                    groups.indices.forEach { host ->
                        placement.sourcesOf(host) shouldBe groups.indices.filter { host in targets[it] }
                    }
                    if (isSmall) placement.isAsDemanded shouldBe true
                }
            }
        }
    })

private fun copiesOn(hosts: Int, copies: Int) =
    CopyPlacement.of(List(hosts) { "host$it" }, LocalCopies.exactly(copies)).let { placement ->
        List(hosts) { placement.targetsOf(it) }
    }
