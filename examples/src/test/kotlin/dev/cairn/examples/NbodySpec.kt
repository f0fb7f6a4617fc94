package dev.cairn.examples

import dev.cairn.checkpoints
import dev.cairn.event.ExitCode
import dev.cairn.grid.RandomStreams
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ranks
import dev.cairn.runSimulation
import dev.cairn.testing.RestartTrial
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import java.nio.file.Path

/** Particles that move from rank to rank while the number of ranks changes under them. */
class NbodySpec :
    FunSpec({
        val directory = tempdir().toPath()

        test("broken on 4 ranks and continued on 3, it ends like an unbroken run on 2") {
            val broken = directory.resolve("broken.cairn")
            val unbroken = directory.resolve("unbroken.cairn")
            runNbody(unbroken, rankCount = 2, until = 50)
            runNbody(broken, rankCount = 4, until = 20)
            runNbody(broken, rankCount = 3, until = 50)
            lastDigests(broken) shouldBe lastDigests(unbroken)
        }

        test("all particles are there at the end, on the ranks to which they have moved") {
            val store = directory.resolve("moved.cairn")
            runNbody(store, rankCount = 3, until = 50)
            val found = ranks(3) { particlesOf(store).onEach { it.home(3) shouldBe rank } }.flatten()
            found.map { it.id }.sorted() shouldBe (0L until 300).toList()
            val chance = RandomStreams(7)
            found.count { it.home(3) != chance.place(it.id).home(3) } shouldBeGreaterThan 30
        }

        test("a restart changes nothing") {
            RestartTrial(rankCount = 4, breakAt = 7, restartOn = listOf(1, 3, 4, 9)).run { nbody(until = 12) }
        }
    })

private suspend fun runNbody(store: Path, rankCount: Int, until: Long) {
    val arguments = arrayOf("--dir", "$store", "--ranks", "$rankCount")
    runSimulation("nbody", arguments) { nbody(until) } shouldBe ExitCode.FINISHED
}

/** What this rank had when the newest checkpoint was made; a restart on as many ranks gives back the same. */
private suspend fun Communicator.particlesOf(store: Path): List<Particle> {
    var particles = emptyList<Particle>()
    checkpoints(store) {
        rows("particles", { particles }, { particles = it }) { owner(Particle::home) }
        removed("chance")
    }.use { it.restore() }
    return particles
}
