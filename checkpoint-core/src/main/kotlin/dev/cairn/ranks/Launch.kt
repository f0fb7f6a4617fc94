@file:JvmSynthetic

package dev.cairn.ranks

/**
 * The start of this process by a launcher, as one of the processes of a program.
 *
 * @property launcher the command that started them
 * @property rank this process' rank
 * @property size the number of processes
 */
internal class Launch(val launcher: String, val rank: Int, val size: Int) {
    override fun toString(): String = "$launcher started this process as rank $rank of $size"

    companion object {
        /** The launch according to the environment; null if the process was started alone. */
        fun ofThisProcess(): Launch? = of(System.getenv())

        fun of(environment: Map<String, String>): Launch? =
            KnownLauncher.entries.firstNotNullOfOrNull { it.launchIn(environment) }
    }
}

/** The rank that a launcher has given to this process; null if the process was started alone. Any thread may ask. */
public fun launchedRank(): Int? = Launch.ofThisProcess()?.rank

/** The number of processes that a launcher has started with this one; null if it was started alone. Any thread may ask. */
public fun launchedRankCount(): Int? = Launch.ofThisProcess()?.size

/** Launchers, and their variables for a process's rank. */
private enum class KnownLauncher(val command: String, val rank: String, val size: String) {
    OPEN_MPI("mpirun", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    PMI("a launcher that speaks PMI", "PMI_RANK", "PMI_SIZE"),

    /**
     * The last one: in a job of Slurm the others start a daemon on each host with srun, and its variables are those of the daemons.
     * The script of a batch job has the first of these, too, but only the tasks of a step have both.
     */
    SLURM("srun", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS"),
    ;

    /** One process alone needs no transport. */
    fun launchIn(environment: Map<String, String>): Launch? {
        val size = environment[size]?.toIntOrNull()?.takeIf { it > 1 } ?: return null
        val rank = environment[rank]?.toIntOrNull() ?: return null
        return Launch(command, rank, size)
    }
}
