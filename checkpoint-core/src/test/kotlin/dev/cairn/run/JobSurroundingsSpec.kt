package dev.cairn.run

import dev.cairn.options.EndsAt
import dev.cairn.options.epochSecond
import dev.cairn.proof.log.loggedBy
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldBeIn
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import java.io.IOException
import java.time.Clock
import java.time.Instant
import java.time.ZoneId
import java.time.ZoneOffset
import java.time.temporal.ChronoUnit.HOURS
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.milliseconds

private val NOW = Instant.parse("2026-11-24T10:00:00Z")
private val PROCESS_START = NOW.minusSeconds(60)

/** From where a program knows when its job ends. */
class JobSurroundingsSpec :
    FunSpec({
        test("without a setting and without a job system, the job has no end") {
            surroundings().endOfJob(EndsAt.Auto, null) shouldBe null
        }

        test("of two ends that settings say, the earlier one counts") {
            val at = EndsAt.At(NOW.plus(2, HOURS))
            surroundings().endOfJob(at, 3.hours)?.time shouldBe NOW.plus(2, HOURS)
            surroundings().endOfJob(at, 1.hours)?.time shouldBe PROCESS_START.plus(1, HOURS)
        }

        test("a setting counts before the job system, and none switches that off") {
            val slurm = surroundings(slurm(end = NOW.plus(5, HOURS)))
            slurm.endOfJob(EndsAt.Auto, null)?.time shouldBe NOW.plus(5, HOURS)
            slurm.endOfJob(EndsAt.At(NOW.plus(6, HOURS)), null)?.time shouldBe NOW.plus(6, HOURS)
            slurm.endOfJob(EndsAt.Never, null) shouldBe null
        }

        test("a time limit counts from the start of the job, where Slurm tells it") {
            val start = NOW.minusSeconds(1000)
            val end = surroundings(slurm(start = start)).endOfJob(EndsAt.Auto, 1.hours)
            end?.time shouldBe start.plus(1, HOURS)
            end?.source.orEmpty() shouldContain "SLURM_JOB_START_TIME"
        }

        test(
            "an end that a setting says and that has passed is refused, since a job that is started again would go on so",
        ) {
            shouldThrow<IllegalArgumentException> {
                surroundings().endOfJob(EndsAt.At(NOW), null)
            }.message shouldBe
                "the job ended at ${timeText(NOW)} (ends-at), and now it is ${timeText(NOW)}: there is no time for a " +
                "step and a save. Set a later time, or leave ends-at and time-limit out."
        }

        test("an end that the job system says and that has passed is none, with a warning") {
            val lines =
                loggedBy {
                    surroundings(slurm(end = NOW.minusSeconds(1))).endOfJob(EndsAt.Auto, null) shouldBe null
                }
            lines.single() shouldStartWith "WARNING: the job should have ended at"
        }

        test("Slurm is asked only where its variables do not tell, and once") {
            var count = 0
            val job =
                SlurmJob.of(mapOf("SLURM_JOB_ID" to "17")) { words ->
                    count++
                    words shouldBe listOf("squeue", "--noheader", "--jobs", "17", "--format", "%A|%S|%e|%l")
                    // The 17th job stands for an array, whose other tasks are listed, too.
                    "18|1|2|1:00:00\n17|${NOW.epochSecond}|${NOW.plus(1, HOURS).epochSecond}|1:00:00\n"
                }
            job?.end?.time shouldBe NOW.plus(1, HOURS)
            job?.start?.time shouldBe NOW
            job?.end?.source shouldBe "squeue, job 17"
            count shouldBe 1
        }

        test("local times are understood as well, and a job without a limit has no end") {
            answered("17|2026-11-24T11:00:00|2026-11-24T12:00:00|1:00:00").end?.time shouldBe
                NOW
                    .atZone(ZoneOffset.UTC)
                    .toLocalDate()
                    .atTime(12, 0)
                    .atZone(ZoneId.systemDefault())
                    .toInstant()
            answered("17|${NOW.epochSecond}|${NOW.plus(9000, HOURS).epochSecond}|UNLIMITED").end shouldBe null
            answered("17|${NOW.epochSecond}|N/A|1:00:00").end shouldBe null
        }

        test("if Slurm cannot be asked, or answers something else, the job has no end, and one warning says so") {
            val deaf =
                SlurmJob.of(mapOf("SLURM_JOB_ID" to "17")) {
                    throw IOException("'squeue' has not answered within 5s")
                }
            loggedBy { deaf?.end shouldBe null }.single() shouldBe
                "WARNING: Slurm's job 17: when it began and ends is not known to Cairn, because 'squeue' has not " +
                "answered within 5s. To save and stop before its end, set time-limit or ends-at; ends-at = none " +
                "suppresses the query."
            loggedBy { answered("CLUSTER: x").end shouldBe null }.single() shouldContain
                "is not known to Cairn, because 'squeue' answers 'CLUSTER: x'. To save"
            val row = answered("17|${NOW.epochSecond}|tomorrow|1:00:00")
            loggedBy { repeat(2) { row.end shouldBe null } }.single() shouldContain
                "WARNING: Slurm's job 17: when it ends is not known to Cairn, because 'squeue' answers 'tomorrow' for it."
            row.start?.time shouldBe NOW
        }

        test("a variable of Slurm that holds no time is told in one warning, and not replaced by a guess") {
            for (text in listOf("noon", "", "-1", "1e9", "99999999999999999")) {
                val job = surroundings(slurm() + ("SLURM_JOB_END_TIME" to text))
                loggedBy { repeat(2) { job.endOfJob(EndsAt.Auto, null) shouldBe null } }.single() shouldBe
                    "WARNING: Slurm's job 17: when it ends is not known to Cairn, because SLURM_JOB_END_TIME holds " +
                    "'$text', which is no number of seconds since 1970. To save and stop before its end, set " +
                    "time-limit or ends-at; ends-at = none suppresses the query."
                val limit = PROCESS_START.plus(1, HOURS)
                loggedBy { job.endOfJob(EndsAt.Auto, 1.hours)?.time shouldBe limit }.shouldBeEmpty()
            }
            val late = surroundings(slurm() + ("SLURM_JOB_START_TIME" to "noon"))
            loggedBy { late.endOfJob(EndsAt.Auto, 1.hours)?.source.orEmpty() shouldContain "the start of the process" }
                .single() shouldContain "when it began is not known to Cairn, because SLURM_JOB_START_TIME holds 'noon'"
        }

        test("a command that does not end, that fails or that is missing is told as such") {
            fun failure(vararg words: String) =
                shouldThrow<IOException> { ProcessCommands(200.milliseconds).run(words.toList()) }.message.orEmpty()
            failure("sleep", "600") shouldBe "'sleep' has not answered within 200ms"
            failure("sh", "-c", "exec >&-; exec 2>&-; sleep 600") shouldBeIn
                listOf("'sh' has not ended within 200ms", "'sh' has not answered within 200ms")
            failure("no-such-command") shouldContain "no-such-command"
            shouldThrow<IOException> {
                ProcessCommands().run(listOf("sh", "-c", "echo no such job >&2; exit 3"))
            }.message shouldBe "'sh' ended with 3: no such job"
        }

        test("commands print times as seconds, and are not changed by the user's filters") {
            ProcessCommands().run(listOf("sh", "-c", "echo \$SLURM_TIME_FORMAT; cat")) shouldBe "%s\n"
        }

        test("an end is written as seconds or with an offset, and in no other way") {
            EndsAt.parse("1795514400") shouldBe EndsAt.At(NOW)
            EndsAt.parse("2026-11-24T11:00:00+01:00") shouldBe EndsAt.At(NOW)
            "${EndsAt.At(NOW)}" shouldBe "2026-11-24T10:00:00Z"
            for (text in listOf("+999999999-12-31T23:59:59Z", "2026-11-24T11:00:00", "noon", "-1", "1e9")) {
                shouldThrow<IllegalArgumentException> { EndsAt.parse(text) }
            }
        }
    })

private fun surroundings(environment: Map<String, String> = emptyMap()) =
    JobSurroundings(environment, Clock.fixed(NOW, ZoneOffset.UTC), PROCESS_START) { error("nothing is to be asked") }

private fun slurm(start: Instant = PROCESS_START, end: Instant = NOW.plus(1, HOURS)) =
    mapOf(
        "SLURM_JOB_ID" to "17",
        "SLURM_JOB_START_TIME" to "${start.epochSecond}",
        "SLURM_JOB_END_TIME" to "${end.epochSecond}",
    )

private fun answered(text: String): SlurmJob = checkNotNull(SlurmJob.of(mapOf("SLURM_JOB_ID" to "17")) { text })
