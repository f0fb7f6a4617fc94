package dev.cairn.run

import dev.cairn.house.Campaign
import dev.cairn.options.DrainRule
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import kotlin.random.Random

class SealedSavesSpec :
    FunSpec({
        test("the newest save waits for the drain, and supersedes the one that waited before") {
            val saves = SealedSaves<Int>(DrainRule.newest(), keep = 2)
            saves.add(1).shouldBeEmpty()
            saves.next() shouldBe 1
            saves.add(2).shouldBeEmpty()
            saves.next() shouldBe null
            saves.isFull shouldBe false
            saves.add(3) shouldBe listOf(2)
            saves.draining shouldBe 1
            saves.committed(1).shouldBeEmpty()
            saves.next() shouldBe 3
        }

        test("if hosts keep one save, a save waits until that is drained") {
            val saves = SealedSaves<Int>(DrainRule.newest(), keep = 1)
            saves.isFull shouldBe false
            saves.add(1)
            saves.next()
            saves.isFull shouldBe true
            saves.failed()
            saves.isFull shouldBe false
            saves.add(2) shouldBe listOf(1)
        }

        test("if every save is drained, none is superseded, and the program waits") {
            val saves = SealedSaves<Int>(DrainRule.every(), keep = 2)
            saves.add(1)
            saves.next()
            saves.isFull shouldBe false
            saves.add(2).shouldBeEmpty()
            saves.isFull shouldBe true
            saves.committed(1).shouldBeEmpty()
            saves.isFull shouldBe false
            saves.next() shouldBe 2
        }

        test("every third save is drained, and the others stay until newer ones come") {
            val saves = SealedSaves<Int>(DrainRule.every(3), keep = 2)
            saves.add(1).shouldBeEmpty()
            saves.add(2).shouldBeEmpty()
            saves.next() shouldBe null
            saves.add(3) shouldBe listOf(1)
            saves.next() shouldBe 3
            saves.add(4) shouldBe listOf(2)
            saves.committed(3).shouldBeEmpty()
            saves.pending.shouldBeEmpty()
        }

        test("a commit supersedes older saves, and a drain that failed none") {
            val saves = SealedSaves<Int>(DrainRule.newest(), keep = 3)
            saves.add(1)
            saves.next()
            saves.failed()
            saves.add(2).shouldBeEmpty()
            saves.next() shouldBe 2
            saves.committed(2) shouldBe listOf(1)
        }

        test("no save is drained for the sake of a program that waits for a commit, if only the newest one matters") {
            val newest = SealedSaves<Int>(DrainRule.newest(), keep = 2)
            val every = SealedSaves<Int>(DrainRule.every(), keep = 2)
            for (saves in listOf(newest, every)) {
                saves.add(1)
                saves.next()
                saves.add(2)
                saves.rest()
            }
            newest.pending shouldBe listOf(1)
            every.pending shouldBe listOf(1, 2)
            newest.committed(1)
            newest.clear() shouldBe listOf(2)
        }

        test("they are drained after all if that save fails") {
            val saves = SealedSaves<Int>(DrainRule.newest(), keep = 2)
            saves.add(1)
            saves.next() shouldBe 1
            saves.add(2)
            saves.rest()
            saves.committed(1)
            saves.next() shouldBe null
            saves.goOn()
            saves.pending shouldBe listOf(2)
            saves.next() shouldBe 2
        }

        test("there are never more saves than are kept, and the newest is among them when it is sealed") {
            val seed = Campaign.seed
            val random = Random(seed)
            repeat(500) { run ->
                withClue("seed $seed, run $run") {
                    val rule =
                        listOf(
                            DrainRule.newest(),
                            DrainRule.every(),
                            DrainRule.every(3),
                            DrainRule.none(),
                        ).random(random)
                    val keep = random.nextInt(1, 5)
                    val saves = SealedSaves<Int>(rule, keep)
                    val held = mutableSetOf<Int>()
                    for (number in 1..30) {
                        while (saves.isFull || random.nextBoolean()) {
                            val drained = saves.draining ?: break
                            if (random.nextInt(4) == 0) {
                                saves.failed()
                            } else {
                                held -= drained
                                held -= saves.committed(drained).toSet()
                            }
                            saves.next()
                        }
                        saves.isFull shouldBe false
                        held += number
                        held -= saves.add(number).toSet()
                        saves.next()
                        held.size shouldBeLessThanOrEqual keep
                        held shouldContain number
                    }
                }
            }
        }
    })
