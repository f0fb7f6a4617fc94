package dev.cairn.mpi

import dev.cairn.house.Campaign
import dev.cairn.proof.kill.EventLog
import dev.cairn.proof.kill.Moment
import dev.cairn.proof.kill.Trace
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path
import kotlin.io.path.createDirectory
import kotlin.io.path.readLines
import kotlin.random.Random

private const val DRIFT = "dev.cairn.proof.kill.LaunchedDriftKt"
private val PROCESSES = Campaign.PROCESSES.limit(4)
private const val SIGKILLED = 137

/**
 * One process of a job dies by SIGKILL before an operation on files that is chosen beforehand. What the next job goes on from
 * is worked out from what rank 0 was about to do when it died, or when `mpirun` ended it.
 */
class MpiKillSpec :
    FunSpec({
        val seed = Campaign.seed
        val random = Random(seed)
        val otherCounts = listOf(1, 2, 3, 5).filter { it <= Campaign.PROCESSES.count && it != PROCESSES }
        val directory = tempdir().toPath()

        fun eventsOf(
            store: Path,
            rank: Int,
        ): List<String> = EventLog.of(store, rank).readLines()

        fun resultIn(store: Path): String = eventsOf(store, 0).last { it.startsWith("result ") }

        val unbroken by lazy {
            directory.resolve("unbroken.cairn").also { MpiRun.output(PROCESSES, DRIFT, "$it") }
        }

        /** The number of an event of that moment. */
        fun eventOf(
            moment: Moment,
            rank: Int,
        ): Int {
            val moments = Trace(eventsOf(unbroken, rank)).moments
            return 1 + moments.indices.filter { moments[it] == moment }.random(random)
        }

        val other = PROCESSES / 2
        val deaths = Moment.PARTS.map { 0 to it } + listOf(other to Moment.DATA, other to Moment.FORCE)
        val chosen = Campaign.KILLS.someOf(deaths)

        for ((victim, moment) in deaths) {
            test(
                "rank $victim dies in $moment of a save, and fewer or more processes go on from the newest that is committed",
            ).config(enabled = MpiRun.isThere && victim to moment in chosen) {
                val store = directory.resolve("$victim-$moment").createDirectory().resolve("drift.cairn")
                val event = eventOf(moment, victim)
                withClue("seed $seed, event $event") {
                    val job = MpiRun.start(PROCESSES, DRIFT, "$store", "$victim", "$event")
                    job.inputReader().readText()
                    job.waitFor() shouldBe SIGKILLED
                    Trace(eventsOf(store, victim)).moments.last() shouldBe moment
                    val newest = Trace(eventsOf(store, 0)).newest
                    newest shouldHaveSize 1

                    val output = MpiRun.output(otherCounts.random(random), DRIFT, "$store")
                    output shouldContain "took the store over"
                    RESTORED.find(output)?.let { it.groupValues[1].toInt() } shouldBe newest.single()
                    resultIn(store) shouldBe resultIn(unbroken)
                    println(
                        "rank $victim died in $moment, before event $event: went on from save ${newest.single()}",
                    )
                }
            }
        }
    })

private val RESTORED = Regex("restored save ([0-9]+),")
