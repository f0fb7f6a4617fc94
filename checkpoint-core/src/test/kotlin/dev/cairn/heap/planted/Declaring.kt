package dev.cairn.heap.planted

import com.sun.management.HotSpotDiagnosticMXBean
import dev.cairn.SoloCheckpoints
import dev.cairn.simulation
import kotlinx.coroutines.runBlocking
import java.lang.management.ManagementFactory
import java.nio.file.Path

/** The state of the program, which is declared in several ways, or not at all. */
internal class Tank {
    var level = 1.0
    var steps = 1L
    var heat = 1.0
    var calls = 1L
    val water = DoubleArray(4)
}

/** Declares its state and dumps itself: for all but "none", all of it has changed by then. */
internal object Declaring {
    @JvmField val tank = Tank()

    @JvmField var year = 1L

    @JvmField val ground = DoubleArray(3)

    @JvmField var lost = 1L

    @JvmStatic
    fun main(args: Array<String>) {
        val water = tank.water
        runBlocking {
            SoloCheckpoints
                .open(Path.of(args[0], "${args[1]}.cairn")) {
                    array("water") { water }
                    array("ground") { ground }
                    value("level of the tank", tank::level, tank::level::set)
                    value("steps", { tank.steps }, { tank.steps = it })
                    tank.run { value("temperature", { heat }, { heat = it }) }
                    value("year", { year }, { year = it })
                }.use { checkpoints ->
                    checkpoints.restore()
                    if (args[1] != "none") change()
                    checkpoints.save(1)
                    dump(args)
                }
        }
    }

    private fun change() {
        tank.run {
            level = 2.0
            steps = 2
            heat = 2.0
            calls = 2
            water[3] = 2.0
        }
        year = 2
        ground[1] = 2.0
        lost = 2
    }
}

/** Two ranks, one of which dumps both while the other one waits for it in the middle of its loop. */
internal object OnRanks {
    @JvmStatic
    fun main(args: Array<String>) =
        runBlocking {
            simulation("ranks", arrayOf("--ranks", "2", "--dir", "${args[0]}/ranks-${args[1]}.cairn")) {
                val mine = IntArray(3) { if (args[1] == "none" || rank == 0) 0 else rank }
                for (step in steps(until = 3)) {
                    if (rank == 0 && step == 1L) dump(args)
                    check(mine[0] <= rank)
                }
            }
        }
}

private fun dump(args: Array<String>) =
    ManagementFactory
        .getPlatformMXBean(HotSpotDiagnosticMXBean::class.java)
        .dumpHeap("${args[0]}/${args[1]}.hprof", true)
