package dev.cairn.mpi

import dev.cairn.house.Campaign
import dev.cairn.house.Need
import dev.cairn.house.and
import dev.cairn.house.needs
import dev.cairn.proof.kill.EventLog
import dev.cairn.proof.kill.EventPipe
import dev.cairn.proof.kill.Moment
import dev.cairn.proof.kill.Trace
import io.kotest.assertions.nondeterministic.eventually
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeIn
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path
import java.util.concurrent.TimeUnit.MINUTES
import kotlin.io.path.createDirectory
import kotlin.io.path.readLines
import kotlin.random.Random
import kotlin.time.Duration.Companion.minutes

private const val DRIFT = "dev.cairn.proof.kill.LaunchedDriftKt"
private val PROCESSES = Campaign.PROCESSES.limit(4)
private const val SIGKILLED = 137

/**
 * One process of a job dies by SIGKILL before an operation on files that is chosen beforehand, or `mpirun` does. What the next job goes
 * on from is worked out from what rank 0 was about to do when it died, or when `mpirun` ended it.
 */
class MpiKillSpec :
    FunSpec({
        val seed = Campaign.seed
        val random = Random(seed)
        val otherCounts = listOf(1, 2, 3, 5).filter { it <= Campaign.PROCESSES.count && it != PROCESSES }
        val directory = tempdir().toPath()

        /** Each job has another transport, so that checkpoints move from one to the other. */
        fun someWay(): MpiWay = MpiWay.chosen.random(random)

        fun eventsOf(store: Path, rank: Int): List<String> = EventLog.of(store, rank).readLines()

        fun resultIn(store: Path): String = eventsOf(store, 0).last { it.startsWith("result ") }

        val unbroken by lazy {
            directory.resolve("unbroken.cairn").also { someWay().output(PROCESSES, DRIFT, "$it") }
        }

        /** The job dies; another number of processes then ends as one that was never broken. */
        fun goOnAfterDeath(store: Path, victim: Int, event: String, vararg options: String): Death {
            val transport = someWay()
            val job = transport.start(PROCESSES, DRIFT, "$store", "$victim", event, *options)
            job.inputReader().readText()
            job.waitFor() shouldBe transport.codeOfKilled
            // The next job begins these logs anew.
            val moment = Trace(eventsOf(store, victim)).moments.last()
            val newest = Trace(eventsOf(store, 0)).newest
            val output = someWay().output(otherCounts.random(random), DRIFT, "$store", *options)
            output shouldContain "took the store over"
            resultIn(store) shouldBe resultIn(unbroken)
            return Death(moment, newest, RESTORED.find(output)?.let { it.groupValues[1].toInt() })
        }

        val other = PROCESSES / 2
        val deaths = Moment.PARTS.map { 0 to it } + listOf(other to Moment.DATA, other to Moment.FORCE)
        val chosen = Campaign.KILLS.someOf(deaths)

        for ((victim, moment) in deaths) {
            test(
                "rank $victim dies in $moment of a save, and fewer or more processes go on from the newest that is committed",
            ).config(enabledOrReasonIf = needs { Need.CAMPAIGN.given(victim to moment in chosen) and MpiRun.isThere }) {
                val store = directory.resolve("$victim-$moment").createDirectory().resolve("drift.cairn")
                val event = "${Trace(eventsOf(unbroken, victim)).pauseIn(moment, random)}"
                withClue("seed $seed, event $event") {
                    val death = goOnAfterDeath(store, victim, event)
                    death.moment shouldBe moment
                    death.newest shouldHaveSize 1
                    death.restored shouldBe death.newest.single()
                    println(
                        "rank $victim died in $moment, before event $event: continued from save ${death.restored}",
                    )
                }
            }
        }

        val meanwhile = setOf(0, other).flatMap { rank -> listOf("behind", "dedicated", "local").map { rank to it } }
        val chosenMeanwhile = Campaign.KILLS.someOf(meanwhile)

        for ((victim, way) in meanwhile) {
            test(
                "rank $victim dies anywhere in a job that saves, $way, and goes on meanwhile, and another job goes on alike",
            ).config(
                enabledOrReasonIf = needs { Need.CAMPAIGN.given(victim to way in chosenMeanwhile) and MpiRun.isThere },
            ) {
                val whole = directory.resolve("$way-$victim").createDirectory().resolve("drift.cairn")
                someWay().output(PROCESSES, DRIFT, "$whole", way)
                resultIn(whole) shouldBe resultIn(unbroken)
                val events = eventsOf(whole, victim)
                repeat(Campaign.KILLS.limit(8) / 4) { trial ->
                    val store = directory.resolve("$way-$victim-$trial").createDirectory().resolve("drift.cairn")
                    // How the events of program and worker follow each other differs from run to run, and so does their number.
                    val event = random.nextInt(2 + events.indexOf("step 1"), events.size * 9 / 10)
                    withClue("seed $seed, event $event") {
                        val death = goOnAfterDeath(store, victim, "$event", way)
                        death.restored shouldBeIn death.newest
                        println("rank $victim died before event $event: continued from save ${death.restored}")
                    }
                }
            }
        }

        for (event in IN_THE_DRAIN.shuffled(random).take(Campaign.KILLS.count / 2)) {
            test("mpirun is killed before $event, so in a drain, and another job goes on with the save").config(
                enabledOrReasonIf = needs { MpiRun.isThere },
            ) {
                val store =
                    directory
                        .resolve(
                            "mpirun-${IN_THE_DRAIN.indexOf(event)}",
                        ).createDirectory()
                        .resolve("drift.cairn")
                val job = someWay().start(PROCESSES, DRIFT, "$store", "0", event, "local")
                eventually(1.minutes) { eventsOf(store, 0).last() shouldBe EventPipe.WAITING }
                val ranks = MpiRun.processes(job)
                job.destroyForcibly().waitFor() shouldBe SIGKILLED
                ranks.forEach { it.onExit().get(1, MINUTES) }
                // A save of this name, or the next one if the program was ahead of the drain.
                val newest = Trace(eventsOf(store, 0)).newest
                val output = someWay().output(otherCounts.random(random), DRIFT, "$store", "local")
                output shouldContain "took the store over"
                val restored = RESTORED.find(output)?.let { it.groupValues[1].toInt() }
                restored shouldBeIn newest
                output shouldContain
                    Regex(
                        "save $restored, step [0-9]+, is on the disks of its hosts; it is brought together before the restart",
                    )
                resultIn(store) shouldBe resultIn(unbroken)
            }
        }
    })

/** What the keeper of the host does: it makes a copy of its file, fills it, and gives it its name; then rank 0 commits. */
private val IN_THE_DRAIN =
    listOf("CREATE 000003/data", "WRITE 000003/data", "RENAME 000003/data", "RENAME 000003/manifest")

/** What the victim was about to do, the saves of which one must be restored, and the one that was. */
private class Death(val moment: Moment, val newest: Set<Int?>, val restored: Int?)

private val RESTORED = Regex("restored save ([0-9]+),")
