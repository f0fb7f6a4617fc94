package dev.cairn.heap

import dev.cairn.heap.Forgotten.Note
import dev.cairn.heap.planted.run
import dev.cairn.house.Campaign
import dev.cairn.house.Need
import dev.cairn.house.needs
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.shouldBe

/** What is told of state that the program declared. */
class DeclaredStateSpec :
    FunSpec({
        fun found(program: String): List<Forgotten> {
            val directory = tempdir().toPath()
            val main = "dev.cairn.heap.planted.$program"
            for (change in listOf("none", "all")) run(main, "$directory", change)
            val dumps = listOf("none", "all").map { directory.resolve("$it.hprof") }
            val classes = ProgramClasses(main, DeclaredStateSpec::class.java.classLoader)
            return compareHeaps(dumps[0], dumps[1], classes, ignored = Ignored(setOf("java.lang.String")))
        }

        test("an array, a property, a variable of an item's name, and what may be declared or never was") {
            val perhaps = Note.PerhapsDeclared(listOf("temperature"))
            found("Declaring").associate { it.place to it.note } shouldBe
                mapOf(
                    "Declaring.year" to Note.Declared("year"),
                    "Declaring.ground" to Note.Declared("ground"),
                    "Declaring.lost" to Note.NeverDeclared,
                    "local variable water of Declaring.main" to Note.Declared("water"),
                    "Tank.level" to Note.Declared("level of the tank"),
                    "Tank.steps" to Note.Declared("steps"),
                    "Tank.heat" to perhaps,
                    "Tank.calls" to perhaps,
                )
        }

        test("a local variable of a rank that waits").config(
            enabledOrReasonIf = needs { Need.CAMPAIGN.given(Campaign.STARTED_PROGRAMS.isOn) },
        ) {
            val local = "local variable mine of OnRanks.main"
            found("OnRanks").map { Triple(it.place, it.unbroken, it.restarted) } shouldContain Triple(local, "0", "1")
        }
    })
