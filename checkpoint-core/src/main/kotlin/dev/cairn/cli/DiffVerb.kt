package dev.cairn.cli

import dev.cairn.reading.StoredCheckpoint
import dev.cairn.store.Parameter
import kotlinx.serialization.Serializable
import picocli.CommandLine.Command
import picocli.CommandLine.Parameters

/** `cairn diff`: the differences of two checkpoints. */
@Command(
    name = "diff",
    description = [
        "Compares two checkpoints item by item, also of different rank counts.",
        "It prints the number of elements whose bits differ, the largest difference, and the first such element. " +
            "Rows of tables are matched by their ids, if the program declared them as unique, and otherwise as a " +
            "whole; their order counts if the program has no rule for other rank counts. Other values are compared " +
            "byte " +
            "by byte. It needs memory for two windows of " +
            "32 MiB, or for 64 MiB of rows, however large the items are.",
        "Of graphs of objects it prints the classes of which they have other numbers of objects, and the path to the " +
            "first difference, for which two graphs with other bytes are read whole, up to 1 GiB each. The " +
            "program is not needed.",
        "Parameters of the program that have other values are listed after the items.",
    ],
    footer = [
        "",
        "A is DIR/NUMBER, or DIR for its newest good checkpoint; so is B.",
        "",
        "Exit code 0: they hold the same; 1: they do not.",
        "",
        "Example: cairn diff heat.cairn/6 heat.cairn/7",
    ],
)
internal class DiffVerb(shell: Shell) : ReportVerb<Comparison>(shell, Comparison.serializer()) {
    @Parameters(index = "0", paramLabel = "A", description = ["A checkpoint."])
    private lateinit var one: Place

    @Parameters(index = "1", paramLabel = "B", description = ["Another one."])
    private lateinit var other: Place

    override fun report(): Comparison =
        shell.open(one).use { a ->
            shell.open(other).use { b ->
                Comparison("${a.candidate.path}", "${b.candidate.path}", compare(a, b), differingParameters(a, b))
            }
        }

    override fun lines(report: Comparison): List<String> =
        columns(listOf(HEAD) + report.items.map { it.cells() }) + report.items.flatMap { it.classLines() } +
            report.parameters.map { "$it" } +
            if (isYes(report)) "the same" else "different"

    override fun isYes(report: Comparison): Boolean = report.items.all { it.isSame } && report.parameters.isEmpty()

    private fun compare(a: StoredCheckpoint, b: StoredCheckpoint): List<ComparedItem> {
        val others = b.items.associateBy { it.name }
        val shared = a.items.map { item -> others[item.name]?.let { item.compareWith(it) } ?: onlyIn("A", item.name) }
        return shared + (others.keys - a.items.map { it.name }.toSet()).map { onlyIn("B", it) }
    }

    private fun differingParameters(a: StoredCheckpoint, b: StoredCheckpoint): List<DifferingParameter> {
        val (ofA, ofB) = listOf(a, b).map { it.manifest.parameters.associateBy(Parameter::name) }
        return (ofA.keys + ofB.keys).mapNotNull { name -> DifferingParameter.of(name, ofA[name], ofB[name]) }
    }

    private fun onlyIn(which: String, name: String) = ComparedItem(name, note = "only in $which")
}

private val HEAD = listOf("item", "elements", "differing", "largest difference", "first", "note")

@Serializable
internal class Comparison(
    val a: String,
    val b: String,
    val items: List<ComparedItem>,
    val parameters: List<DifferingParameter>,
)

/** A parameter with other values in [a] and [b]; null if one of them does not have it. */
@Serializable
internal class DifferingParameter(val name: String, val a: String?, val b: String?) {
    override fun toString(): String = "the parameter '$name' is ${a ?: MISSING} in A, and ${b ?: MISSING} in B"

    companion object {
        private const val MISSING = "missing"

        /** Null if both are the same. */
        fun of(name: String, a: Parameter?, b: Parameter?): DifferingParameter? =
            when {
                a == null || b == null -> DifferingParameter(name, a?.shown, b?.shown)
                a.isSame(b) -> null
                else -> DifferingParameter(name, a.shownBeside(b), b.shownBeside(a))
            }
    }
}

/**
 * The differences of an item. Counts are missing where they do not apply, and the [note] gives the reason.
 *
 * @property largestDifference as a decimal number, or NaN; of numbers only
 * @property first the first element that differs
 * @property classes those of which two graphs have other numbers of objects
 */
@Serializable
internal class ComparedItem(
    val name: String,
    val elementCount: Long? = null,
    val differingCount: Long? = null,
    val largestDifference: String? = null,
    val first: String? = null,
    val note: String? = null,
    val classes: List<DifferingCount> = emptyList(),
) {
    val isSame: Boolean get() = differingCount == 0L

    fun cells(): List<String> =
        listOf(name, elementCount, differingCount, largestDifference, first, note).map { it?.toString().orEmpty() }

    fun classLines(): List<String> {
        if (classes.isEmpty()) return emptyList()
        val rows = classes.map { listOf(it.name, "${it.a}", "${it.b}") }
        return listOf("") + columns(listOf(listOf("objects in '$name'", "in A", "in B")) + rows) + ""
    }
}
