package dev.cairn.concentrate

import dev.cairn.event.CheckpointException.InvalidDeclaration
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.maps.shouldHaveSize
import io.kotest.matchers.shouldBe

/** Which ranks are dedicated, and to which others. */
class DedicationPlanSpec :
    FunSpec({
        fun clients(hosts: String, rule: Concentrators): Map<Int, List<Int>> {
            val plan = DedicationPlan.of(hosts.map { "node$it" }, rule)
            return hosts.indices.filter { it !in plan.computing }.associateWith(plan::clientsOf)
        }

        test("a rank is the client of a dedicated rank of its host") {
            clients("aaabbb", Concentrators.perHost(1)) shouldBe mapOf(0 to listOf(1, 2), 3 to listOf(4, 5))
            clients("ababab", Concentrators.perHost(1)) shouldBe mapOf(0 to listOf(2, 4), 1 to listOf(3, 5))
        }

        test("the dedicated ranks of a host share its ranks, and without one all dedicated ranks do") {
            clients("aaaaaa", Concentrators.ranks(2, 5)) shouldBe mapOf(2 to listOf(0, 3), 5 to listOf(1, 4))
            clients("aabbcc", Concentrators.ranks(0, 2)) shouldBe mapOf(0 to listOf(1, 4), 2 to listOf(3, 5))
        }

        test("a rank that would have no client computes") {
            clients("aaab", Concentrators.perHost(1)) shouldBe mapOf(0 to listOf(1, 2, 3))
        }

        test("one rank at least must be left to compute") {
            shouldThrow<InvalidDeclaration> { clients("aaa", Concentrators.everyNth(1)) }.message shouldBe
                "every:1 dedicates all of 3 ranks, and none is left to compute. Start more ranks, or dedicate fewer"
        }

        test("stripes near their ranks are for concentrators") {
            shouldThrow<InvalidDeclaration> { clients("aaa", Concentrators.ranks(0).near()) }.message shouldBe
                "ranks:0:near: dedicated ranks have no stripes that could be near. Leave out near()"
        }

        test("each rank is dedicated or the client of one, on thousands of hosts") {
            val hosts = List(8000) { "node${it / 4}" }
            val plan = DedicationPlan.of(hosts, Concentrators.perHost(1))
            val clients = hosts.indices.filter { it !in plan.computing }.associateWith(plan::clientsOf)
            clients shouldHaveSize 2000
            clients.values.flatten().sorted() shouldBe plan.computing.sorted()
            clients.forEach { (dedicated, own) -> own shouldBe (1..3).map { dedicated + it } }
        }
    })
