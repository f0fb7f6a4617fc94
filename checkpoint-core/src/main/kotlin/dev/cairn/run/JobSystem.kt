package dev.cairn.run

/** A fact about the job, and the variable or command from which it is known. */
internal class Known(val value: String, val source: String)

/** Job systems, and the variables that they set for a job. */
internal enum class JobSystem(
    val title: String,
    private val idVariable: String,
    private val nodesVariable: String?,
    private val restartsVariable: String?,
) {
    SLURM("Slurm", "SLURM_JOB_ID", "SLURM_JOB_NUM_NODES", "SLURM_RESTART_COUNT"),
    PBS("PBS", "PBS_JOBID", "PBS_NUM_NODES", null),
    LSF("LSF", "LSB_JOBID", null, null),
    ;

    fun id(environment: Map<String, String>): Known? = known(environment, idVariable)

    fun nodes(environment: Map<String, String>): Known? = nodesVariable?.let { known(environment, it) }

    /** How often the job was started again; Slurm sets the variable from the first time on. */
    fun restarts(environment: Map<String, String>): Known? = restartsVariable?.let { known(environment, it) }

    private fun known(environment: Map<String, String>, variable: String): Known? =
        environment[variable]?.let { Known(it, variable) }

    companion object {
        /** The system of the job in which this process runs; null if there is none that is known. */
        fun of(environment: Map<String, String>): JobSystem? = entries.find { it.id(environment) != null }
    }
}
