package dev.cairn.examples.forgotten

import dev.cairn.examples.forgotten.Examination.examine
import dev.cairn.examples.forgotten.Examination.searchLarge
import dev.cairn.examples.forgotten.Examination.searchRight
import dev.cairn.house.Campaign
import dev.cairn.house.Need
import dev.cairn.house.needs
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.inspectors.shouldForAll
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlin.time.measureTimedValue

/**
 * The search for forgotten state names what the programs of this package forget, and nothing where they forget nothing. The whole
 * examination writes its results into docs/reference/forgotten-state.md with `-Dcairn.forgotten.update=true`.
 */
class ExaminationSpec :
    FunSpec({
        val planted = Campaign.NAMED_OMISSIONS.someOf(PlantedOmission.all.filter { it.id != REFUSED })
        val isChosen = needs { Need.CAMPAIGN.given(planted.isNotEmpty()) }

        test("what a program forgets is named, as the page says, and nothing in a program that forgets nothing").config(
            enabledOrReasonIf = isChosen,
        ) {
            val alarms =
                planted.map { it.program }.distinct().associateWith {
                    searchRight(
                        it,
                        tempdir().toPath(),
                    ).findings
                }
            val answers =
                planted.map { omission ->
                    examine(omission, tempdir().toPath()).also { println(ExaminationPage.rowOf(it)) }
                }
            val falseAlarms = alarms.values.sumOf { it.size }
            if (System.getProperty("cairn.forgotten.update").toBoolean()) ExaminationPage.write(answers, falseAlarms)
            println(answers.filter { it.named == null }.joinToString("\n") { "${it.planted.id}: ${it.state}" })
            falseAlarms shouldBeLessThanOrEqual MOST_FALSE_ALARMS
            val page = ExaminationPage.text()
            answers.shouldForAll { page shouldContain ExaminationPage.rowOf(it) }
            if (Campaign.NAMED_OMISSIONS.isWhole) {
                answers.count { it.named != null } / answers.size.toDouble() shouldBeGreaterThanOrEqual
                    LEAST_NAMED
            }
        }

        test("nothing is found in a program with a heap of 200 MiB that forgets nothing").config(
            enabledOrReasonIf = isChosen,
        ) {
            val (state, took) = measureTimedValue { searchLarge(tempdir().toPath()) }
            println("a search in a heap of 200 MiB takes $took")
            state.findings shouldBe emptyList()
        }
    })

/** 48 of 50. */
private const val LEAST_NAMED = 0.96
private const val MOST_FALSE_ALARMS = 2
