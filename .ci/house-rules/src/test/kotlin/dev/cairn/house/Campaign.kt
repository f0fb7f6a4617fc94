package dev.cairn.house

import kotlin.random.Random

/** How much a build goes through: `-Dcairn.campaigns=middle` as `.ci/run` does, `long`, `full`, or `small` if nothing is said. */
enum class Speed {
    SMALL,
    MIDDLE,
    LONG,
    FULL,
    ;

    companion object {
        val chosen: Speed = of(System.getProperty("cairn.campaign.speed") ?: "small")

        fun of(word: String): Speed =
            requireNotNull(entries.find { it.name.lowercase() == word }) {
                "-Dcairn.campaigns=$word: expected one of ${entries.joinToString { it.name.lowercase() }}. " +
                    "docs/testing.md says what each of them runs."
            }
    }
}

/** Nothing is left out. */
const val ALL = Int.MAX_VALUE

/**
 * The campaigns of all modules, and how many cases a spec goes through at each speed. A spec that takes more than a few seconds
 * takes its count from here, and the table in docs/testing.md says the same.
 */
enum class Campaign(val small: Int, val middle: Int, val long: Int, val full: Int) {
    /** At how many operations of a program the power fails, or the operation does. */
    CRASH_POINTS(8, 64, ALL, ALL),

    /** How many of the states that one crash can leave are looked at. */
    CRASH_OUTCOMES(2, 6, 30, 1000),

    /** How many states of three hosts are looked at after one crash: what each has lost, and which of them are lost. */
    HOST_LOSSES(1, 1, 3, 20),

    /** How many programs of a series crash at each of their operations. */
    CRASHING_PROGRAMS(1, 3, ALL, ALL),

    /** How many programs a series has, each of which starts in another way. */
    PROGRAMS(2, 4, ALL, ALL),

    /** The same of programs that run in processes of their own, several for each. */
    STARTED_PROGRAMS(0, 2, ALL, ALL),

    /** How many bugs are planted into readers, for the fuzzer to find. */
    PLANTED_BUGS(3, ALL, ALL, ALL),

    /** How many pieces of state each program of a series forgets, one at a time. */
    PLANTED_OMISSIONS(1, 4, ALL, ALL),

    /** How many of them the search for forgotten state has to name. */
    NAMED_OMISSIONS(0, 0, 10, ALL),

    /** How many processes or jobs are really killed. */
    KILLS(1, 4, 20, 100),

    /** How many bytes of a file are damaged, and at how many it is cut. */
    DAMAGED_BYTES(30, 300, ALL, ALL),

    /** Of how many kinds the fuzzer makes files. */
    FUZZED_READERS(1, ALL, ALL, ALL),

    /** How many files of each kind it makes. */
    FUZZED_FILES(500, 5_000, 500_000, 10_000_000),

    /** How many seeds a random program is run with. */
    SEEDS(50, 500, 10_000, 1_000_000),

    /** Up to which number of simulated ranks each goes to each. */
    RANKS(6, 12, 16, 16),

    /** How many processes a job has at most. */
    PROCESSES(2, 4, 8, 16),

    /** With how many ways to an MPI the contract of communicators is played. */
    MPI_WAYS(1, ALL, ALL, ALL),

    /** With how many of them each failure of a job, and each number of processes, is. */
    MPI_FAILURE_WAYS(1, 1, ALL, ALL),

    /** How many scenes are played with jobs of a real Slurm. */
    SLURM_SCENES(0, 1, ALL, ALL),

    /** How many saves of one program must leave nothing behind in its process. */
    SAVES(200, 1_000, 10_000, 100_000),

    /** The state of a program with little memory, in MiB. */
    STATE_MEBIBYTES(64, 256, 512, 512),

    /** How many collective calls are made with more than 2 GiB, and whether streams and records are as large. */
    VAST_PAYLOADS(0, 1, ALL, ALL),

    /** The same in messages under MPI and for the C tools, which takes 8 GiB of memory and minutes. */
    VAST_MESSAGES(0, 0, 1, 1),
    ;

    val count: Int get() = countAt(Speed.chosen)

    val isWhole: Boolean get() = count == ALL

    val isOn: Boolean get() = count > 0

    fun countAt(speed: Speed): Int =
        when (speed) {
            Speed.SMALL -> small
            Speed.MIDDLE -> middle
            Speed.LONG -> long
            Speed.FULL -> full
        }

    /** All of them, or [count] that come from all parts of the list, in its order; the same ones for the same [seed]. */
    fun <T> someOf(all: List<T>, random: Random = Random(seed)): List<T> =
        when {
            all.size <= count -> all
            isOn -> strata(all.size, count).map { all[random.nextInt(it.first, it.last + 1)] }
            else -> emptyList()
        }

    /** The first ones, where the order of the list says which are wanted most. */
    fun <T> firstOf(all: List<T>): List<T> = all.take(count)

    /** [most], or [count] if that is less. */
    fun limit(most: Int): Int = minOf(most, count)

    companion object {
        /**
         * What chance begins with: `-Dcairn.seed=N` repeats a run. A build at the small speed plays the same cases each time. A spec that uses
         * it prints it.
         */
        val seed: Long =
            System.getProperty("cairn.seed")?.toLong() ?: if (Speed.chosen == Speed.SMALL) 1 else Random.nextLong()
    }
}

/** The indices below [size] in [count] ranges that differ by one index at most. */
private fun strata(size: Int, count: Int): List<IntRange> {
    val borders = List(count + 1) { (it.toLong() * size / count).toInt() }
    return borders.zipWithNext { first, next -> first until next }
}
