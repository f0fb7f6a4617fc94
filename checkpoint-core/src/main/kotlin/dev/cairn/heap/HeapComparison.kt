package dev.cairn.heap

import java.nio.file.Path

/**
 * What differs between the dumps [unbroken] and [restarted] of two runs of the program [ofProgram], which HotSpot wrote at the same step.
 * Differences of one place are one finding; those nearest to a root come first.
 */
internal fun compareHeaps(
    unbroken: Path,
    restarted: Path,
    ofProgram: ProgramClasses,
    ignored: Ignored = Ignored(emptySet()),
): List<Forgotten> =
    HeapDump.open(unbroken).use { left ->
        HeapDump.open(restarted).use { right ->
            compare(Side(left, ofProgram, ignored), Side(right, ofProgram, ignored))
        }
    }

private fun compare(left: Side, right: Side): List<Forgotten> {
    val roots = Roots(left, right).find()
    val pairs = Pairs()
    val differences = Differences(pairs, left, roots)
    HeapWalk(left, right, roots, pairs, differences).walk()
    return differences.findings(DeclaredState(left))
}
