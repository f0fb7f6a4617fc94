package dev.cairn.sion.store

/** How many states a campaign has looked at, and in how many of them the program's promise was broken. */
data class CrashTally(
    val crashPoints: Int,
    val states: Int,
    val broken: Int,
)

/**
 * Runs [program] on a disk of its own for every one of its operations, with a crash there, and once
 * to its end. Shows [keepsPromise] all that each crash may leave, and the last value acknowledged.
 */
fun crashEverywhere(
    program: (SimulatedDisk, acknowledge: (Int) -> Unit) -> Unit,
    keepsPromise: (BlockStore, acknowledged: Int) -> Boolean,
): CrashTally {
    var states = 0
    var broken = 0
    var crashPoint = 0
    do {
        crashPoint++
        val disk = SimulatedDisk().apply { crashAt(crashPoint.toLong()) }
        var acknowledged = 0
        val run = runCatching { program(disk) { acknowledged = it } }
        run.onFailure { if (it !is SimulatedCrashException) throw it }
        for (outcome in disk.crashOutcomes()) {
            states++
            if (!keepsPromise(disk.afterCrash(outcome).host("survivor"), acknowledged)) broken++
        }
    } while (run.isFailure)
    return CrashTally(crashPoint, states, broken)
}
