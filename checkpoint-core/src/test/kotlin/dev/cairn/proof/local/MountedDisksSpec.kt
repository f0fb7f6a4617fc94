package dev.cairn.proof.local

import dev.cairn.house.Campaign
import dev.cairn.house.Need
import dev.cairn.house.and
import dev.cairn.house.needs
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.core.test.Enabled
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path
import kotlin.io.path.createDirectory

/** Troubles as in [LocalTroublesSpec], on real file systems that are mounted for one process each, if the kernel permits it. */
class MountedDisksSpec :
    FunSpec({
        val directory = tempdir().toPath()
        val chosen = Campaign.STARTED_PROGRAMS.someOf(TROUBLES)

        /** What the program prints that has this [trouble] in saves 2 and 3: four outcomes, and the step of a restart. */
        fun endsOf(trouble: String): List<String> {
            val (code, output) = Mounts.run(*JAVA, "${directory.resolve(trouble).createDirectory()}", trouble)
            withClue(output) { code shouldBe 0 }
            return output.lines().filter { it.startsWith("step ") || it.startsWith("restored: ") }
        }

        fun test(name: String, trouble: String, vararg expected: String) =
            test(name).config(
                enabledOrReasonIf = needs { Mounts.areThere and Need.CAMPAIGN.given(trouble in chosen) },
            ) {
                val ends = endsOf(trouble)
                withClue(ends) {
                    ends.map { it.substringBefore(':') } shouldBe
                        listOf("step Saved", "step Failed", "step Failed", "step Saved", "restored")
                    expected.forEachIndexed { index, words -> ends[1 + index] shouldContain words }
                    ends.last() shouldBe "restored: 4"
                }
            }

        test("the local disk is full", "local-full", "000002/data.sion: no space is left", "no space is left")

        test("the shared disk is full in a drain", "shared-full", STAYS, "no space is left")

        test("the shared disk becomes read-only in a drain", "read-only-in-a-drain", STAYS, READ_ONLY)

        test("the shared disk becomes read-only between two saves", "read-only-between-saves", READ_ONLY, READ_ONLY)
    })

private val TROUBLES = listOf("local-full", "shared-full", "read-only-in-a-drain", "read-only-between-saves")
private const val STAYS = "The data stay on the disks of their hosts"
private const val READ_ONLY = "Read-only file system"

private val JAVA =
    arrayOf(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-cp",
        System.getProperty("java.class.path"),
        "dev.cairn.proof.local.MountedDisksKt",
    )

/** Processes with mounts of their own, if the kernel permits them: to root, or to everyone who becomes root of a namespace. */
internal object Mounts {
    private val ways = listOf(listOf("unshare", "--mount"), listOf("unshare", "--map-root-user", "--mount"))

    private val attempts by lazy {
        ways.associateWith {
            outcomeOf(
                it + listOf("mount", "-t", "tmpfs", "none", "/mnt"),
            )
        }
    }

    private val way by lazy { ways.find { attempts.getValue(it).first == 0 } }

    val areThere: Enabled get() = Need.MOUNTS.given(way != null)

    /** The exit code, and what it prints. */
    fun run(vararg command: String): Pair<Int, String> = outcomeOf(checkNotNull(way) + command)

    private fun outcomeOf(command: List<String>): Pair<Int, String> {
        val process = ProcessBuilder(command).redirectErrorStream(true).start()
        val output = process.inputReader().readText()
        return process.waitFor() to output
    }
}
