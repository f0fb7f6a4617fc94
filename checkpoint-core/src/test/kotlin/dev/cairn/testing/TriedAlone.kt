package dev.cairn.testing

import dev.cairn.SoloCheckpoints
import dev.cairn.SoloState
import kotlinx.coroutines.runBlocking
import java.nio.file.Path
import java.util.Random
import kotlin.io.path.appendText
import kotlin.io.path.readText
import kotlin.io.path.writeText
import kotlin.system.exitProcess

/** A program of one process, which reads a file, and has a [fault]. */
internal class TriedAlone(private val fault: String) {
    private var sum = Path.of("start.txt").readText().toDouble()
    private var drift = 0L
    private var dice = Random(7)
    private var walkers = List(2) { Walker() }
    private val log = Path.of("log.txt")

    suspend fun run() {
        SoloCheckpoints.open(Path.of("alone.cairn")) { declare() }.use { checkpoints ->
            val first = checkpoints.restore()
            if (first == 0L) log.writeText("")
            if (fault == "seed") dice = Random(7)
            var step = first
            while (checkpoints.saveIfDue(step, until = 12)) advance(++step)
            if (fault != "results" || first == 0L) Path.of("results.txt").writeText("$sum")
        }
    }

    private fun SoloState.declare() {
        value("sum", { sum }, { sum = it })
        if (fault != "value") value("drift", { drift }, { drift = it })
        if (fault != "generator") generator("dice", { dice }, { dice = it })
        graph("walkers", { walkers.toTypedArray() }, { walkers = it.asList() })
        if (fault != "static") value("calls", { calls }, { calls = it })
        if (fault != "output") appendedFile("log", log)
    }

    private fun advance(step: Long) {
        drift += step
        walkers.last().place += if (fault == "transient") walkers.last().speed++ else 1
        sum += drift + dice.nextGaussian() + ++calls
        log.appendText("step $step\n")
    }

    companion object {
        private var calls = 0L

        @JvmStatic
        fun main(args: Array<String>) =
            when (val fault = args.single()) {
                "no checkpoints" -> println("nothing to do")
                "code" -> exitProcess(3)
                "input" -> exitProcess(if (readlnOrNull() == null) 4 else 0)
                else -> runBlocking { TriedAlone(fault).run() }
            }
    }
}

internal class Walker {
    @Transient
    var speed = 1
    var place = 0
}
