package dev.cairn.examples.forgotten

import dev.cairn.examples.forgotten.Examination.BREAK
import dev.cairn.examples.forgotten.Examination.LAST
import dev.cairn.examples.forgotten.Examination.trialOf
import dev.cairn.house.Campaign
import dev.cairn.house.Need
import dev.cairn.house.needs
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeUnique
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.maps.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import java.lang.reflect.InvocationTargetException
import java.nio.file.Path
import kotlin.io.path.isRegularFile
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readBytes

/** Each planted omission shows in the results of a restart, or a restart refuses it, and nothing else does. */
class OmissionsSpec :
    FunSpec({
        val omissions = PlantedOmission.all
        val programs = omissions.groupBy { it.program }
        val started = Campaign.STARTED_PROGRAMS.someOf(programs.keys.toList())

        test("the list has at least 50 omissions, and 5 of each kind but plain fields") {
            omissions.map { it.id }.shouldBeUnique().size shouldBeGreaterThanOrEqual 50
            val kinds = omissions.groupingBy { it.kind }.eachCount() - "field"
            kinds.filterValues { it < 5 } shouldBe emptyMap()
        }

        for ((program, planted) in programs) {
            val right by lazy { resultsOf(program, tempdir().toPath(), forgotten = null, BREAK, LAST) }

            test("$program forgets nothing, and a restart changes nothing") {
                val (unbroken) = resultsOf(program, tempdir().toPath(), forgotten = null, LAST)
                unbroken.shouldNotBeEmpty()
                right.last() shouldBe unbroken
            }

            for ((id) in Campaign.PLANTED_OMISSIONS.someOf(planted)) {
                if (id == REFUSED) {
                    test("$program sets $id where it does not get it, and a restart refuses that") {
                        shouldThrow<InvocationTargetException> {
                            resultsOf(program, tempdir().toPath(), id, BREAK, LAST)
                        }.cause?.message shouldStartWith "the setter of 'bank of 0' has done nothing: "
                    }
                } else {
                    test("$program forgets $id, and a restart changes results") {
                        val (before, after) = resultsOf(program, tempdir().toPath(), id, BREAK, LAST)
                        before shouldBe right.first()
                        after shouldNotBe right.last()
                    }
                }
            }

            test("$program forgets nothing, and is killed: a restart changes nothing").config(
                enabledOrReasonIf = needs { Need.CAMPAIGN.given(program in started) },
            ) {
                val report = trialOf(program).runMain(tempdir().toPath(), "$PACKAGE.$program", "$LAST", ".")
                "$report" shouldContain "compared"
            }
        }
    })

private const val PACKAGE = FreshClasses.PACKAGE

/** Its setter runs on another thread than its getter, so that nothing seems to be set. */
internal const val REFUSED = "reactor.bank"

/** The files that a program has written in [folder] after each of its runs, which go [upTo] these steps. */
private fun resultsOf(program: String, folder: Path, forgotten: String?, vararg upTo: Long): List<Map<String, String>> =
    upTo.map { last ->
        run(program, folder, forgotten, last)
        val files = folder.listDirectoryEntries().filter { it.isRegularFile() }
        files.associate { it.name to it.readBytes().toString(Charsets.ISO_8859_1) }
    }

/** One run, with classes of its own, as in a process of its own. */
private fun run(program: String, folder: Path, forgotten: String?, last: Long) {
    val classes = FreshClasses()
    val omission = classes.loadClass(Omission::class.java.name).getDeclaredField("forgotten")
    omission.isAccessible = true
    omission.set(null, forgotten)
    val main = classes.loadClass("$PACKAGE.$program").getMethod("main", Array<String>::class.java)
    val thread = Thread.currentThread()
    val usual = thread.contextClassLoader
    thread.contextClassLoader = classes
    try {
        main.invoke(null, arrayOf("$last", "$folder"))
    } finally {
        thread.contextClassLoader = usual
    }
}
