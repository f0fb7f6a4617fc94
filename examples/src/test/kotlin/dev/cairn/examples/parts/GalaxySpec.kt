package dev.cairn.examples.parts

import dev.cairn.checkpoints
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ranks
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe

/** A Java program's state on four ranks, and then on three. */
class GalaxySpec :
    FunSpec({
        val directory = tempdir().toPath()

        suspend fun Communicator.open(galaxy: Galaxy) = checkpoints(directory) { galaxy.declare(this) }

        test("records, columns, sums and streams of a Java program come back on another number of ranks") {
            val before =
                ranks(4) {
                    Galaxy().also { galaxy ->
                        galaxy.begin(rank, size, 100)
                        open(galaxy).use { it.save(1) }
                    }
                }
            val after = ranks(3) { Galaxy().also { galaxy -> open(galaxy).use { it.restore() } } }
            val bodies = before.flatMap { it.bodies() }
            after.map { it.bodies() } shouldBe List(3) { rank -> bodies.filter { (it.x * 3).toInt() == rank } }
            after.map { it.stars().toList() } shouldBe after.map { galaxy -> galaxy.bodies().map { it.x } }
            after.map { it.energy() } shouldBe listOf(0.0 + 1 + 2 + 3, 0.0, 0.0)
            after.joinToString("") { it.journal() } shouldBe (0..3).joinToString("") { "rank $it began\n" }
        }
    })
