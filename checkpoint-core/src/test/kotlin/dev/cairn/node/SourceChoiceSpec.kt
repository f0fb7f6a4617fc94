package dev.cairn.node

import dev.cairn.store.Flaw
import dev.cairn.store.SealedPlaces
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe

/** From where a restart takes each file of a sealed save. */
class SourceChoiceSpec :
    FunSpec({
        val none = emptySet<String>()

        test("files come from the hosts that wrote them, though others have copies") {
            val all = listOf("f1", "f2", "f3")
            val choice = choice(none, finds("n1", all), finds("n2", all), finds("n3", all))
            choice.next().named() shouldBe listOf("f1 from n1, rank 0", "f2 from n2, rank 1", "f3 from n3, rank 2")
        }

        test("copies of the files of a lost host come from hosts that have little to do") {
            val choice = choice(none, finds("n2", listOf("f1", "f2", "f3")), finds("n9", listOf("f1", "f3")))
            choice.next().named() shouldBe listOf("f1 from n9, rank 1", "f2 from n2, rank 0", "f3 from n2, rank 0")
        }

        test("files in the shared store are preferred, and verified by ranks that have little to do") {
            val choice =
                choice(
                    setOf("f1", "f3"),
                    finds("n1", listOf("f1")),
                    finds("n2", listOf("f2")),
                    finds("n3", emptyList()),
                )
            choice.next().named() shouldBe
                listOf("f1 from the shared store, rank 0", "f2 from n2, rank 1", "f3 from the shared store, rank 2")
        }

        test("a source that has failed is replaced by the next best, until none is left") {
            val choice = choice(setOf("f1", "f2", "f3"), finds("n2", listOf("f1")), finds("n1", listOf("f1")))
            val sources = mutableListOf<String>()
            while (true) {
                val parts = choice.next().associateBy { "f${it.file.last()}" }
                parts["f2"]?.let(choice::succeed)
                parts["f3"]?.let(choice::succeed)
                val part = parts["f1"] ?: break
                choice.missing.shouldBeEmpty()
                sources += "${part.source}"
                choice.fail(part, PartFlaw(Flaw.DAMAGED, "flaw ${sources.size}"))
            }
            sources shouldBe listOf("the shared store", "n1", "n2")
            val missing = choice.missing.single()
            "$missing" shouldBe "data.sion.000001 on n1 below /s or on n2 below /s"
            choice.flawOf(missing) shouldBe "flaw 3"
        }

        test("a file may be read later if the disk of any of its sources returns errors") {
            for (unreadable in listOf(null, "n1", "n2")) {
                val choice = choice(none, finds("n1", listOf("f1")), finds("n2", listOf("f1")))
                repeat(2) {
                    val part = choice.next().single()
                    val flaw = if (part.source.host == unreadable) Flaw.UNREADABLE else Flaw.DAMAGED
                    choice.fail(part, PartFlaw(flaw, "a flaw"))
                }
                choice.missing.filter(choice::mayBeReadLater).map { it.name } shouldBe
                    if (unreadable == null) emptyList() else listOf("data.sion.000001")
            }
        }

        test("a file that was never found has no flaw") {
            val choice = choice(none, finds("n1", listOf("f1")))
            choice.missing.map { it.name } shouldBe listOf("data.sion.000002", "data.sion.000003")
            choice.flawOf(choice.missing.first()).shouldBeNull()
            choice.next().named() shouldBe listOf("f1 from n1, rank 0")
        }

        test("what came from where is told by source") {
            val choice = choice(setOf("f2"), finds("n1", listOf("f1", "f3")))
            choice.next().forEach(choice::succeed)
            choice.next().shouldBeEmpty()
            "$choice" shouldBe "data.sion.000001, data.sion.000003 from n1; data.sion.000002 had been drained before"
        }
    })

/** Three files, each on two hosts: `f1` stands for `data.sion.000001`. */
private fun choice(drained: Set<String>, vararg finds: HostFinds): SourceChoice {
    val places = (1..3).flatMap { listOf("f$it on n$it", "f$it on n${it % 3 + 1}") }
    val text = places.joinToString("\n") { "${it.full()} below /s, meta data 0000000a" }
    return SourceChoice(SealedPlaces.of(text, 3).files, drained.map { it.full() }.toSet(), finds.toList())
}

private fun finds(host: String, files: List<String>) = HostFinds(host, files.map { it.full() })

private fun String.full() = replace(Regex("f([0-9])"), "data.sion.00000$1")

private fun List<SealedPart>.named() =
    sortedBy { it.file }.map { "f${it.file.last()} from ${it.source}, rank ${it.source.rank}" }
