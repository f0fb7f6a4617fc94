package dev.cairn.report

import dev.cairn.event.CheckpointEvent
import dev.cairn.event.CheckpointEvent.ProgramEnd
import dev.cairn.event.CheckpointEvent.Restored
import dev.cairn.event.EventLine
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.options.ConfiguredValue
import java.time.Instant
import kotlin.time.Duration.Companion.milliseconds

/**
 * The events of three programs with all that can happen: the first one is killed while it saves, the second one is stopped, and the
 * third one finishes. Names and reasons are such as would break a page that does not escape them.
 */
internal class HeatStory {
    private val lines = mutableListOf<EventLine>()
    private var now = Instant.parse("2025-01-31T09:00:00Z")
    private var program = ""

    val history: EventHistory by lazy {
        first()
        second()
        third()
        EventHistory(lines, unreadableCount = 1, isComplete = true)
    }

    val saves: List<Saved> get() = history.lines.mapNotNull { it.event as? Saved }

    fun facts(history: EventHistory = this.history, use: StoreUse = StoreUse.None) =
        StoreFacts(
            "heat.cairn",
            Instant.parse("2025-01-31T12:00:00Z"),
            use,
            history,
            "A restart continues from save 14.",
            Table(
                listOf("save", "step", "state"),
                listOf(listOf("13", "1200", "good"), listOf("14", "1300", "good")),
            ),
            Table(
                listOf("item", "kind", "bytes", "a restart on one rank more"),
                listOf(
                    listOf("u", "field", "209715200", "5 frames, each read once; then every rank gets its rows"),
                    listOf(HOSTILE, "replicated", "9", "read by rank 0, and sent to all"),
                ),
            ),
            listOf(ConfiguredValue("every", "100", "option --every"), ConfiguredValue("files", "1", "default")),
            emptyList(),
        )

    private fun first() {
        start("aaaa0001", 8, mapOf("node0" to "0-3", "node1" to "4-7"))
        for (number in 1..6) {
            pass(9_000)
            if (number ==
                4
            ) {
                fail(number)
            } else {
                save(
                    number,
                    number * 100L,
                    150_000_000L + number * 10_000_000,
                    slowest =
                        number % 3,
                )
            }
        }
        pass(9_000)
        tell(CheckpointEvent.Begun(7, 700, ""))
    }

    private fun second() {
        pass(3_600_000)
        start("aaaa0002", 5, mapOf("node2" to "0-4"))
        tell(CheckpointEvent.TakenOver("took the store over from process 77 on node0"))
        tell(CheckpointEvent.Rejected(6, "heat.cairn/000006/data.sion: frame 0 of '$HOSTILE' of rank 2 is damaged"))
        tell(Restored(5, 500, 8))
        pass(12_000)
        seal(8, 600)
        pass(4_000)
        commit(8, 600, 209_715_200, seconds = 5_200, waited = 300, slowest = 4)
        pass(3_000)
        seal(9, 700)
        pass(2_000)
        seal(10, 800)
        tell(SaveOutcome.Superseded(9, 700, "", by = 10))
        pass(1_000)
        tell(SaveOutcome.Skipped(null, 850, "", "save 10, step 800, is still being drained, and when-busy is skip"))
        pass(3_000)
        commit(10, 800, 209_715_200, seconds = 4_400, waited = 250, slowest = 4)
        pass(2_000)
        save(11, 900, 209_715_200, slowest = 0)
        tell(CheckpointEvent.Ended(ProgramEnd.STOPPED, 900))
    }

    private fun third() {
        pass(60_000)
        start("aaaa0003", 5, mapOf("node2" to "0-4"))
        tell(Restored(11, 900, 5))
        for (number in 12..14) {
            pass(8_000)
            save(number, (number - 1) * 100L, 209_715_200, slowest = 2)
            if (number > 12) tell(CheckpointEvent.Deleted(number - 2))
        }
        tell(CheckpointEvent.Ended(ProgramEnd.FINISHED, 1300))
    }

    private fun start(name: String, rankCount: Int, hosts: Map<String, String>) {
        program = name
        tell(CheckpointEvent.Started(rankCount, hosts.size, hosts, hosts.keys.first(), 4711, "0.9"))
    }

    private fun save(number: Int, step: Long, byteCount: Long, slowest: Int) {
        tell(CheckpointEvent.Begun(number, step, ""))
        val millis = 900L + 137 * number
        pass(millis)
        commit(number, step, byteCount, seconds = millis, waited = millis, slowest)
    }

    private fun fail(number: Int) {
        tell(CheckpointEvent.Begun(number, number * 100L, ""))
        pass(700)
        tell(SaveOutcome.Failed(number, number * 100L, "", "rank 3: $HOSTILE: no space left on device"))
    }

    private fun seal(number: Int, step: Long) {
        tell(CheckpointEvent.Begun(number, step, ""))
        pass(200)
        tell(SaveOutcome.Copied(number, step, ""))
        pass(1_000)
        tell(SaveOutcome.Sealed(number, step, ""))
    }

    private fun commit(number: Int, step: Long, byteCount: Long, seconds: Long, waited: Long, slowest: Int) =
        tell(
            Saved(
                number,
                step,
                "",
                byteCount,
                seconds.milliseconds,
                slowest,
                (seconds * 8 / 10).milliseconds,
                waited.milliseconds,
            ),
        )

    private fun pass(millis: Long) {
        now = now.plusMillis(millis)
    }

    private fun tell(event: CheckpointEvent) {
        lines += EventLine(now, program, event)
    }

    companion object {
        const val HOSTILE = "<script>alert('u')</script>"
    }
}
