package dev.cairn.ranks

/**
 * That this process was started as one of several, which make up one program.
 *
 * @property launcher the command that started them
 * @property rank this process' rank
 * @property size how many processes there are
 */
public class Launch internal constructor(
    public val launcher: String,
    public val rank: Int,
    public val size: Int,
) {
    override fun toString(): String = "$launcher started this process as rank $rank of $size"

    public companion object {
        /** What the environment tells of this process; null if it was started alone. */
        @JvmStatic
        public fun ofThisProcess(): Launch? = of(System.getenv())

        internal fun of(environment: Map<String, String>): Launch? =
            KnownLauncher.entries.firstNotNullOfOrNull { it.launchIn(environment) }
    }
}

/** Launchers, and the variables in which each tells a process its place. */
private enum class KnownLauncher(
    val command: String,
    val rank: String,
    val size: String,
) {
    OPEN_MPI("mpirun", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),

    /** The script of a batch job has the first of these, too, but only the tasks of a step have both. */
    SLURM("srun", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS"),
    PMI("a launcher that speaks PMI", "PMI_RANK", "PMI_SIZE"),
    ;

    /** One process alone needs no transport. */
    fun launchIn(environment: Map<String, String>): Launch? {
        val size = environment[size]?.toIntOrNull()?.takeIf { it > 1 } ?: return null
        val rank = environment[rank]?.toIntOrNull() ?: return null
        return Launch(command, rank, size)
    }
}
