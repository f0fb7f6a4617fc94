package dev.cairn.proof.kill

import java.nio.file.Path
import java.util.EnumMap
import java.util.TreeMap
import kotlin.io.path.createDirectories
import kotlin.io.path.readText
import kotlin.random.Random

/**
 * Kills programs in JVMs of their own, and starts each again on another number of ranks, which must end as one that was never
 * broken. Everything lies in [directory].
 */
internal class Kills(private val directory: Path, private val random: Random, private vararg val options: String) {
    private val unbroken = mutableMapOf<Int, Unbroken>()
    private val found = EnumMap<Moment, TreeMap<String, Int>>(Moment::class.java)
    private var count = 0

    /** In sentences. */
    val wrong = mutableListOf<String>()

    val insideSaves get() = Moment.entries.filter { it.isInsideSave }.sumOf(::at)

    fun at(moment: Moment): Int = found[moment]?.values?.sum() ?: 0

    /** A program that was not killed, on [rankCount] ranks. */
    private inner class Unbroken(rankCount: Int) {
        private val place = directory.resolve("unbroken-$rankCount.cairn")
        private val events: List<String> =
            DriftProcess(place, rankCount, null, *options).use { program ->
                check(program.end() == 0) { program.complaints() }
                program.heard
            }
        val trace = Trace(events)
        val end = End(events.last { it.startsWith("result") }, Drift.journal(place).readText())
    }

    /** How a program ends: all its state, and what it has written. */
    private data class End(val result: String, val journal: String)

    /** Kills a program that waits before something that it does in [moment]. */
    fun killIn(moment: Moment) {
        val rankCount = random.nextInt(2, 6)
        kill(rankCount, unbrokenOn(rankCount).trace.pauseIn(moment, random)) { it == EventPipe.WAITING }
    }

    /** Kills a program that runs until the signal reaches it. */
    fun killAnywhere() {
        val rankCount = random.nextInt(2, 6)
        val moments = unbrokenOn(rankCount).trace.moments
        val last = random.nextInt(moments.indexOf(Moment.COMPUTING), moments.indexOf(Moment.CLOSING))
        var events = 0
        kill(rankCount, pause = null) { events++ == last }
    }

    private fun unbrokenOn(rankCount: Int) =
        unbroken.getOrPut(rankCount) { Unbroken(rankCount) }.also { found ->
            val other = unbroken.values.first()
            check(found.end == other.end) { "the programs end otherwise on another number of ranks: $unbroken" }
        }

    private fun kill(rankCount: Int, pause: Pause?, isLast: (String) -> Boolean) {
        val place = directory.resolve("${++count}").createDirectories().resolve("drift.cairn")
        val (exitCode, heard) =
            DriftProcess(place, rankCount, pause, *options).use { program ->
                program.hearUntil(isLast)
                program.kill() to program.heard
            }
        if (exitCode != DriftProcess.SIGKILLED) wrong += "trial $count: the program ended before it was killed"
        restart(place, rankCount, Trace(heard))
    }

    private fun restart(place: Path, killedOn: Int, trace: Trace) {
        val rankCount = (1..7).filter { it != killedOn }.random(random)
        DriftProcess(place, rankCount, null, *options).use { program ->
            val exitCode = program.end()
            val restored = RESTORED.find(program.complaints())?.let { it.groupValues[1].toInt() }
            val flaw =
                when {
                    exitCode != 0 -> "ended with $exitCode: ${program.complaints()}"
                    trace.isOwning && TAKEN_OVER !in program.complaints() -> "did not say that it took over"
                    restored !in trace.newest -> "continued from save $restored, not from one of ${trace.newest}"
                    endOf(program, place) != unbrokenOn(killedOn).end -> "has another result"
                    else -> null
                }
            val last = trace.moments.last()
            if (flaw != null) wrong += "trial $count, killed on $killedOn ranks in $last: on $rankCount ranks it $flaw"
            found.getOrPut(last) { TreeMap() }.merge(label(restored, trace), 1, Int::plus)
        }
    }

    private fun endOf(program: DriftProcess, place: Path) =
        End(program.heard.last { it.startsWith("result") }, Drift.journal(place).readText())

    private fun label(restored: Int?, trace: Trace) =
        when (restored) {
            null -> "began afresh"
            trace.begun -> "continued from its last save"
            else -> "continued from the save before"
        }

    /** A line for each moment. */
    override fun toString(): String {
        val lines = found.map { (moment, ends) -> "  %-10s %3d  %s".format(moment, at(moment), ends) }
        return "$count kills, $insideSaves of them inside a save, wrong: $wrong\n" + lines.joinToString("\n")
    }

    private companion object {
        const val TAKEN_OVER = "took the store over"
        val RESTORED = Regex("restored save ([0-9]+),")
    }
}
