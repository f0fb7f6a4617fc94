package dev.cairn

import dev.cairn.event.ExitCode
import dev.cairn.grid.Shape
import dev.cairn.proof.log.quietly
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.Codecs
import dev.cairn.state.ElementType
import dev.cairn.state.PerRankRule
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempfile
import io.kotest.matchers.shouldBe

/** Programs whose declarations fit neither their checkpoint nor each other end with 64, whatever does not fit. */
class RefusedDeclarationsSpec :
    FunSpec({
        quietly()

        suspend fun SimulatedDisk.run(declaration: Declaration, phase: String = "", vararg arguments: String) =
            runSimulation("unfit", arrayOf("--dir", "/unfit.cairn", *arguments), host("node")) {
                declaration.of(this)
                for (step in steps(until = 2, phase = phase)) check(step < 2)
            }

        suspend fun SimulatedDisk.save() = run(Declaration(), "", "--ranks", "2") shouldBe ExitCode.FINISHED

        mapOf(
            "misses an item" to Declaration(u = {}),
            "declares a value of another type" to Declaration(n = { replicated("text").named("n") }),
            "declares a value with another codec" to Declaration(n = { replicated(1L, Codecs.LONG).named("n") }),
            "declares a value of another kind" to Declaration(n = { perRank(1L).named("n") }),
            "declares a field of another shape" to Declaration(u = { cells(rows = 5) }),
            "misses a column" to Declaration(dust = { column("number") }),
            "declares what a rank has of its own, for another number of ranks" to
                Declaration(own = { perRank(rank, Codecs.INT).named("own") }),
            "declares a field whose array is too short" to Declaration(u = { numbers { IntArray(3) } }),
            "gives former names of an item that it does not declare" to
                Declaration(n = { formerly("m", "n") }),
            "declares a name twice" to Declaration(n = { repeat(2) { replicated(1L).named("n") } }),
            "declares a table without columns" to Declaration(dust = { table("dust") { positionFree() } }),
            "declares other state on another rank" to Declaration(n = { replicated(1L).named("n$rank") }),
        ).forEach { (what, declaration) ->
            listOf(1, 3).forEach { rankCount ->
                test("a program that $what is refused, on $rankCount of them") {
                    val disk = SimulatedDisk().apply { save() }
                    disk.run(declaration, "", "--ranks", "$rankCount") shouldBe ExitCode.REFUSED
                }
            }
        }

        test("arrays that no longer have the lengths of their blocks or of each other are refused at the save") {
            var array = IntArray(4)
            val declarations =
                listOf<Simulation.() -> Unit>(
                    { numbers { array } },
                    {
                        table("dust") {
                            column("id", { LongArray(4) }, {})
                            column("number", { array }, {})
                            positionFree()
                        }
                    },
                )
            for (declaration in declarations) {
                array = IntArray(4)
                runSimulation("unfit", arrayOf("--dir", "/unfit.cairn"), files = SimulatedDisk().host("node")) {
                    declaration()
                    for (step in steps(until = 2)) array = IntArray(3)
                } shouldBe ExitCode.REFUSED
            }
        }

        test("a directory of checkpoints that cannot be made is refused") {
            val file = tempfile().path
            for (directory in listOf("$file/x", file, "long".repeat(100))) {
                runSimulation("unfit", arrayOf("--dir", directory)) {
                    for (step in steps(until = 2)) error("step $step")
                } shouldBe ExitCode.REFUSED
            }
        }

        test("a program that does not have the phase of its checkpoint is refused") {
            val disk = SimulatedDisk()
            disk.run(Declaration(), phase = "spin-up")
            disk.run(Declaration(), phase = "production") shouldBe ExitCode.REFUSED
        }
    })

/** What the program declares of each item. */
private class Declaration(
    val n: Simulation.() -> Unit = { replicated(1L).named("n") },
    val own: Simulation.() -> Unit = { perRank(rank, Codecs.INT, PerRankRule.Drop()).named("own") },
    val u: Simulation.() -> Unit = { cells(rows = 4) },
    val dust: Simulation.() -> Unit = { column("id") },
) {
    fun of(simulation: Simulation) = listOf(n, own, u, dust).forEach { simulation.it() }
}

private fun Simulation.numbers(array: () -> IntArray) =
    field("u", Shape.of(4), ElementType.INT) { block(Shape.of(4).at(0), array()) }

private fun Simulation.cells(rows: Long) {
    doubles(rows, columns = 3, halo = 0) { _, _ -> 1.0 }.named("u")
}

private fun Simulation.column(name: String) =
    table("dust") {
        column(name, { LongArray(2) }, {})
        positionFree()
    }
