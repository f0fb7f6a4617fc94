package forgetful

import dev.cairn.Simulation
import dev.cairn.ranks.broadcastLong
import dev.cairn.simulation
import kotlinx.coroutines.runBlocking

/** A program on ranks, whose loop Cairn keeps: each rank forgets what its animals have eaten. */
internal object Herd {
    private class Animal(var age: Long = 0)

    @JvmStatic
    fun main(args: Array<String>) = runBlocking { simulation("herd", args) { graze() } }

    private suspend fun Simulation.graze() {
        var total by replicated(0L)
        var eaten = 0L
        val hunger = LongArray(3)
        val oldest = Animal()
        for (step in steps(until = 12)) {
            eaten += rank + 1
            oldest.age++
            hunger[(step % 3).toInt()] += eaten
            total += ranks.broadcastLong(0, eaten)
        }
        check(hunger.sum() + oldest.age > 0)
    }
}
