package dev.cairn.cli

import dev.cairn.house.Campaign
import dev.cairn.house.Need
import dev.cairn.house.needs
import dev.cairn.sion.store.FileBlockStore
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldMatch
import io.kotest.matchers.string.shouldStartWith
import java.io.File.pathSeparator
import java.nio.file.Path
import java.util.jar.Attributes.Name
import java.util.jar.JarOutputStream
import java.util.jar.Manifest
import kotlin.io.path.createDirectories
import kotlin.io.path.outputStream
import kotlin.io.path.writeText

/** `cairn trial`, whose programs are started: each whole trial takes seven virtual machines. */
class TrialVerbSpec :
    FunSpec({
        val directory = tempdir().toPath()
        val weather = directory.resolve("weather.txt").also { it.writeText("sunny, windy and wet") }
        val chosen = Campaign.STARTED_PROGRAMS.someOf(listOf("different", "equal"))

        fun cairn(name: String, vararg arguments: String) =
            HeatCheckpoints(FileBlockStore())
                .cairn("trial", "--directory", "${directory.resolve(name)}", "--input", "$weather", *arguments)

        test("a program in a jar that forgets its state has other results, and the places are listed").config(
            enabledOrReasonIf = needs { Need.CAMPAIGN.given("different" in chosen) },
        ) {
            val jar = directory.resolve("model.jar")
            jarOf("forgetful.Forgetful", jar)
            val run =
                cairn("a", "--seed", "7", "--output", "results.txt", "--", "java", ONE, "-jar", "$jar", "weather.txt")
            run.complaint shouldMatch "cairn: --seed 7 has drawn --break-at [0-9]+"
            run.text shouldStartWith "different: [u] differ first at step "
            run.text shouldContain "\n  local variable sum of Forgetful.run: "
            run.exitCode shouldBe 1
        }

        test("a program that declares its state has the same results").config(
            enabledOrReasonIf = needs { Need.CAMPAIGN.given("equal" in chosen) },
        ) {
            val classPath = System.getProperty("java.class.path")
            val run = cairn("b", "--break-at", "4", "--", "java", "-cp", classPath, "forgetful.Mindful", "weather.txt")
            run.text shouldBe
                "equal: compared 6 items and 1 output over 12 steps; a state that influences none of these is not " +
                "seen\nnothing differs at step 5, after a restart from step 4\n"
            run.exitCode shouldBe 0
        }

        test("where results differ and nothing is listed, that is said") {
            val nothing = ForgottenPlaces("nothing differs at step 5", emptyList(), emptyList(), emptyList())

            fun linesOf(differs: String?) = Tried("java Model", 4, "compared 1 item", differs, nothing).lines()
            linesOf(null) shouldBe listOf("equal: compared 1 item", "nothing differs at step 5")
            linesOf("[u] differ").last() shouldStartWith "What was lost is listed as scratch, or no search sees it, "
        }

        test("an output that the program does not leave is refused") {
            val classPath = System.getProperty("java.class.path")
            val run =
                cairn(
                    "c",
                    *listOf("--output", "result.txt", "--break-at", "4", "--").toTypedArray(),
                    *listOf("java", ONE, "-cp", classPath, "forgetful.Mindful", "weather.txt").toTypedArray(),
                )
            run.complaint shouldBe
                "cairn: the program has left no output 'result.txt' in its working directory. Check the name."
            run.exitCode shouldBe 3
        }

        test("a command that is no Java program is refused in a sentence") {
            val refusals =
                mapOf(
                    listOf("python", "model.py") to
                        "the command begins with 'python': let it begin with java, followed by its options and the " +
                        "program",
                    listOf("mpirun", "-n", "2", "java", "Model") to
                        "the command begins with 'mpirun', and a program of several processes is not tried: let it " +
                        "begin with java. In a test, RestartTrial.withLauncher tries it",
                    listOf(
                        "java",
                        "-cp",
                        "model.jar",
                    ) to "the command names no program: add -jar FILE, or a main class",
                    listOf("java", "-jar", "$weather") to
                        "$weather: it is no jar with a Main-Class in its manifest. Check its name.",
                    listOf("java", "-p", "lib", "-m", "model") to "-m model names no class: write -m MODULE/CLASS",
                )
            for ((command, sentence) in refusals) {
                val run = cairn("d", "--", *command.toTypedArray())
                run.complaint shouldBe "cairn: $sentence"
                run.exitCode shouldBe 3
            }
        }

        test("what exists is not written: absolute paths, checkpoints, and the directory of a trial are refused") {
            val store = directory.resolve("run.cairn").createDirectories()
            store.resolve("lock").writeText("")
            val shared =
                "an absolute path, and what lies there would be used by all runs. Name a copy that each run gets by " +
                    "--input, and a relative path here; or allow it by --in-place."
            val kept = "checkpoints are there, and a trial writes into none that exist. Leave it out."
            val model = listOf("--", "java", "-cp", "a.jar", "Model")
            val refusals =
                mapOf(
                    model + "/data/in.nc" to "/data/in.nc is $shared",
                    model + "--out=/data/out.nc" to "--out=/data/out.nc is $shared",
                    listOf("--output", "/data/out.nc") + model to "/data/out.nc is $shared",
                    listOf("--in-place") + model + "--dir=$store" to "--dir=$store: $kept",
                )
            for ((words, sentence) in refusals) {
                val run = cairn("e", *words.toTypedArray())
                run.complaint shouldBe "cairn: $sentence"
                run.exitCode shouldBe 2
            }
            val run = cairn("run.cairn", *model.toTypedArray())
            run.complaint shouldBe "cairn: $store: it exists already. Name another --directory, or delete it."
            run.exitCode shouldBe 3
        }
    })

/** A program of few steps. */
private const val ONE = "-XX:TieredStopAtLevel=1"

/** A jar whose manifest names [mainClass], with the class path of this process. */
private fun jarOf(mainClass: String, jar: Path) {
    val manifest = Manifest()
    manifest.mainAttributes[Name.MANIFEST_VERSION] = "1.0"
    manifest.mainAttributes[Name.MAIN_CLASS] = mainClass
    manifest.mainAttributes[Name.CLASS_PATH] =
        System.getProperty("java.class.path").split(pathSeparator).joinToString(" ") { "${Path.of(it).toUri()}" }
    JarOutputStream(jar.outputStream(), manifest).close()
}
