package dev.cairn.examples.forgotten

import dev.cairn.Simulation
import dev.cairn.examples.forgotten.Omission.unless
import dev.cairn.grid.Shape
import dev.cairn.options.SimulationOptions
import dev.cairn.simulation
import dev.cairn.state.ElementType
import java.nio.file.Path
import java.util.Random
import kotlin.io.path.writeText
import kotlin.math.exp

/** A place where the atoms do not fit; found defects refer to the one before. */
internal class Defect(val number: Int, val cell: Int, val before: Defect?) {
    companion object {
        var nextNumber = 1
    }
}

/** How probable a swap of atoms is that costs energy; worked out now and then, since it takes long. */
internal class Boltzmann {
    var table = DoubleArray(9)

    fun renew(temperature: Double) {
        table = DoubleArray(9) { exp(-it / temperature) }
    }
}

internal object Extremes {
    var highest = Int.MIN_VALUE
    val atSweep = LongArray(2)
}

private var swaps = 0L

/** Atoms of two metals arrange themselves while an alloy cools. Takes the number of sweeps, a folder, and options of Cairn. */
internal suspend fun main(args: Array<String>) {
    val folder = Path.of(args[1])
    val options = SimulationOptions { directory = folder.resolve("alloy.cairn") }
    simulation("alloy", args.drop(2).toTypedArray(), options) { alloy(args[0].toLong(), folder) }
}

private suspend fun Simulation.alloy(until: Long, folder: Path) {
    val atoms = IntArray(SIDE * SIDE) { if (it * 7 % 5 < 2) 1 else -1 }
    val strain = DoubleArray(SIDE)
    val boltzmann = Boltzmann()
    val energies = mutableListOf<Int>()
    var worst: Defect? = null
    var dice = Random(4)
    var vacancy = 0
    var temperature = 3.0
    var isAnnealing = false
    declareStatics()
    unless("alloy.atoms") { whole("atoms", ElementType.INT, atoms.size, atoms) }
    unless("alloy.strain") { whole("strain", ElementType.DOUBLE, strain.size, strain) }
    unless("alloy.table") { replicated("table", { boltzmann.table }, { boltzmann.table = it }) }
    replicated(
        "energies",
        { energies.toList() },
        unless("alloy.energies", { saved: List<Int> -> energies += saved }, { energies.toMutableList() += it }),
    )
    unless("alloy.worst") { graph("worst", { worst }, { worst = it }) { allow("dev.cairn.examples.forgotten") } }
    unless("alloy.dice") { generator("dice", { dice }, { dice = it }) }
    unless("alloy.vacancy") { replicated("vacancy", { vacancy }, { vacancy = it }) }
    unless("alloy.temperature") { replicated("temperature", { temperature }, { temperature = it }) }
    unless("alloy.isAnnealing") { replicated("isAnnealing", { isAnnealing }, { isAnnealing = it }) }
    for (sweep in steps(until)) {
        if (sweep % 25 == 0L) boltzmann.renew(temperature)
        repeat(atoms.size) {
            val other = neighboursOf(vacancy)[dice.nextInt(4)]
            val cost = costOf(atoms, vacancy, other) + strain[vacancy % SIDE]
            if (cost <= 0 || dice.nextDouble() < boltzmann.table[cost.toInt().coerceAtMost(8)]) {
                atoms[vacancy] = atoms[other].also { atoms[other] = atoms[vacancy] }
                swaps++
                vacancy = other
            } else {
                vacancy = dice.nextInt(atoms.size)
            }
        }
        val energy = atoms.indices.sumOf { cell -> neighboursOf(cell).sumOf { -atoms[cell] * atoms[it] } }
        energies += energy
        if (energy > Extremes.highest) {
            Extremes.highest = energy
            Extremes.atSweep[0] = sweep
        }
        Extremes.atSweep[1] += swaps % 7
        if (sweep % 4 == 0L) worst = Defect(Defect.nextNumber++, vacancy, worst)
        for (row in strain.indices) strain[row] = 0.9 * strain[row] + 0.01 * atoms[row * SIDE]
        isAnnealing = if (isAnnealing) energy > -150 else energy > -50
        temperature *= if (isAnnealing) 1.005 else 0.98
    }
    finished {
        val found = generateSequence(worst) { it.before }.joinToString { "${it.number} in ${it.cell}" }
        val seen = "${Extremes.highest} ${Extremes.atSweep.asList()} $swaps $temperature $isAnnealing"
        folder.resolve("alloy.txt").writeText("$energies $found $seen ${strain.asList()}")
    }
}

private fun Simulation.declareStatics() {
    unless("alloy.nextNumber") { replicated("nextNumber", { Defect.nextNumber }, { Defect.nextNumber = it }) }
    unless("alloy.highest") { replicated("highest", { Extremes.highest }, { Extremes.highest = it }) }
    unless("alloy.atSweep") { whole("atSweep", ElementType.LONG, Extremes.atSweep.size, Extremes.atSweep) }
    unless("alloy.swaps") { replicated("swaps", { swaps }, { swaps = it }) }
}

/** Declares an array that the only rank has whole. */
private fun Simulation.whole(name: String, type: ElementType, size: Int, cells: Any) {
    val shape = Shape.of(size.toLong())
    field(name, shape, type) { block(shape.box(), cells) }
}

private fun neighboursOf(cell: Int): List<Int> = listOf(1, -1, SIDE, -SIDE).map { (cell + it).mod(SIDE * SIDE) }

/** What a swap of two atoms costs in energy. */
private fun costOf(atoms: IntArray, cell: Int, other: Int): Int {
    val difference = atoms[cell] - atoms[other]
    return difference * (neighboursOf(cell).sumOf { atoms[it] } - neighboursOf(other).sumOf { atoms[it] }) / 2
}

private const val SIDE = 16
